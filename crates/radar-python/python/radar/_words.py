"""Texts of the solver speak of the command line; here they speak of what this package has."""

from __future__ import annotations

import re

# Options that have another name here, or are said with a value.
_NAMES = {
    "from": "format",
    "to": "format",
    "time": "time_limit",
    "threads": "RAYON_NUM_THREADS (in the environment)",
    "open": "open=True",
    "resume": "resume=True",
    "allow-unserved": "allow_unserved=True",
}

# What is said in more than one word, first.
_PHRASES = (
    (r"`radar generate --help`", "radar.distributions()"),
    (r"`radar train --help`", "help(radar.train)"),
    (r"`radar model import`", "the command `radar model import`"),
    (r"(pair of a matrix is|pairs by) null", r"\1 inf (null in a file)"),
    (r"leave the key out", "leave it out"),
    (r"--set ([\w.]+)=([^\s,;)]+)", r"set={'\1': \2}"),
    (r"--(kind|minimise|method) (atsp|vrp|distance|duration|auto|search|construct|neural)\b", r"\1='\2'"),
    (r"--unit (s|min|h)\b", r"unit='\1'"),
    (r"--(init|out|budget) ([^\s,;)]*[/=\d][^\s,;)]*)", r"\1='\2'"),
)


def in_python(text: str) -> str:
    """A text with options by the names that they have here.

    >>> in_python("say --kind vrp, or serve the rest with --allow-unserved")
    "say kind='vrp', or serve the rest with allow_unserved=True"
    """
    for phrase, here in _PHRASES:
        text = re.sub(rf"(?<![\w-]){phrase}", here, text)
    return re.sub(r"(?<![\w-])--([a-z][a-z-]*)( -?\d+(?:\.\d+)?\b)?", _named, text)


def _named(option: re.Match[str]) -> str:
    name = _NAMES.get(option[1], option[1].replace("-", "_"))
    return name if option[2] is None else f"{name}={option[2].strip()}"
