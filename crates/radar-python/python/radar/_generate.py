"""Instances from seeded distributions."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union, overload

from . import _parts, _radar
from ._errors import bad_input
from ._files import content_of, paths, shown_path
from ._problem import Problem


@dataclass(frozen=True)
class Parameter:
    """What can be chosen of a distribution."""

    name: str
    default: str
    summary: str


@dataclass(frozen=True)
class Distribution:
    """A distribution of instances; `needs_roads` says whether road matrices must be given."""

    name: str
    summary: str
    needs_roads: bool
    parameters: tuple[Parameter, ...]


@overload
def generate(
    name: str,
    n: Optional[int] = ...,
    *,
    variant: Optional[str] = ...,
    preset: Optional[str] = ...,
    seed: int = ...,
    count: None = ...,
    first: int = ...,
    roads: Any = ...,
    **parameters: Any,
) -> Problem: ...


@overload
def generate(
    name: str,
    n: Optional[int] = ...,
    *,
    variant: Optional[str] = ...,
    preset: Optional[str] = ...,
    seed: int = ...,
    count: int,
    first: int = ...,
    roads: Any = ...,
    **parameters: Any,
) -> list[Problem]: ...


def generate(
    name: str,
    n: Optional[int] = None,
    *,
    variant: Optional[str] = None,
    preset: Optional[str] = None,
    seed: int = 0,
    count: Optional[int] = None,
    first: int = 0,
    roads: Any = (),
    **parameters: Any,
) -> Union[Problem, list[Problem]]:
    """Draws an instance of a distribution (see `distributions`), or with `count` a list of them.

    The same name, parameters and seed give the same instances everywhere, and the same as `radar generate`. Instances
    of one seed are numbered: `first` is the number of the first. `n` counts the nodes of a tour, or the stops beside
    the depot; `roads` are files or problems whose matrices the distribution ``"roads"`` cuts instances out of.

    >>> generate("tmat", 20, seed=1)
    Problem('tmat-ATSP-n20-s1-0', ATSP, 20 nodes)
    >>> [problem.variant for problem in generate("multitask", 10, variant="AVRPTW", count=2)]
    ['AVRPTW', 'AVRPTW']
    """
    usual = {"n": n, "variant": variant, "preset": preset}
    named = {**{key: value for key, value in usual.items() if value is not None}, **parameters}
    texts = [(_parts.text("a parameter", key), _text(key, value)) for key, value in named.items()]
    wanted = 1 if count is None else _parts.whole("count", count)
    # Numbers of instances go no further than those of seeds.
    _parts.whole("first + count", _parts.whole("first", first) + wanted)
    given = [roads] if isinstance(roads, Problem) else paths("roads", roads)
    if not given and any(entry.name == name and entry.needs_roads for entry in distributions()):
        raise bad_input(
            "bad-distribution",
            f"`{name}` needs a road matrix",
            "give roads=...: files or problems whose matrices instances are cut out of",
        )
    natives, clamped = _radar.generate(
        _parts.text("name", name),
        texts,
        _parts.whole("seed", seed),
        _parts.whole("first", first),
        wanted,
        [_road(road) for road in given],
    )
    if clamped:
        warnings.warn(f"{clamped} negative factors were replaced by 0", stacklevel=2)
    problems = [Problem._of(native) for native in natives]
    return problems[0] if count is None else problems


def distributions() -> list[Distribution]:
    """All distributions, with their parameters.

    >>> [distribution.name for distribution in distributions()][:2]
    ['tmat', 'acvrp']
    """
    return [
        Distribution(
            entry["name"],
            entry["summary"],
            entry["needs_roads"],
            tuple(Parameter(**parameter) for parameter in entry["parameters"]),
        )
        for entry in json.loads(_radar.distributions())
    ]


def _text(key: str, value: Any) -> str:
    """A parameter as the command line would say it."""
    if isinstance(value, str):
        return _parts.text(key, value)
    found = _parts.number(key, value)
    return str(int(found)) if found.is_integer() else repr(found)


def _road(road: Any) -> tuple[str, bytes]:
    if isinstance(road, Problem):
        return f"{road.name or 'roads'}.npz", _radar.write("npz", [road._native])
    return Path(shown_path(road)).name, content_of(road)
