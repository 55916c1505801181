"""Dictionaries as TOML, the form of a training configuration."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Mapping

import numpy as np

from ._errors import bad_input


def document(table: Mapping[str, Any]) -> str:
    """A whole configuration.

    >>> print(document({"preset": "quick", "data": {"nodes": [20, 50]}}), end="")
    preset = "quick"
    data = { nodes = [20, 50] }
    """
    return "".join(f"{_key(key)} = {value(key, entry)}\n" for key, entry in table.items())


def value(name: str, entry: Any) -> str:
    """One value, in one line.

    >>> value("optimiser.lr", 3e-4)
    '0.0003'
    """
    if isinstance(entry, np.generic):
        entry = entry.item()
    if isinstance(entry, bool):
        return "true" if entry else "false"
    if isinstance(entry, (int, float)):
        return repr(entry)
    if isinstance(entry, (str, os.PathLike)):
        # The escapes of JSON are those of TOML, as long as they are not pairs of surrogates.
        return json.dumps(os.fspath(entry), ensure_ascii=False)
    if isinstance(entry, Mapping):
        inner = (f"{_key(key)} = {value(f'{name}.{key}', part)}" for key, part in entry.items())
        return "{ " + ", ".join(inner) + " }"
    if isinstance(entry, (list, tuple)):
        return "[" + ", ".join(value(f"{name}[{at}]", part) for at, part in enumerate(entry)) + "]"
    raise bad_input(
        "config", f"{name} is {entry!r}", "give texts, numbers, truths, lists and dictionaries; leave out what is none"
    )


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else json.dumps(key, ensure_ascii=False)
