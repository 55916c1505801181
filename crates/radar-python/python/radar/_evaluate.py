"""How good a network is on a set of problems."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields, replace
from statistics import fmean
from typing import Any, Iterable, Literal, Mapping, Optional, Sequence, Union, get_args

from . import _parts
from ._errors import InfeasibleError, Interrupted, Message, RadarError, bad_input
from ._files import PathLike
from ._model import Model
from ._optional import needed
from ._problem import Problem, problem_of
from ._solution import Solution
from ._solve import solve_many
from ._wishes import Minimise

References = Union[Sequence[Optional[float]], Mapping[str, float], Literal["solve"], None]


@dataclass(frozen=True)
class Result:
    """What came of one problem: its best checked plan, or an error in its place."""

    name: str
    variant: str
    nodes: int
    cost: Optional[float]
    reference: Optional[float]
    gap: Optional[float]
    routes: Optional[list[list[int]]]
    seconds: float
    error: Optional[RadarError]


@dataclass(frozen=True)
class Evaluation:
    """What came of a set of problems, in order."""

    results: list[Result]

    @property
    def cost(self) -> Optional[float]:
        """The mean cost over the problems that have a plan."""
        return _mean(result.cost for result in self.results)

    @property
    def gap(self) -> Optional[float]:
        """The mean of (cost - reference) / reference over the problems that have both."""
        return _mean(result.gap for result in self.results)

    @property
    def failed(self) -> int:
        """How many problems have an error in the place of a plan."""
        return sum(result.error is not None for result in self.results)

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row per problem."""
        columns = [field.name for field in fields(Result)]
        rows = [[getattr(result, column) for column in columns] for result in self.results]
        return needed("pandas", "to_frame").DataFrame(rows, columns=columns)

    def __repr__(self) -> str:
        gap = "" if self.gap is None else f", gap={round(self.gap, 4)}"
        failed = f", {self.failed} failed" if self.failed else ""
        return f"Evaluation({len(self.results)} problems{failed}, cost={self.cost}{gap})"


def evaluate(
    model: Union[Model, PathLike],
    problems: Union[Problem, Iterable[Problem]],
    references: References = None,
    *,
    temperature: Optional[float] = None,
    starts: Optional[int] = None,
    augment: int = 1,
    clip: Optional[float] = None,
    seed: int = 0,
    minimise: Minimise = "distance",
) -> Evaluation:
    """Decodes every problem and compares the best plan of each with its reference.

    `references` are costs in the order of the problems, a dictionary by their names, or ``"solve"``: then each is
    solved, too, to the optimum or for a second. The other options are those of `Model.decode`. A problem that the
    network cannot read has an error in its `Result`; where it can read none, ``wrong-task`` is raised. Ctrl-C raises
    `KeyboardInterrupt`: a part of the problems, or plans that were cut short, would be another result.

    >>> import radar
    >>> tours = radar.generate("tmat", 8, count=3)
    >>> report = evaluate(radar.Model.new({"preset": "small-atsp", "layers": 1}), tours, "solve")
    >>> len(report.results), report.gap >= 0
    (3, True)
    """
    network = model if isinstance(model, Model) else Model.load(model)
    # A set without problems has no plan to refuse this with.
    _parts.choice("minimise", minimise, get_args(Minimise))
    given = [problems] if isinstance(problems, Problem) else _parts.several("problems", problems, "problems")
    every = [problem_of(problem) for problem in given]
    known = _costs(every, references)
    results = []
    for number, problem in enumerate(every):
        began = time.perf_counter()
        try:
            plans = network.decode(problem, temperature, starts, augment, clip, seed, minimise)
            complete = [(plan.cost, plan.routes) for plan in plans if plan.cost is not None]
            cost, routes = min(complete, key=lambda plan: plan[0], default=(None, None))
            error: Optional[RadarError] = None if complete else _no_plan()
        except RadarError as refused:
            if refused.code == "bad-option" or isinstance(refused, Interrupted):
                # It is about the call, not about a problem.
                raise
            cost, routes, error = None, None, refused
        seconds = time.perf_counter() - began
        name = problem.name or f"#{number}"
        results.append(Result(name, problem.variant, problem.nodes, cost, None, None, routes, seconds, error))
    wrong = [result.error for result in results if result.error is not None and result.error.code == "wrong-task"]
    if wrong and len(wrong) == len(every):
        # It is about the network, not about a problem.
        raise wrong[0].within("none of the problems is for this network")
    # References take a second each: they are solved last, when the network is known to be of use.
    if known is None:
        known = _solved(every, minimise)
    return Evaluation(
        [
            replace(result, reference=reference, gap=_gap(result.cost, reference))
            for result, reference in zip(results, known)
        ]
    )


def _costs(problems: list[Problem], references: References) -> Optional[list[Optional[float]]]:
    """The reference of every problem, None where there is none; None instead of them where they are to be solved."""
    if references is None:
        return [None] * len(problems)
    if isinstance(references, str):
        if references != "solve":
            raise bad_input("bad-references", f"references is {references!r}", "give costs, or 'solve'")
        return None
    if isinstance(references, Mapping):
        if not any(problem.name in references for problem in problems):
            raise bad_input(
                "unmatched-references", "none of the references is called like a problem", "name them Problem.name"
            )
        return [_cost(references.get(problem.name or "")) for problem in problems]
    costs = _parts.several("references", references, "costs, in the order of the problems")
    if len(costs) != len(problems):
        raise bad_input(
            "wrong-length",
            f"there are {len(costs)} references for {len(problems)} problems",
            "give one per problem, None where there is none",
        )
    return [_cost(cost) for cost in costs]


def _solved(problems: list[Problem], minimise: Minimise) -> list[Optional[float]]:
    heard = 0

    def hear(number: int, done: int) -> None:
        nonlocal heard
        heard = done

    # What networks are measured by must not come from one.
    answers = solve_many(problems, method="search", errors="return", minimise=minimise, on_done=hear)
    if heard < len(problems):
        # After Ctrl-C nothing is told of any more. What was begun has an answer by then, but no reference.
        raise KeyboardInterrupt
    return [answer.cost if isinstance(answer, Solution) else None for answer in answers]


def _cost(reference: Optional[float]) -> Optional[float]:
    if reference is None:
        return None
    cost = _parts.number("a reference", reference)
    if not 0 <= cost < float("inf"):
        raise bad_input("bad-references", f"a reference is {cost}", "give a cost of at least 0, or None")
    return cost


def _gap(cost: Optional[float], reference: Optional[float]) -> Optional[float]:
    if cost is None or reference is None:
        return None
    if reference == 0:
        # Nothing is a fraction of zero, but a plan that costs nothing either is no worse.
        return 0.0 if cost == 0 else None
    return (cost - reference) / reference


def _mean(numbers: Iterable[Optional[float]]) -> Optional[float]:
    known = [number for number in numbers if number is not None]
    return fmean(known) if known else None


def _no_plan() -> InfeasibleError:
    cause = "none of the plans that the network built serves every stop"
    action = "decode from more starts or sketches, or solve by search"
    return InfeasibleError([Message("error", "no-complete-plan-found", cause, action)])
