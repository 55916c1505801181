"""Problems from wherever they come, one at a time and under their keys."""

from __future__ import annotations

import glob
import os
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator, Optional, Union

from . import _parts
from ._errors import RadarError, bad_input
from ._files import read_set, text_path
from ._outcomes import file_name
from ._problem import Problem

Entry = tuple[str, Problem]
Key = Union[str, Callable[[Problem], object]]
# What cannot be read is an error in the place of a problem: others go on.
Found = tuple[str, Union[Problem, RadarError]]

# Of a file's name, which is a key and its ending; most file systems allow 255.
_LONGEST = 240


def entries(source: Any, key: Optional[Key]) -> Iterator[Found]:
    """The problems of a Dataset, a dictionary, an iterable, or paths; nothing is asked for before it is needed.

    What cannot be a source at all is refused at once.
    """
    if not isinstance(key, str):
        _parts.callback("key", key)
    if is_dataset(source):
        return _rows(source, key)
    if isinstance(key, str):
        raise bad_input("bad-option", f"key={key!r} names a column", "give a Dataset, or a function of a problem")
    if isinstance(source, (str, os.PathLike)):
        return _items(_paths(text_path(source)), key)
    if isinstance(source, Problem):
        return _items([source], key)
    try:
        return _items(iter(source.items() if isinstance(source, dict) else source), key)
    except TypeError:
        raise bad_input(
            "wrong-type",
            f"the problems are {_parts.shown(source)} ({type(source).__name__})",
            "give an iterable, a dictionary, paths or a Dataset",
        ) from None


def _items(source: Iterable[Any], key: Optional[Callable[[Problem], object]]) -> Iterator[Found]:
    for number, item in enumerate(source):
        if isinstance(item, (str, os.PathLike)):
            for path in _paths(text_path(item)):
                for name, found in _read(path):
                    yield _named(name, found, key), found
        elif isinstance(item, Problem):
            yield _named(f"{number:06}", item, key), item
        elif isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], Problem):
            yield _text(item[0]), item[1]
        else:
            raise bad_input(
                "wrong-type",
                f"item {number} is a {type(item).__name__}",
                "give problems, pairs of a key and a problem, or paths",
            )


def is_dataset(source: Any) -> bool:
    """Whether it is one of Ray Data, told without importing that."""
    return hasattr(source, "iter_rows") and hasattr(source, "map_batches")


def batches(problems: Iterator[Entry], size: int) -> Iterator[list[Entry]]:
    """So many at a time.

    >>> [len(batch) for batch in batches(iter([("a", None), ("b", None), ("c", None)]), 2)]
    [2, 1]
    """
    while batch := list(islice(problems, size)):
        yield batch


def _rows(dataset: Any, key: Optional[Key]) -> Iterator[Found]:
    """The rows of a Dataset as they come. Their order is not kept, so a number would be no key."""
    column = key if isinstance(key, str) else "key"
    for row in dataset.iter_rows():
        name = row.pop(column, None)
        found = _stated(row)
        if callable(key) and isinstance(found, Problem):
            name = key(found)
        if name is None:
            raise bad_input("key-missing", f"a row has no `{column}`", "name the column of the keys: key=...")
        yield _text(name), found


def _stated(row: dict[str, Any]) -> Union[Problem, RadarError]:
    """The problem of a row: in one column, or a column for each of its parts."""
    stated = row.pop("problem", None)
    try:
        if isinstance(stated, Problem):
            return stated
        if isinstance(stated, (str, bytes)):
            return Problem.from_json(stated if isinstance(stated, str) else stated.decode(errors="replace"))
        return Problem(**{part: value for part, value in row.items() if value is not None})
    except RadarError as error:
        return error
    except TypeError as error:
        raise bad_input(
            "wrong-type", f"the columns {', '.join(row)} are no problem: {error}", "name columns as in radar.Problem"
        ) from error


def _paths(pattern: str) -> list[Path]:
    """The files that a path, a folder or a pattern stands for."""
    path = Path(pattern)
    if path.is_dir():
        found = [file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")]
    else:
        found = [path] if path.exists() else [Path(match) for match in glob.glob(pattern, recursive=True)]
    if not found:
        raise bad_input("cannot-read", f"there is no file {pattern}", "give a file, a folder or a pattern")
    return sorted(found)


def _read(path: Path) -> Iterator[Found]:
    try:
        problems = read_set(path)
    except RadarError as error:
        yield path.stem, error
        return
    for number, problem in enumerate(problems):
        yield path.stem if len(problems) == 1 else f"{path.stem}#{number}", problem


def _named(name: str, found: Union[Problem, RadarError], key: Optional[Callable[[Problem], object]]) -> str:
    return _text(name if key is None or isinstance(found, RadarError) else key(found))


def _text(key: object) -> str:
    text = str(key)
    try:
        if text and len(file_name(text)) <= _LONGEST:
            return text
    except UnicodeEncodeError:
        pass
    raise bad_input(
        "bad-key", f"the key {_parts.shown(text)} is empty, too long or no UTF-8", "give keys that can name files"
    )
