"""Plans and stops as people name them: by number, by id, in a file, or as an earlier answer."""

from __future__ import annotations

import os
from typing import Any, Optional, Union

from . import _parts
from ._errors import InputError, bad_input
from ._problem import Problem, numbers
from ._solution import Solution

Routes = list[list[int]]


def routes(plan: Any, problem: Problem) -> Routes:
    """The routes of a plan: a `Solution`, the path of a plan file, or lists of nodes by number or id."""
    if isinstance(plan, Solution):
        plan = _answered(plan, problem)
    if isinstance(plan, (str, os.PathLike)):
        from ._files import read_plan

        return read_plan(plan, problem)
    ids = _ids(problem)
    return [[_node(node, problem, ids) for node in _visits(route)] for route in _visits(plan)]


def frozen(freeze: Any, problem: Problem) -> tuple[Routes, list[int]]:
    """Routes under way: a pair of a plan and how many stops of each of its routes stay."""
    try:
        plan, lengths = freeze
    except (TypeError, ValueError):
        raise bad_input(
            "wrong-type", "freeze is no pair", "give (routes, lengths): how many stops of each route stay"
        ) from None
    begun = routes(plan, problem)
    listed = _parts.several("freeze[1]", lengths, "numbers, one per route")
    stay = [_parts.whole(f"freeze[1][{at}]", length) for at, length in enumerate(listed)]
    if len(stay) != len(begun):
        raise bad_input(
            "wrong-length", f"freeze has {len(stay)} lengths for {len(begun)} routes", "give one number per route"
        )
    return begun, stay


def stop(named: Any, problem: Problem) -> int:
    """A stop by its id or its number."""
    try:
        node = _node(named, problem, _ids(problem))
    except InputError:
        # A text of more digits is no number of a node, and Python would not make one of thousands.
        is_number = isinstance(named, str) and named.isdecimal() and len(named) < 20
        node = int(named) if is_number else problem.nodes
    if node >= problem.nodes:
        raise bad_input(
            "unknown-stop",
            f"no stop has the id or number {_parts.shown(named)}",
            f"give an id, or {numbers(problem.nodes, 1)}",
        )
    if node == 0 and problem.kind == "vrp":
        raise bad_input("depot-is-no-stop", f"{_parts.shown(named)} is the depot", "give a stop")
    return node


def _answered(solution: Solution, problem: Problem) -> Union[Routes, list[list[str]]]:
    """The routes of an answer, maybe to another problem: there a number is another stop, an id is the same one."""
    theirs, ours = solution.problem.ids, problem.ids
    if theirs is None or ours is None or theirs == ours:
        return solution.routes
    known = set(ours)
    gone = [_parts.shown(stop) for route in solution.route_ids for stop in route if stop not in known]
    if gone:
        more = f" and {len(gone) - 5} more" if len(gone) > 5 else ""
        raise bad_input(
            "unknown-node",
            f"the plan visits {', '.join(gone[:5])}{more}, which the problem does not have",
            "leave out what is gone: [[id for id in route if id in problem.ids] for route in solution.route_ids]",
        )
    return solution.route_ids


def _ids(problem: Problem) -> dict[str, int]:
    return {label: node for node, label in enumerate(problem.ids or [])}


def _node(named: Any, problem: Problem, ids: dict[str, int]) -> int:
    node: Optional[int] = ids.get(named) if isinstance(named, str) else _parts.whole("a node", named)
    if node is None or node >= problem.nodes:
        raise bad_input(
            "unknown-node",
            f"the plan visits {_parts.shown(named)}, which the problem does not have",
            f"give {numbers(problem.nodes)}" + (", or an id" if ids else "; the problem has no ids"),
        )
    return node


def _visits(listed: Any) -> list[Any]:
    return _parts.several("a plan, or a part of it,", listed, "routes, each a list of nodes")
