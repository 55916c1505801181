"""Pictures with matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ._optional import needed

if TYPE_CHECKING:
    from ._problem import Problem
    from ._solution import Solution

# Lengths in these say that points are degrees, whose east is shorter than their north.
_ON_EARTH = ("m", "km", "mi")


def plot(solution: Solution, ax: Any = None) -> Any:
    """Draws routes, stops and depot; gives the axes."""
    axes = needed("matplotlib.pyplot", "plot").gca() if ax is None else ax
    problem = solution.problem
    places = _places(problem)
    for number, visits in enumerate(solution.routes, start=1):
        way = visits if problem.kind == "atsp" else [0, *visits]
        way = way if problem.open else [*way, way[0]]
        axes.plot(*_columns(places, way), marker="o", markersize=3, linewidth=1.2, label=f"route #{number}")
    unserved = [stop.node for stop in solution.unserved]
    if unserved:
        axes.plot(*_columns(places, unserved), "x", color="red", label="not served")
    axes.plot(*_columns(places, [0]), "s", color="black", markersize=7, label="node 0", zorder=3)
    gap = "" if solution.gap is None else f", gap {solution.gap:.2%}"
    axes.set_title(f"{problem.name or problem.variant}: cost {solution.cost:g}{gap}")
    axes.set_aspect(_aspect(problem, places))
    if problem.points is None:
        axes.set_xlabel("no points are known: nodes stand on a circle")
        axes.set_xticks([])
        axes.set_yticks([])
    return axes


def _places(problem: Problem) -> list[tuple[float, float]]:
    """Where nodes are drawn, east first: at their points, or around a circle."""
    points = problem.points
    if points is not None:
        return [(east, north) for north, east in points]
    turns = (2 * math.pi * node / problem.nodes for node in range(problem.nodes))
    return [(math.sin(turn), math.cos(turn)) for turn in turns]


def _columns(places: list[tuple[float, float]], nodes: list[int]) -> tuple[list[float], list[float]]:
    return [places[node][0] for node in nodes], [places[node][1] for node in nodes]


def _aspect(problem: Problem, places: list[tuple[float, float]]) -> float:
    if problem.points is None or problem.units["distance"] not in _ON_EARTH:
        return 1.0
    middle = sum(north for _, north in places) / len(places)
    return 1 / max(0.01, math.cos(math.radians(middle)))
