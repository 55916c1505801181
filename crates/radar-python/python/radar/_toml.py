"""Dictionaries as TOML, the form of a training configuration."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Mapping

import numpy as np

from . import _parts
from ._errors import bad_input


def document(table: Mapping[str, Any]) -> str:
    """A whole configuration.

    >>> print(document({"preset": "quick", "data": {"nodes": [20, 50]}}), end="")
    preset = "quick"
    data = { nodes = [20, 50] }
    """
    return "".join(f"{_key(key)} = {value(key, entry)}\n" for key, entry in table.items())


def settings(table: Mapping[str, Any]) -> list[str]:
    """Single keys, each with its value.

    >>> settings({"optimiser.lr": 3e-4})
    ['optimiser.lr=0.0003']
    """
    for key in table:
        # Anything else would be read as another key, and part of its value.
        if not isinstance(key, str) or not re.fullmatch(r"[\w.-]+", key, re.ASCII):
            raise bad_input("config", f"set has {_parts.shown(key)}", "name keys as in {'optimiser.lr': 3e-4}")
    return [f"{key}={value(key, entry)}" for key, entry in table.items()]


def value(name: str, entry: Any) -> str:
    """One value, in one line.

    >>> value("optimiser.lr", 3e-4)
    '0.0003'
    """
    if isinstance(entry, np.generic):
        entry = entry.item()
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, float) or (isinstance(entry, int) and -(2**63) <= entry < 2**63):
        return repr(entry)
    if isinstance(entry, (str, os.PathLike)):
        # The escapes of JSON are those of TOML, as long as they are not pairs of surrogates.
        return json.dumps(_parts.text(name, os.fspath(entry)), ensure_ascii=False)
    if isinstance(entry, Mapping):
        inner = (f"{_key(key)} = {value(f'{name}.{key}', part)}" for key, part in entry.items())
        return "{ " + ", ".join(inner) + " }"
    if isinstance(entry, (list, tuple)):
        return "[" + ", ".join(value(f"{name}[{at}]", part) for at, part in enumerate(entry)) + "]"
    action = "give texts, numbers, truths, lists and dictionaries; leave out what is none"
    raise bad_input("config", f"{name} is {_parts.shown(entry)}", action)


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise bad_input("config", f"the configuration has the key {_parts.shown(key)}", "name keys by texts")
    _parts.text("a key", key)
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)
