"""From PyVRP's `ProblemData`.

What means the same there and here is taken over; everything else is refused by name, because leaving it out would
solve another problem. Two things look alike and are not:

- A pickup there may come anywhere on a route, a backhaul here comes after all deliveries.
- A route's duration there is counted from when it leaves, which it may put off; `max_duration` here is counted from the
  depot's opening. They are the same only where nobody ever waits.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError, bad_input
from ._problem import Problem

# What PyVRP has where there is no bound, and where there is no edge.
_UNBOUNDED = 2**63 - 1
_NO_EDGE = 1 << 44

# Attributes (not all versions have all of them), the value that means nothing, and what any other means.
_OF_VEHICLES: tuple[tuple[str, Any, str], ...] = (
    ("fixed_cost", 0, "a fixed cost of vehicles"),
    ("unit_distance_cost", 1, "a cost per distance other than 1"),
    ("unit_duration_cost", 0, "a cost per duration"),
    ("unit_overtime_cost", 0, "a cost of overtime"),
    ("profile", 0, "a profile of its own for a vehicle type"),
    ("reload_depots", [], "reloading on the way"),
)
_OF_CLIENTS: tuple[tuple[str, Any, str], ...] = (
    ("required", True, "clients that are optional"),
    ("prize", 0, "prizes"),
    ("release_time", 0, "release times"),
    ("group", None, "groups of clients"),
)


def problem(data: Any) -> Problem:
    """The problem of PyVRP's data: node 0 is the depot, node i the client i - 1."""
    _refuse_whole(data)
    vehicle = _vehicle(data.vehicle_types())
    clients, depot = data.clients(), data.depots()[0]
    for client in clients:
        _refuse(client, _OF_CLIENTS)
        if any(client.pickup):
            raise _inexpressible("pickups, which may stand anywhere on a route; a backhaul here comes last")
    _refuse(depot, (("service_duration", 0, "a service time at the depot"),))
    rows = _rows(data, depot, clients)
    distance = _matrix(data.distance_matrix(0), rows)
    duration = _matrix(data.duration_matrix(0), rows)
    windows = _windows(vehicle, depot, clients)
    service = [0, *(client.service_duration for client in clients)]
    loads = data.num_load_dimensions == 1
    return Problem(
        distance,
        duration=None if np.array_equal(distance, duration) else duration,
        demand=[0, *(sum(client.delivery) for client in clients)] if loads else None,
        capacity=vehicle.capacity[0] if loads else None,
        windows=windows if any(window != (0, math.inf) for window in windows) else None,
        service=service if any(service) else None,
        limit=None if vehicle.max_distance >= _UNBOUNDED else vehicle.max_distance,
        max_duration=_max_duration(vehicle, windows),
        vehicles=data.num_vehicles,
        kind="vrp",
        points=_points(data, depot, clients),
        ids=_ids(depot, clients),
    )


def _refuse_whole(data: Any) -> None:
    if not hasattr(data, "num_load_dimensions") or not hasattr(data.depots()[0], "tw_early"):
        given = type(data).__name__
        raise bad_input(
            "wrong-type",
            f"this {given} is not what PyVRP calls ProblemData since 0.11",
            "give model.data()" if given == "Model" else "give a pyvrp.ProblemData",
        )
    counted = {
        "several depots": data.num_depots > 1,
        "groups of clients": bool(data.num_groups),
        "shipments": bool(getattr(data, "num_shipments", 0)),
        "several profiles": data.num_profiles > 1,
        "loads of several dimensions": data.num_load_dimensions > 1,
    }
    for what, there in counted.items():
        if there:
            raise _inexpressible(what)


def _vehicle(types: list[Any]) -> Any:
    """The one kind of vehicle. Types that differ in nothing but name and number are one."""
    first, *others = types
    neutral = {"num_available": 1, "name": ""}
    if any(other.replace(**neutral) != first.replace(**neutral) for other in others):
        raise _inexpressible("vehicles that are not alike")
    _refuse(first, _OF_VEHICLES)
    if any(getattr(first, "initial_load", [])):
        raise _inexpressible("vehicles that are loaded from the start")
    return first


def _windows(vehicle: Any, depot: Any, clients: list[Any]) -> list[tuple[float, float]]:
    """The depot's window is also the vehicles'. Who leaves at its opening is late nowhere that others are not."""
    opening, closing = max(depot.tw_early, vehicle.tw_early), min(depot.tw_late, vehicle.tw_late)
    if vehicle.start_late < opening:
        raise _inexpressible("vehicles that must leave before the depot opens")
    stops = [(client.tw_early, _closing(client.tw_late)) for client in clients]
    return [(opening, _closing(closing)), *stops]


def _closing(late: int) -> float:
    return math.inf if late >= _UNBOUNDED else late


def _max_duration(vehicle: Any, windows: list[tuple[float, float]]) -> Any:
    if vehicle.max_duration >= _UNBOUNDED:
        return None
    if any(early > windows[0][0] for early, _ in windows):
        raise _inexpressible("a longest duration beside windows that make vehicles wait")
    return vehicle.max_duration


def _rows(data: Any, depot: Any, clients: list[Any]) -> list[int]:
    """Which row of the matrices a node is. Before PyVRP 0.14 that was its own number."""
    if not hasattr(data, "locations"):
        return list(range(1 + len(clients)))
    return [depot.location, *(client.location for client in clients)]


def _matrix(matrix: NDArray[Any], rows: list[int]) -> NDArray[Any]:
    """The matrix of the nodes: the very one where every node has its own row in order."""
    if rows != list(range(len(matrix))):
        matrix = matrix[np.ix_(rows, rows)]
    if matrix.size and matrix.max() >= _NO_EDGE:
        matrix = np.where(matrix >= _NO_EDGE, np.inf, matrix)
    return matrix


def _points(data: Any, depot: Any, clients: list[Any]) -> Any:
    """Latitude first. Who has only matrices leaves every place at the origin."""
    places = data.locations() if hasattr(data, "locations") else [depot, *clients]
    rows = _rows(data, depot, clients)
    points = [(float(places[row].y), float(places[row].x)) for row in rows]
    return points if len(set(points)) > 1 else None


def _ids(depot: Any, clients: list[Any]) -> Any:
    """Names, where every node has one of its own."""
    names = [str(place.name) for place in (depot, *clients)]
    return names if all(names) and len(set(names)) == len(names) else None


def _refuse(thing: Any, known: tuple[tuple[str, Any, str], ...]) -> None:
    for attribute, nothing, what in known:
        if getattr(thing, attribute, nothing) != nothing:
            raise _inexpressible(what)


def _inexpressible(what: str) -> InputError:
    return bad_input(
        "not-expressible", f"the data has {what}", "leave it out if it is not needed, or solve it with PyVRP"
    )
