"""Packages that are needed only by those who ask for what they do."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ._errors import Message, MissingPackageError

# Where the package alone is not all that is used of it.
_INSTALLED = {"ray": "'ray[data]'"}


def needed(package: str, purpose: str) -> Any:
    """The package, or an error that says how to get it."""
    try:
        return import_module(package)
    except ImportError as error:
        wanted = package.partition(".")[0]
        action = f"pip install {_INSTALLED.get(wanted, wanted)}"
        raise MissingPackageError([Message("error", "missing-package", f"{purpose} needs {wanted}", action)]) from error
