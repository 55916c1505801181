"""Verdicts on plans, and explanations."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Mapping, Optional

import numpy as np

from . import _parts, _plan, _radar
from ._errors import Message, message
from ._problem import Problem, problem_of
from ._schedule import Route, route


@dataclass(frozen=True)
class Violation:
    """A clause that a plan breaks: on which route, where, at which node and by how much, as far as that applies.

    `route`, `position` and `node` are counted from 0; `text` is for people and counts routes from 1.
    """

    clause: str
    route: Optional[int]
    position: Optional[int]
    node: Optional[int]
    excess: Optional[float]
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Verdict:
    """Whether a plan holds, what it costs (None where an arc cannot be driven), and everything it breaks.

    It is true when the plan holds.
    """

    feasible: bool
    cost: Optional[float]
    violations: list[Violation]
    schedule: list[Route]

    def __bool__(self) -> bool:
        return self.feasible


@dataclass(frozen=True)
class Explanation:
    """What is in the way of a stop or a plan (`blocked`), and the least changes that are each `enough` to admit it.

    `subject` says what it is about, `do` what to do. Where it is a finding about the problem as a whole, such as a
    fleet that is too small, `finding` has it.
    """

    subject: str
    fits: bool
    headline: str
    blocked: tuple[str, ...] = ()
    enough: tuple[str, ...] = ()
    do: tuple[str, ...] = ()
    finding: Optional[Message] = None

    def __str__(self) -> str:
        lines = [f"blocked: {reason}" for reason in self.blocked] + [f"enough: {change}" for change in self.enough]
        lines += [f"do: {advice}" for advice in self.do]
        return "\n  ".join([self.headline, *lines])


def check(problem: Problem, routes: Any) -> Verdict:
    """Judges any plan, independently of what made it: routes by number or id, a `Solution`, or a plan file.

    A `Solution` of another problem is taken by id where both have ids, else by number.

    >>> import radar
    >>> problem = radar.Problem([[0, 1, 9], [9, 0, 1], [1, 9, 0]], demand=[0, 2, 2], capacity=3)
    >>> bool(check(problem, [[1], [2]]))
    True
    >>> [violation.clause for violation in check(problem, [[1, 2]]).violations]
    ['delivery-overload']
    """
    native = problem_of(problem)._native
    said = json.loads(_radar.check(native, _plan.routes(routes, problem)))
    violations = [Violation(**violation) for violation in said["violations"]]
    return Verdict(said["feasible"], said["cost"], violations, [route(entry) for entry in said["schedule"]])


def explain(problem: Problem, routes: Any = None, stops: Any = None) -> list[Explanation]:
    """Says what blocks a stop or a plan, and the least change that would admit it, confirmed by the checker.

    With `routes`: why the plan is refused, and where stops that it leaves out would fit. With `stops` (by id or
    number): why these cannot be served. With neither: every stop that no plan can serve.

    >>> import radar
    >>> problem = radar.Problem([[0, 1, 9], [9, 0, 1], [1, 9, 0]], demand=[0, 2, 5], capacity=3)
    >>> [explanation] = explain(problem)
    >>> explanation.fits, explanation.enough
    (False, ('capacity +2, on a new route',))
    """
    native = problem_of(problem)._native
    plan = None if routes is None else _plan.routes(routes, problem)
    named = [stops] if isinstance(stops, (str, int, np.integer)) else () if stops is None else stops
    numbers = [_plan.stop(stop, problem) for stop in _parts.several("stops", named, "ids or numbers")]
    said = json.loads(_radar.explain(native, plan, numbers))
    return [_explanation(item) for item in said]


def _explanation(item: Mapping[str, Any]) -> Explanation:
    if "code" in item:
        finding = message(item)
        return Explanation("problem", False, finding.cause, (finding.cause,), (), (finding.action,), finding)
    blocked, enough, advice = (tuple(item.get(key, ())) for key in ("blocked", "enough", "do"))
    return Explanation(item["subject"], item["fits"], item["headline"], blocked, enough, advice)
