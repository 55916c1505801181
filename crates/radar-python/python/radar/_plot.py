"""Pictures with matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ._errors import bad_input
from ._optional import needed
from ._parts import shown

if TYPE_CHECKING:
    from ._problem import Problem
    from ._solution import Solution

# Lengths in these say that points are degrees, whose east is shorter than their north.
_ON_EARTH = ("m", "km", "mi")
# Names of more stops cover each other, and more rows have no room in a column of the legend.
_MOST_NAMES = 60
_MOST_ROWS = 20
# There are ten colours; what comes again is drawn in another way.
_STYLES = ("-", "--", ":", "-.")


def plot(solution: Solution, ax: Any = None, labels: Any = "auto") -> Any:
    """Draws routes, stops and depot; gives the axes."""
    problem = solution.problem
    named, places = _is_named(labels, problem), _places(problem)
    axes = _own_axes() if ax is None else _given_axes(ax)
    for number, visits in enumerate(solution.routes, start=1):
        way = visits if problem.kind == "atsp" else [0, *visits]
        way = way if problem.open else [*way, way[0]]
        stops = f"{len(visits)} stop{'' if len(visits) == 1 else 's'}"
        style = _STYLES[(number - 1) // 10 % len(_STYLES)]
        label = f"route #{number}: {stops}"
        [line] = axes.plot(*_columns(places, way), style, marker="o", markersize=3, linewidth=1.2, label=label)
        _arrows(axes, places, way, line.get_color())
    unserved = [stop.node for stop in solution.unserved]
    if unserved:
        axes.plot(*_columns(places, unserved), "x", color="red", label="not served")
    first = "depot" if problem.kind == "vrp" else "node 0"
    axes.plot(*_columns(places, [0]), "s", color="black", markersize=7, label=first, zorder=3)
    if named:
        for node, place in enumerate(places):
            axes.annotate(problem.label(node), place, (3, 3), textcoords="offset points", fontsize=7)
    # Beside the picture, where it hides no stop.
    columns = math.ceil(len(axes.get_lines()) / _MOST_ROWS)
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), ncol=columns, fontsize=7, frameon=False)
    gap = "" if solution.gap is None else f", gap {solution.gap:.2%}"
    axes.set_title(f"{problem.name or problem.variant}: cost {solution.cost:g}{gap}")
    axes.set_aspect(_aspect(problem, places))
    if problem.points is None:
        axes.set_xlabel("no points are known: nodes stand on a circle")
        axes.set_xticks([])
        axes.set_yticks([])
    return axes


def _own_axes() -> Any:
    """The axes that pyplot draws on, in a figure that leaves room for what stands beside them."""
    pyplot = needed("matplotlib.pyplot", "plot")
    figure = pyplot.gcf()
    if figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained")
    return pyplot.gca()


def _given_axes(ax: Any) -> Any:
    # A grid of axes, pyplot and a figure have only some of what is needed, as classes have.
    if isinstance(ax, type) or not all(hasattr(ax, name) for name in ("plot", "quiver", "annotate", "set_aspect")):
        raise bad_input("wrong-type", f"ax is {shown(ax)}", "give the axes of matplotlib to draw on, or None")
    return ax


def _is_named(labels: Any, problem: Problem) -> bool:
    if isinstance(labels, str) and labels == "auto":
        return problem.nodes - 1 <= _MOST_NAMES
    if not isinstance(labels, bool):
        raise bad_input("bad-option", f"labels is {shown(labels)}", "say True, False or 'auto'")
    return labels


def _arrows(axes: Any, places: list[tuple[float, float]], way: list[int], color: Any) -> None:
    """An arrow in the middle of every leg, each of the same length."""
    arrows = []
    for (x, y), (to_x, to_y) in ((places[node], places[then]) for node, then in zip(way, way[1:])):
        length = math.hypot(to_x - x, to_y - y)
        if length > 0:
            arrows.append(((x + to_x) / 2, (y + to_y) / 2, (to_x - x) / length, (to_y - y) / length))
    if arrows:
        head = {"headwidth": 4.5, "headlength": 5, "headaxislength": 5}
        axes.quiver(*zip(*arrows), angles="xy", pivot="mid", scale=45, width=0.004, color=color, **head)


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
