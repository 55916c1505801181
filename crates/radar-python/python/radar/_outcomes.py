"""A folder with one outcome per key, an answer or a failure: each whole or not there, and the first one stays."""

from __future__ import annotations

import hashlib
import json
import os
import re
import uuid
from dataclasses import asdict
from pathlib import Path
from typing import Any, Mapping, Optional, Union
from urllib.parse import quote

import numpy as np

from ._errors import InputError, Message, RadarError, bad_input
from ._model import Model
from ._problem import Problem


class Outcomes:
    """``answers/KEY.json`` (the wire form) or ``failures/KEY.json``, ``problems/KEY.sha256`` with the digest of the
    problem that it is of, and ``run.json`` with the options asked with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, options: Mapping[str, Any]) -> None:
        """Begins the folder, or goes on with it; answers to other options are refused."""
        # How many threads a worker has changes no answer.
        said = {name: value for name, value in options.items() if name != "workers"}
        run = json.dumps({"version": 2, "options": said}, default=_plain, sort_keys=True, indent=1)
        path = self.folder / "run.json"
        try:
            for kind in ("answers", "failures", "problems"):
                (self.folder / kind).mkdir(parents=True, exist_ok=True)
            if _load(path) is None:
                # What a loss of power left of it says nothing.
                path.unlink(missing_ok=True)
            _write_new(path, run)
        except OSError as error:
            raise self._unwritable(error) from error
        if _load(path) != json.loads(run):
            raise bad_input(
                "other-options",
                f"{self.folder} holds answers to other options: see its run.json",
                "give the same options to go on, or another folder",
            )

    def has(self, key: str, digest: str) -> bool:
        """Whether the outcome of a problem is there. One of another problem with that key is refused."""
        known = self._known(key)
        if known is None or not (self.answer(key) or self.failure(key)):
            # Nothing here is synced: a machine that loses its power may leave part of it. That is no outcome.
            try:
                for path in (self._answer(key), self._failure(key), self._problem(key)):
                    path.unlink(missing_ok=True)
            except OSError as error:
                raise self._unwritable(error) from error
            return False
        if known != digest:
            raise self._other(key)
        return True

    def keep(self, key: str, digest: str, outcome: Union[str, RadarError]) -> None:
        """Writes an answer, or why there is none."""
        try:
            self._keep(key, digest, outcome)
        except OSError as error:
            raise self._unwritable(error) from error

    def _keep(self, key: str, digest: str, outcome: Union[str, RadarError]) -> None:
        # Before the outcome, which counts only with it.
        _write_new(self._problem(key), digest)
        if self._known(key) != digest:
            raise self._other(key)
        if isinstance(outcome, str):
            _write_new(self._answer(key), outcome)
            return
        said = {"code": outcome.code, "cause": outcome.cause, "action": outcome.action}
        messages = [asdict(message) for message in outcome.messages]
        _write_new(self._failure(key), json.dumps({**said, "messages": messages}, indent=1))

    def is_there(self, key: str) -> bool:
        """Whether there is an outcome. (Those of earlier runs have been looked at by then.)"""
        return self._answer(key).exists() or self._failure(key).exists()

    def answer(self, key: str) -> Optional[dict[str, Any]]:
        """The answer, if there is one."""
        said = _load(self._answer(key))
        return said if said is not None and {"routes", "cost"} <= said.keys() else None

    def failure(self, key: str) -> Optional[list[Message]]:
        """Why there is no answer, if that is known."""
        said = _load(self._failure(key))
        try:
            return None if said is None else [_message(message) for message in said["messages"]] or None
        except (LookupError, TypeError):
            return None

    def _known(self, key: str) -> Optional[str]:
        """The digest of the problem that there is an outcome of."""
        try:
            found = self._problem(key).read_text(encoding="ascii", errors="replace")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise _unreadable(error) from error
        return found if re.fullmatch("[0-9a-f]{64}", found) else None

    def _answer(self, key: str) -> Path:
        return self.folder / "answers" / f"{file_name(key)}.json"

    def _failure(self, key: str) -> Path:
        return self.folder / "failures" / f"{file_name(key)}.json"

    def _problem(self, key: str) -> Path:
        return self.folder / "problems" / f"{file_name(key)}.sha256"

    def _unwritable(self, error: OSError) -> InputError:
        cause = f"{error.filename or self.folder}: {error.strerror}"
        return bad_input("cannot-write", cause, "make room there, or choose a folder that can be written")

    def _other(self, key: str) -> InputError:
        there = self._answer(key) if self._answer(key).exists() else self._failure(key)
        return bad_input(
            "other-problem",
            f"{there} is of another problem than the one that is called `{key}` now",
            "give problems keys that stay theirs, or another folder; or delete that file, and this one is solved",
        )


def digest(problem: Union[Problem, RadarError]) -> str:
    """What tells a problem from all others, but for its name; or what stands where one could not be read.

    >>> square = [[0, 1], [2, 0]]
    >>> digest(Problem(square)) == digest(Problem(square, name="other")) != digest(Problem(square, vehicles=1))
    True
    """
    told = hashlib.sha256()
    if isinstance(problem, RadarError):
        told.update(json.dumps([asdict(message) for message in problem.messages]).encode())
        return told.hexdigest()
    native = problem._native
    # A problem that is refused may be anything: JSON would have no word for it, and takes twenty times as long.
    parts = {key: part for key, part in native.parts().items() if key != "name"}
    told.update(json.dumps(parts, sort_keys=True).encode())
    for matrix in (native.distance(), native.duration()):
        if isinstance(matrix, np.ndarray):
            told.update(f"\n{matrix.dtype.str} {matrix.shape}\n".encode())
            told.update(np.ascontiguousarray(matrix).data)
        else:
            told.update(f"\n{json.dumps(matrix)}\n".encode())
    return told.hexdigest()


def file_name(key: str) -> str:
    """The name of a key's file, without its ending: what may not be in one is escaped.

    Where file systems take ``A`` and ``a`` for the same, capitals need something that tells them apart.

    >>> file_name("north/city#3"), file_name("North")
    ('north%2Fcity#3', 'North@43f853bb')
    """
    name = quote(key, safe="# ")
    mark = hashlib.sha256(key.encode()).hexdigest()[:8]
    return f"{name}@{mark}" if re.search("[A-Z]", key) else name


def _message(said: Mapping[str, Any]) -> Message:
    return Message(**{**said, "nodes": tuple(said["nodes"])})


def _load(path: Path) -> Optional[dict[str, Any]]:
    """The object in a file, if it is there and whole."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    except OSError as error:
        raise _unreadable(error) from error
    return said if isinstance(said, dict) else None


def _unreadable(error: OSError) -> InputError:
    return bad_input("cannot-read", f"{error.filename}: {error.strerror}", "mend it, or choose another folder")


def _write_new(path: Path, text: str) -> None:
    """Writes a file whole, unless it is there."""
    aside = path.with_name(f".{uuid.uuid4().hex}.part")
    try:
        aside.write_text(text, encoding="utf-8")
        try:
            os.link(aside, path)
        except FileExistsError:
            pass
        except OSError:
            # A file system without links: renaming is whole too, but the last one stays.
            os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _plain(value: Any) -> Any:
    """An option that is no JSON: a network, known by its weights and not by what it is called; a number of numpy."""
    if isinstance(value, Model):
        weights = hashlib.sha256(value._native.to_bytes(False)).hexdigest()
        return {"name": value.name, "sha256": weights}
    return value.item() if hasattr(value, "item") else str(value)
