"""Problems and plans in files."""

from __future__ import annotations

import json
import os
import uuid
from pathlib import Path
from typing import Any, Iterable, Optional, Union

from . import _parts, _radar
from ._errors import RadarError, bad_input
from ._problem import Problem, known_kind, problem_of

PathLike = Union[str, "os.PathLike[str]"]


def read(
    path: PathLike,
    *,
    format: Optional[str] = None,
    stops: Optional[PathLike] = None,
    kind: Optional[str] = None,
    capacity: Optional[float] = None,
    vehicles: Optional[int] = None,
    limit: Optional[float] = None,
    max_duration: Optional[float] = None,
    open: bool = False,
    unit: Optional[str] = None,
) -> Problem:
    """Reads the one problem of a file: JSON, npz, TSPLIB, VRPLIB, Solomon, CSV, VROOM, or the table of an engine.

    The format is recognised by its content unless `format` names it. `stops` is a CSV of the stops that go with a bare
    table; the other arguments are what a file leaves open. `unit` is what travel times are counted in, ``"s"``,
    ``"min"`` or ``"h"``: with a table that does not say it, stops at times of day such as 08:00 need it. What is worth
    saying about the file is in `Problem.notes`.

    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "matrix.csv")
    >>> with open(path, "w") as file:
    ...     print("0,12,25", "15,0,30", "20,10,0", sep="\\n", file=file)
    >>> read(path, kind="atsp").distance.tolist()
    [[0.0, 12.0, 25.0], [15.0, 0.0, 30.0], [20.0, 10.0, 0.0]]
    """
    problems = read_set(
        path,
        format=format,
        stops=stops,
        kind=kind,
        capacity=capacity,
        vehicles=vehicles,
        limit=limit,
        max_duration=max_duration,
        open=open,
        unit=unit,
    )
    if len(problems) != 1:
        raise bad_input(
            "set-of-problems", f"{shown_path(path)} holds {len(problems)} problems", "read them with radar.read_set"
        )
    return problems[0]


def read_set(
    path: PathLike,
    *,
    format: Optional[str] = None,
    stops: Optional[PathLike] = None,
    kind: Optional[str] = None,
    capacity: Optional[float] = None,
    vehicles: Optional[int] = None,
    limit: Optional[float] = None,
    max_duration: Optional[float] = None,
    open: bool = False,
    unit: Optional[str] = None,
) -> list[Problem]:
    """Reads all problems of a file, in order; the arguments are those of `read`."""
    content = content_of(path)
    stated = {
        "from": None if format is None else _parts.text("format", format),
        "stops": None if stops is None else _text_of(stops),
        "kind": None if kind is None else known_kind(kind),
        "capacity": None if capacity is None else _finite("capacity", capacity),
        "vehicles": None if vehicles is None else _parts.whole("vehicles", vehicles),
        "limit": None if limit is None else _finite("limit", limit),
        "max_duration": None if max_duration is None else _finite("max_duration", max_duration),
        "open": _parts.truth("open", open),
        "unit": None if unit is None else _parts.text("unit", unit),
    }
    try:
        problems = _radar.read(content, Path(shown_path(path)).name, json.dumps(stated))
    except RadarError as error:
        raise error.within(shown_path(path)) from None
    return [Problem._of(native) for native in problems]


def read_plan(path: PathLike, problem: Problem) -> list[list[int]]:
    """Reads the routes of a plan: an answer, a JSON list of lists of nodes or ids, or a .sol file.

    >>> import os, tempfile, radar
    >>> problem = radar.Problem([[0, 1, 9], [9, 0, 1], [1, 9, 0]], demand=[0, 2, 2], capacity=3)
    >>> path = os.path.join(tempfile.mkdtemp(), "plan.sol")
    >>> radar.solve(problem).save(path)
    >>> read_plan(path, problem)
    [[1], [2]]
    """
    content = content_of(path)
    try:
        return _radar.plan(content, problem_of(problem)._native)
    except RadarError as error:
        raise error.within(shown_path(path)) from None


def write(path: PathLike, problems: Union[Problem, Iterable[Problem]], format: Optional[str] = None) -> None:
    """Writes a problem, or a set of them, in the format of the path's ending unless `format` names one.

    What stood there is whole until the new file is.

    >>> import os, tempfile, radar
    >>> path = os.path.join(tempfile.mkdtemp(), "tours.jsonl")
    >>> write(path, radar.generate("tmat", 8, count=3))
    >>> len(read_set(path))
    3
    """
    every = [problems] if isinstance(problems, Problem) else _parts.several("problems", problems, "problems")
    natives = [problem_of(problem)._native for problem in every]
    if not natives:
        raise bad_input("cannot-express", "there is nothing to write", "give at least one problem")
    chosen = format_of(path, format, "problem")
    if chosen.startswith("npz") and not all(native.nodes for native in natives):
        raise bad_input("cannot-express", f"{chosen} cannot express a problem without nodes", "write it as json")
    put(path, _radar.write(chosen, natives))


def formats() -> dict[str, list[str]]:
    """The names of all formats: those that are read, written, and written of answers.

    >>> formats()["answer"]
    ['json', 'sol', 'csv', 'geojson', 'svg']
    """
    return _radar.formats()


def format_of(path: PathLike, format: Optional[str], what: str) -> str:
    """The format that is named, or that of the path's ending."""
    return _radar.ending(shown_path(path), what) if format is None else _parts.text("format", format)


def content_of(path: PathLike) -> bytes:
    """The bytes of a file."""
    try:
        return Path(text_path(path)).read_bytes()
    except OSError as error:
        raise bad_input(
            "cannot-read", f"{shown_path(path)}: {error.strerror}", "check the path and its permissions"
        ) from error


def put(path: PathLike, content: bytes) -> None:
    """Writes a file in one piece: under a name of its own first, then renamed."""
    named = text_path(path)
    if named.endswith((os.sep, os.altsep or os.sep)):
        raise bad_input("cannot-write", f"{shown_path(path)} names a folder", "name a file")
    # A link is followed, so that the file it leads to is what is replaced.
    target = Path(os.path.realpath(named))
    try:
        if target.exists() and not target.is_file():
            # Devices and pipes are written to, not replaced; a folder refuses this by itself.
            target.write_bytes(content)
            return
        # Threads write at once, and a name may be as long as names can be.
        partial = target.with_name(f".{uuid.uuid4().hex}.part")
        try:
            partial.write_bytes(content)
            if target.exists():
                partial.chmod(target.stat().st_mode)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise bad_input(
            "cannot-write", f"{shown_path(path)}: {error.strerror}", "choose a place that can be written"
        ) from error


def text_path(path: Any) -> str:
    """A path as text."""
    if not isinstance(path, (str, os.PathLike)):
        raise bad_input("wrong-type", f"{_parts.shown(path)} is no path", "give a str or a pathlib.Path")
    named = os.fsdecode(path)
    try:
        is_path = named != "" and b"\0" not in os.fsencode(named)
    except UnicodeEncodeError:
        is_path = False
    if not is_path:
        raise bad_input("bad-path", f"no file can be called {_parts.shown(named)}", "give the path of a file or folder")
    return named


def shown_path(path: Any) -> str:
    """A path for people, and for the native module: bytes that are no text are replaced."""
    return os.fsencode(text_path(path)).decode(errors="replace")


def native_path(path: Any) -> str:
    """A path that the native module opens by itself, which takes texts alone."""
    named = text_path(path)
    if named != shown_path(path):
        raise bad_input("bad-path", f"{shown_path(path)} is not UTF-8", "rename it, or go by another path")
    return named


def paths(name: str, given: Any) -> list[Any]:
    """One path, or several: a single text is not a list of its letters."""
    return [given] if isinstance(given, (str, os.PathLike)) else _parts.several(name, given, "paths")


def _text_of(path: PathLike) -> str:
    try:
        return content_of(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise bad_input("csv-syntax", f"{shown_path(path)} is not UTF-8", "save it as UTF-8") from None


def _finite(name: str, value: float) -> float:
    """A number that JSON can carry."""
    found = _parts.number(name, value)
    if found != found or found in (float("inf"), float("-inf")):
        raise bad_input("infinite-value", f"{name} is {found}", "give a number, or leave it out")
    return found
