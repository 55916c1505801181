"""Problems."""

from __future__ import annotations

import html
import json
import math
from typing import Any, Mapping, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _clock, _parts, _radar
from ._errors import Finding, Note, bad_input, message, note


class Problem:
    """An asymmetric routing problem. It never changes; what its properties give are copies.

    `distance` is a square matrix, row = from and column = to: a numpy array, nested lists (None where there is no
    way), a data frame or a tensor. Node 0 is the depot. Lists have one entry per node, the depot included.

    - `demand`: what each stop receives. `backhaul`: what each stop hands over, after all deliveries of its route.
      `capacity`: what a vehicle holds.
    - `windows`: opening and closing time of each node, measured on `duration`; a close of None never closes.
      `service`: the time spent at each stop.
    - `duration`: travel times, where they are not the distances.
    - `limit`: the greatest length of a route, travel only. `max_duration`: the longest time of a route, counted from
      the depot's opening. `open`: whether routes end at their last stop. `vehicles`: how many routes there may be.
    - `priority`: how much each stop matters when not all can be served.
    - `points`: latitude and longitude of each node, for pictures. `ids`: a name of each node.
    - `kind`: ``"atsp"`` for one tour, ``"vrp"`` for routes. Unless said, there are routes when anything is given that
      only routes have (amounts, windows, service, a limit, vehicles, open ends), and else a tour.
    - `units`: names for people, such as ``{"distance": "m", "duration": "s"}``; nothing is converted. A unit of time
      is that of both where there is a single matrix.

    Only types and shapes are refused here; `findings` has everything that is wrong or worth knowing about the values,
    and about lists that are too short or too long.

    >>> problem = Problem([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]], demand=[0, 3, 4], capacity=9)
    >>> problem
    Problem(ACVRP, 3 nodes)
    >>> problem.demand
    [0.0, 3.0, 4.0]
    >>> problem.is_sound
    True
    """

    __slots__ = ("_lists", "_native", "_notes")
    _native: _radar.Problem
    _notes: list[Note]
    _lists: Optional[dict[str, Any]]

    def __init__(
        self,
        distance: Any,
        demand: Any = None,
        capacity: Optional[float] = None,
        backhaul: Any = None,
        windows: Any = None,
        service: Any = None,
        duration: Any = None,
        limit: Optional[float] = None,
        open: bool = False,
        vehicles: Optional[int] = None,
        *,
        max_duration: Optional[float] = None,
        priority: Any = None,
        points: Any = None,
        ids: Any = None,
        kind: Optional[str] = None,
        name: Optional[str] = None,
        units: Optional[Mapping[str, Optional[str]]] = None,
    ) -> None:
        of_routes = (demand, capacity, backhaul, windows, service, limit, vehicles, max_duration, priority)
        routes = _parts.truth("open", open) or any(part is not None for part in of_routes)
        labels, names = _parts.labels(distance, duration), None if ids is None else _parts.ids(ids)
        lists = {"demand": demand, "backhaul": backhaul, "service": service, "priority": priority}
        _parts.refuse_other_order(labels, names, {**lists, "windows": windows, "points": points, "ids": ids})
        if names is None:
            names = next(iter(labels.values()), None)
        chosen = known_kind(kind) if kind is not None else "vrp" if routes else "atsp"
        if chosen == "atsp" and priority is not None:
            # Validation knows of everything else that a tour does not have.
            raise bad_input("tour-with-route-feature", "the kind is atsp, but there is priority", "leave it out")
        distance_unit, duration_unit = _unit_names(units, single=duration is None)
        self._native = _radar.Problem(
            chosen,
            _parts.matrix("distance", distance),
            duration=None if duration is None else _parts.matrix("duration", duration),
            demand=None if demand is None else _parts.amounts("demand", demand),
            backhaul=None if backhaul is None else _parts.amounts("backhaul", backhaul),
            capacity=None if capacity is None else _parts.number("capacity", capacity),
            windows=None if windows is None else _parts.windows(windows),
            service=None if service is None else _parts.amounts("service", service),
            limit=None if limit is None else _parts.number("limit", limit),
            max_duration=None if max_duration is None else _parts.number("max_duration", max_duration),
            open=_parts.truth("open", open),
            vehicles=None if vehicles is None else _parts.whole("vehicles", vehicles),
            priority=None if priority is None else _parts.amounts("priority", priority),
            points=None if points is None else _parts.points(points),
            ids=names,
            name=None if name is None else _parts.text("name", name),
            distance_unit=distance_unit,
            duration_unit=duration_unit,
        )
        self._notes = []
        self._lists = None

    @classmethod
    def _of(cls, native: _radar.Problem, notes: Optional[list[Note]] = None) -> Problem:
        """The problem that the native module holds."""
        made = cls.__new__(cls)
        made._native = native
        made._notes = [note(code, text) for code, text in native.notes] if notes is None else notes
        made._lists = None
        return made

    @classmethod
    def from_json(cls, text: str) -> Problem:
        """The problem of a JSON text, in the form of `to_json`.

        >>> Problem.from_json('{"version": 1, "kind": "atsp", "distance": [[0, 1], [2, 0]]}')
        Problem(ATSP, 2 nodes)
        """
        (native,) = _radar.read(_parts.text("text", text).encode(), None, json.dumps({"from": "json"}))
        return cls._of(native)

    @classmethod
    def from_pyvrp(cls, data: Any) -> Problem:
        """The problem of a `pyvrp.ProblemData`. What cannot be said here is refused by name, never left out.

        >>> try:
        ...     from pyvrp import Client, Depot, Location, ProblemData, VehicleType
        ... except ImportError:
        ...     pass
        ... else:
        ...     places, matrix = [Location(0, 0), Location(3, 4)], np.array([[0, 5], [6, 0]])
        ...     clients, vehicles = [Client(1, delivery=[2])], [VehicleType(1, [9])]
        ...     data = ProblemData(places, clients, [Depot(0)], vehicles, [matrix], [matrix])
        ...     assert Problem.from_pyvrp(data).demand == [0, 2]
        """
        from ._pyvrp import problem

        return cls._of(problem(data)._native)

    @classmethod
    def from_vrplib(cls, instance: Mapping[str, Any]) -> Problem:
        """The problem of the dictionary that `vrplib.read_instance` gives.

        Lengths between points of type EUC_2D, which vrplib leaves as they are, are rounded as TSPLIB says and
        `radar.read` does; a note says so.

        >>> Problem.from_vrplib({"type": "CVRP", "edge_weight": [[0, 5], [6, 0]], "demand": [0, 2], "capacity": 9})
        Problem(ACVRP, 2 nodes)
        """
        from ._vrplib import problem

        made = problem(instance)
        return cls._of(made._native, made._notes)

    def to_json(self) -> str:
        """The problem as JSON, every key of it; unreachable pairs are null. A name is not kept.

        >>> same = Problem.from_json(Problem([[0, 1], [2, 0]], name="pair").to_json())
        >>> same.name, same.distance.tolist()
        (None, [[0.0, 1.0], [2.0, 0.0]])
        """
        return _radar.write("json", [self._native]).decode()

    def save(self, path: Any, format: Optional[str] = None) -> None:
        """Writes the problem to a file, in the format of its ending unless one is named.

        >>> import pathlib, tempfile, radar
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "pair.atsp"
        >>> Problem([[0, 1], [2, 0]]).save(path)
        >>> radar.read(path).nodes
        2
        """
        from ._files import write

        write(path, self, format)

    @property
    def nodes(self) -> int:
        """How many nodes there are, the depot included."""
        return self._native.nodes

    @property
    def kind(self) -> str:
        """``"atsp"`` for one tour, ``"vrp"`` for routes."""
        return self._native.kind

    @property
    def variant(self) -> str:
        """The name of what is solved, such as ``"ATSP"``, ``"ACVRP"`` or ``"AOVRPBLTW"``."""
        return self._native.variant

    @property
    def name(self) -> Optional[str]:
        """What the problem is called, if it has a name."""
        return self._native.name

    @property
    def distance(self) -> NDArray[np.floating[Any]]:
        """A copy of the distances; inf where there is no way. Single precision, where they were given in that."""
        return _square("distance", self._native.distance())

    @property
    def duration(self) -> Optional[NDArray[np.floating[Any]]]:
        """A copy of the travel times, if they are not the distances."""
        duration = self._native.duration()
        return None if duration is None else _square("duration", duration)

    @property
    def demand(self) -> Optional[list[float]]:
        """What each node receives."""
        return self._list("demand")

    @property
    def backhaul(self) -> Optional[list[float]]:
        """What each node hands over."""
        return self._list("backhaul")

    @property
    def capacity(self) -> Optional[float]:
        """What a vehicle holds."""
        return self._part("capacity")  # type: ignore[no-any-return]

    @property
    def windows(self) -> Optional[list[tuple[float, float]]]:
        """Opening and closing time of each node."""
        return self._pairs("windows")

    @property
    def service(self) -> Optional[list[float]]:
        """The time spent at each node."""
        return self._list("service")

    @property
    def limit(self) -> Optional[float]:
        """The greatest length of a route."""
        return self._part("limit")  # type: ignore[no-any-return]

    @property
    def max_duration(self) -> Optional[float]:
        """The longest time of a route, counted from the depot's opening."""
        return self._part("max_duration")  # type: ignore[no-any-return]

    @property
    def open(self) -> bool:
        """Whether routes end at their last stop."""
        return bool(self._part("open"))

    @property
    def vehicles(self) -> Optional[int]:
        """How many routes there may be."""
        return self._part("vehicles")  # type: ignore[no-any-return]

    @property
    def priority(self) -> Optional[list[float]]:
        """How much each stop matters when not all can be served."""
        return self._list("priority")

    @property
    def points(self) -> Optional[list[tuple[float, float]]]:
        """Latitude and longitude of each node."""
        return self._pairs("points")

    @property
    def ids(self) -> Optional[list[str]]:
        """A name of each node."""
        return self._list("ids")

    @property
    def units(self) -> dict[str, Optional[str]]:
        """Names of the units."""
        return {"distance": self._part("distance_unit"), "duration": self._part("duration_unit")}

    @property
    def notes(self) -> list[Note]:
        """What is worth saying about what the problem was read from."""
        return list(self._notes)

    @property
    def findings(self) -> list[Finding]:
        """Everything that is wrong or worth knowing, found once and at once.

        >>> [finding.code for finding in Problem([[0, 1], [float("nan"), 0]]).findings]
        ['not-a-number']
        """
        return [message(finding) for finding in self._native.findings()]

    @property
    def is_sound(self) -> bool:
        """Whether the problem is well formed. (No plan may be able to serve every stop all the same.)"""
        return all(finding.severity != "error" for finding in self.findings)

    def label(self, node: int) -> str:
        """The id of a node or, where there are none, its number.

        >>> Problem([[0, 1], [2, 0]], ids=["depot", "farm"]).label(1), Problem([[0, 1], [2, 0]]).label(1)
        ('farm', '1')
        """
        number = _parts.whole("node", node)
        if number >= self.nodes:
            raise bad_input("unknown-node", f"there is no node {number}", f"give {numbers(self.nodes)}")
        return self._native.label(number)

    def _part(self, name: str) -> Any:
        """A part that is no matrix. All are asked for at once, and kept."""
        if self._lists is None:
            self._lists = self._native.parts()
        return self._lists[name]

    def _list(self, name: str) -> Optional[list[Any]]:
        part = self._part(name)
        return None if part is None else list(part)

    def _pairs(self, name: str) -> Optional[list[tuple[float, float]]]:
        part = self._part(name)
        return None if part is None else [(first, second) for first, second in part]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problem):
            return NotImplemented
        mine, others = self._native, other._native
        # Matrices are copied to be compared: only where all else is the same.
        return (
            _same(mine.parts(), others.parts())
            and _same(mine.distance(), others.distance())
            and _same(mine.duration(), others.duration())
        )

    def __hash__(self) -> int:
        return hash((self.variant, self.nodes, self.name))

    def __reduce__(self) -> tuple[Any, ...]:
        # What a class of others has beside is in its dictionary.
        return _restored, (self._native.fields(), self._notes, type(self)), getattr(self, "__dict__", None)

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{self.name!r}, "
        return f"Problem({name}{self.variant}, {self.nodes} nodes)"

    def _repr_html_(self) -> str:
        """A table of what the problem has, for notebooks."""
        lists = [key for key in ("demand", "backhaul", "windows", "service", "priority", "points") if self._part(key)]
        bounds = ("capacity", "limit", "max_duration", "vehicles")
        rows = [("problem", self.name or ""), ("variant", self.variant), ("nodes", self.nodes)]
        rows += [(key, self._part(key)) for key in bounds if self._part(key) is not None]
        rows += [("stated per node", ", ".join(lists))] if lists else []
        rows += [(finding.severity, f"[{finding.code}] {finding.cause}") for finding in self.findings[:10]]
        cells = (f"<tr><th>{key}</th><td>{html.escape(str(value))}</td></tr>" for key, value in rows)
        return f"<table>{''.join(cells)}</table>"


def stated(distance: Any, parts: dict[str, Any]) -> Problem:
    """The problem that a caller states: one there is already, or one of a matrix and other parts."""
    if not isinstance(distance, Problem):
        return Problem(distance, **parts)
    unsaid = {"open": False}
    twice = [name for name, part in parts.items() if part is not unsaid.get(name)]
    if twice:
        raise bad_input(
            "given-twice",
            f"beside a Problem there is {', '.join(twice)}",
            "state all parts in the Problem, or give its matrix instead",
        )
    return distance


def problem_of(value: Any) -> Problem:
    """A problem where nothing else will do."""
    if isinstance(value, Problem):
        return value
    raise bad_input("wrong-type", f"a {type(value).__name__} is no Problem", "make one: radar.Problem(distance, ...)")


def numbers(nodes: int, first: int = 0) -> str:
    """Which numbers of nodes there are, for errors.

    >>> numbers(3), numbers(0)
    ('a number from 0 to 2', 'another problem: this one has none')
    """
    return f"a number from {first} to {nodes - 1}" if nodes > first else "another problem: this one has none"


def _restored(fields: dict[str, Any], notes: list[Note], made: type[Problem] = Problem) -> Problem:
    return made._of(_radar.Problem(fields.pop("kind"), fields.pop("distance"), **fields), notes)


def _square(name: str, table: Union[NDArray[Any], list[list[float]]]) -> NDArray[np.floating[Any]]:
    """A copy of a table as an array; one of uneven rows is none."""
    if isinstance(table, list):
        raise bad_input("matrix-not-square", f"{name} is not square", "see the findings of the problem")
    return table


def known_kind(kind: Any) -> str:
    """A kind that there is."""
    if not isinstance(kind, str) or kind not in ("atsp", "vrp"):
        raise bad_input("unknown-kind", f"kind is {_parts.shown(kind)}", "say 'atsp' (one tour) or 'vrp' (routes)")
    return str(kind)


def _unit_names(
    units: Optional[Mapping[str, Optional[str]]], single: bool
) -> tuple[Optional[str], Optional[str]]:
    named = {} if units is None else _parts.mapping("units", units)
    distance, duration = (_unit(name, named.pop(name, None)) for name in ("distance", "duration"))
    if named:
        others = ", ".join(map(_parts.shown, named))
        raise bad_input("unknown-key", f"units has {others}", "name distance and duration only")
    # A single matrix plays both roles, and so does its unit, if it is one of time: nobody arrives at 9 km.
    of_times = distance if duration is None else duration
    if single and of_times is not None and _clock.seconds(of_times) is not None:
        return distance or of_times, of_times
    return distance, duration


def _unit(name: str, unit: Any) -> Optional[str]:
    return None if unit is None else _parts.text(f"units[{name!r}]", unit)


def _same(one: Any, other: Any) -> bool:
    """Whether two parts are the same: what is no number is the same as what is none, too."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        # Single precision means the decimals that it is written as, which double precision would not.
        return one.dtype == other.dtype and np.array_equal(one, other, equal_nan=True)
    if type(one) is not type(other):
        return False
    if one == other:
        return True
    if isinstance(one, dict):
        return all(_same(part, other[name]) for name, part in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return isinstance(one, float) and math.isnan(one) and math.isnan(other)
