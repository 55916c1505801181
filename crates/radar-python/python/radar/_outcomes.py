"""A folder with one outcome per key, an answer or a failure: each whole or not there, and the first one stays."""

from __future__ import annotations

import json
import os
import uuid
from dataclasses import asdict
from pathlib import Path
from typing import Any, Mapping, Optional, Union
from urllib.parse import quote

from ._check import check
from ._errors import Message, RadarError, bad_input
from ._problem import Problem


class Outcomes:
    """``answers/KEY.json`` (the wire form), ``failures/KEY.json``, and ``run.json`` with the options asked with."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, options: Mapping[str, Any]) -> None:
        """Begins the folder, or goes on with it; answers to other options are refused."""
        # How many threads a worker has changes no answer.
        said = {name: value for name, value in options.items() if name != "workers"}
        run = json.dumps({"version": 1, "options": said}, default=_plain, sort_keys=True, indent=1)
        try:
            for kind in ("answers", "failures"):
                (self.folder / kind).mkdir(parents=True, exist_ok=True)
            _write_new(self.folder / "run.json", run)
        except OSError as error:
            raise bad_input(
                "cannot-write", f"{self.folder}: {error.strerror}", "choose a folder that can be written"
            ) from error
        if _load(self.folder / "run.json") != json.loads(run):
            raise bad_input(
                "other-options",
                f"{self.folder} holds answers to other options: see its run.json",
                "give the same options to go on, or another folder",
            )

    def has(self, key: str, problem: Union[Problem, RadarError]) -> bool:
        """Whether the outcome of a problem is there. An answer to another problem of that name is refused."""
        answer = self.answer(key)
        if answer is None:
            return self._failure(key).exists()
        if isinstance(problem, Problem) and not _is_answer_to(problem, answer):
            raise bad_input(
                "other-problem",
                f"{self._answer(key)} answers another problem than the one that is called `{key}` now",
                "give problems keys that stay theirs, or another folder",
            )
        return True

    def keep(self, key: str, outcome: Union[str, RadarError]) -> None:
        """Writes an answer, or why there is none."""
        if isinstance(outcome, str):
            _write_new(self._answer(key), outcome)
            return
        said = {"code": outcome.code, "cause": outcome.cause, "action": outcome.action}
        messages = [asdict(message) for message in outcome.messages]
        _write_new(self._failure(key), json.dumps({**said, "messages": messages}, indent=1))

    def is_there(self, key: str) -> bool:
        """Whether there is an outcome."""
        return self._answer(key).exists() or self._failure(key).exists()

    def answer(self, key: str) -> Optional[dict[str, Any]]:
        """The answer, if there is one."""
        return _load(self._answer(key))

    def failure(self, key: str) -> Optional[list[Message]]:
        """Why there is no answer, if that is known."""
        said = _load(self._failure(key))
        if said is None:
            return None
        return [Message(**{**message, "nodes": tuple(message["nodes"])}) for message in said["messages"]]

    def _answer(self, key: str) -> Path:
        return self.folder / "answers" / file_name(key)

    def _failure(self, key: str) -> Path:
        return self.folder / "failures" / file_name(key)


def file_name(key: str) -> str:
    """The name of a key's file: what may not be in one is escaped.

    >>> file_name("north/city#3")
    'north%2Fcity#3.json'
    """
    return f"{quote(key, safe='# ')}.json"


def _is_answer_to(problem: Problem, answer: Mapping[str, Any]) -> bool:
    """Whether its routes exist here and are as long as it says."""
    try:
        driven = [route.distance for route in check(problem, answer["routes"]).schedule]
        return driven == [route["distance"] for route in answer["schedule"]]
    except (RadarError, LookupError, TypeError):
        return False


def _load(path: Path) -> Optional[dict[str, Any]]:
    try:
        said: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError:
        # Nothing here is synced: a machine that loses its power may leave a file empty. That is no outcome.
        path.unlink()
        return None
    return said


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
    """An option that is no JSON: a number of numpy, a path, a model by its name."""
    if hasattr(value, "item"):
        return value.item()
    return os.fspath(value) if isinstance(value, os.PathLike) else getattr(value, "name", str(value))
