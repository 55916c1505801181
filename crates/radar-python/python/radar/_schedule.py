"""When each vehicle is where, and with what on board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional


@dataclass(frozen=True)
class Stop:
    """A visit: when the vehicle arrives, how long it waits, when service starts, when it leaves and with what load."""

    node: int
    id: str
    arrival: float
    wait: float
    start: float
    leave: float
    load: float


@dataclass(frozen=True)
class Route:
    """What a vehicle does. Times count as the problem's do, from its own zero.

    `departure` is the depot's opening; a vehicle that leaves by `latest_departure` (None: at any time) is nowhere later
    than is allowed, though perhaps later than here. `returns` is when it is back (None when routes are open), `end` when its work ends.
    """

    departure: float
    latest_departure: Optional[float]
    returns: Optional[float]
    end: float
    distance: float
    duration: float
    cost: Optional[float]
    delivered: float
    picked_up: float
    stops: tuple[Stop, ...]


def route(entry: Mapping[str, Any]) -> Route:
    """A route of the wire form. Only `return` has another name there: Python keeps that word for itself."""
    parts = {key: part for key, part in entry.items() if key not in ("return", "stops")}
    return Route(returns=entry["return"], stops=tuple(Stop(**stop) for stop in entry["stops"]), **parts)
