"""Answers."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, Optional, Union

from . import _radar
from ._errors import Note, note
from ._optional import needed
from ._problem import Problem
from ._schedule import Route, route

# Keys of the wire form that the native answer gives without writing it.
_AT_HAND = frozenset(("routes", "cost", "bound", "gap", "optimal", "method", "model", "seed"))


@dataclass(frozen=True)
class Unserved:
    """A stop that is left out, with what keeps it out and what would let it in."""

    node: int
    id: str
    reasons: tuple[str, ...]


class Solution:
    """A plan that has been checked, with its schedule and a proved lower bound on any plan's cost.

    >>> import radar
    >>> solution = radar.solve([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]], demand=[0, 3, 4], capacity=9)
    >>> solution
    Solution(cost=6.0, gap=0.0, routes=1, optimal)
    >>> solution.routes
    [[1, 2]]
    >>> [stop.load for stop in solution.schedule[0].stops]
    [4.0, 0.0]
    """

    __slots__ = ("_answer", "_interrupted", "_native", "_problem", "_text")
    _problem: Problem
    _interrupted: bool
    _native: Optional[_radar.Solution]
    _text: Optional[str]
    _answer: Optional[dict[str, Any]]

    def __init__(self) -> None:
        raise TypeError("solutions come from radar.solve")

    @classmethod
    def _of(cls, native: _radar.Solution, problem: Problem) -> Solution:
        """The answer that the native module found."""
        made = cls.__new__(cls)
        made._problem, made._interrupted = problem, native.interrupted
        made._native, made._text, made._answer = native, None, None
        return made

    @property
    def problem(self) -> Problem:
        """What was solved."""
        return self._problem

    @property
    def routes(self) -> list[list[int]]:
        """Nodes in visiting order, the depot left out; a tour is one list that starts at node 0."""
        return [list(visits) for visits in self._key("routes")]

    @property
    def route_ids(self) -> list[list[str]]:
        """The same by id (the number where there are none)."""
        return [list(visits) for visits in self._key("route_ids")]

    @property
    def schedule(self) -> list[Route]:
        """When each vehicle is where."""
        return [route(entry) for entry in self._key("schedule")]

    @property
    def cost(self) -> float:
        """What the plan costs, in the unit of the matrix."""
        return float(self._key("cost"))

    @property
    def bound(self) -> Optional[float]:
        """No plan costs less than this. None when stops are left out."""
        return self._number("bound")

    @property
    def gap(self) -> Optional[float]:
        """(cost - bound) / cost, as a fraction."""
        return self._number("gap")

    @property
    def optimal(self) -> bool:
        """Whether the plan serves every stop and is proved to be the best."""
        return bool(self._key("optimal"))

    @property
    def unserved(self) -> list[Unserved]:
        """Stops that are left out, with reasons."""
        return [Unserved(stop["node"], stop["id"], tuple(stop["reasons"])) for stop in self._key("unserved")]

    @property
    def method(self) -> str:
        """What made the plan."""
        return str(self._key("method"))

    @property
    def model(self) -> Optional[str]:
        """The network that made the plan, or went before the search, if one did."""
        return self._key("model")  # type: ignore[no-any-return]

    @property
    def seed(self) -> int:
        """The seed that was used."""
        return int(self._key("seed"))

    @property
    def interrupted(self) -> bool:
        """Whether a time limit, a callback or Ctrl-C ended the work, so that another run may differ."""
        return self._interrupted

    @property
    def warnings(self) -> list[Note]:
        """Anything else worth knowing."""
        return [note(warning["code"], warning["text"]) for warning in self._key("warnings")]

    @property
    def timings(self) -> dict[str, float]:
        """Seconds by phase."""
        return dict(self._key("timings"))

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row per visit. Routes, positions and nodes are counted from 0.

        >>> import radar
        >>> frame = radar.solve([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]], demand=[0, 3, 4], capacity=9).to_frame()
        >>> list(frame.columns)
        ['route', 'position', 'node', 'id', 'arrival', 'wait', 'start', 'leave', 'load']
        """
        columns = ("route", "position", "node", "id", "arrival", "wait", "start", "leave", "load")
        visits = [
            {"route": number, "position": position, **stop}
            for number, entry in enumerate(self._key("schedule"))
            for position, stop in enumerate(entry["stops"])
        ]
        return needed("pandas", "to_frame").DataFrame(visits, columns=list(columns))

    def plot(self, ax: Any = None, labels: Union[bool, Literal["auto"]] = "auto") -> Any:
        """Draws the routes with matplotlib and gives the axes: a map, or a circle where no points are known.

        Arrows show which way routes go, and a legend which is which. `labels` says whether nodes are named: with
        ``"auto"``, where there are at most 60 stops.

        >>> import radar
        >>> axes = radar.solve([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]).plot()  # doctest: +SKIP
        >>> axes.figure.savefig("tour.png")  # doctest: +SKIP
        """
        from ._plot import plot

        return plot(self, ax, labels)

    def to_json(self) -> str:
        """The answer as JSON, with all its keys.

        >>> import json, radar
        >>> json.loads(radar.solve([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]).to_json())["cost"]
        6.0
        """
        if self._text is None:
            assert self._native is not None
            self._text = self._native.json()
        return self._text

    def save(self, path: Any, format: Optional[str] = None) -> None:
        """Writes the answer: .json (everything), .sol (VRPLIB), .csv (the schedule), .geojson or .svg.

        >>> import pathlib, tempfile, radar
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "tour.sol"
        >>> radar.solve([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]).save(path)
        >>> path.read_text().splitlines()[0]
        'Route #1: 1 2'
        """
        from ._files import format_of, put

        put(path, self._bytes(format_of(path, format, "answer")))

    def _bytes(self, format: str) -> bytes:
        if format == "json":
            return self.to_json().encode()
        if self._native is not None:
            return self._native.to_bytes(format)
        return _radar.render(self._problem._native, self.to_json(), format)

    def _key(self, name: str) -> Any:
        """A key of the wire form, which is made and read only when something is asked for that needs it."""
        if self._answer is None and self._native is not None and name in _AT_HAND:
            return getattr(self._native, name)
        if self._answer is None:
            self._answer = json.loads(self.to_json())
        return self._answer[name]

    def _number(self, name: str) -> Optional[float]:
        number = self._key(name)
        return None if number is None else float(number)

    def _essence(self) -> dict[str, Any]:
        """Everything but how long it took."""
        self._key("schedule")
        return {key: part for key, part in (self._answer or {}).items() if key != "timings"}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        return self._essence() == other._essence() and self._problem == other._problem

    def __hash__(self) -> int:
        return hash((self._problem, self.cost))

    def __getstate__(self) -> tuple[Problem, str, bool]:
        return self._problem, self.to_json(), self._interrupted

    def __setstate__(self, state: tuple[Problem, str, bool]) -> None:
        self._problem, self._text, self._interrupted = state
        self._native, self._answer = None, None

    def __repr__(self) -> str:
        said = [f"cost={round(self.cost, 6)}"]
        said += [] if self.gap is None else [f"gap={round(self.gap, 4)}"]
        said += [f"routes={len(self._key('routes'))}"]
        said += ["optimal"] if self.optimal else []
        said += [f"unserved={len(self.unserved)}"] if self.unserved else []
        return f"Solution({', '.join(said)})"

    def _repr_svg_(self) -> str:
        """A picture, for notebooks."""
        return self._bytes("svg").decode()
