"""Solving."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Literal, Mapping, Optional, Union, overload

from . import _model, _parts, _plan, _radar
from ._errors import RadarError, bad_input
from ._files import PathLike
from ._model import Model
from ._problem import Problem, problem_of, stated
from ._solution import Solution
from ._wishes import Method, Minimise, wishes


def solve(
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
    time_limit: Optional[float] = 1.0,
    steps: Optional[int] = None,
    seed: int = 0,
    method: Method = "auto",
    model: Union[Model, PathLike, None] = None,
    warm: Any = None,
    freeze: Any = None,
    starts: Optional[int] = None,
    augment: Optional[int] = None,
    searches: Optional[int] = None,
    minimise: Minimise = "distance",
    allow_unserved: bool = False,
    on_progress: Optional[Callable[[dict[str, Any]], object]] = None,
) -> Solution:
    """Solves a problem: a matrix and what else it has (see `Problem`), or a `Problem`.

    - `time_limit`: seconds of wall time; a proof ends the work at once. None is no clock: then `steps` (or the default
      number of them) end it, and the same problem, options and seed give the same plan: with `steps` on every machine,
      without on every one of a kind, for a network may go first.
    - `steps`: how many steps a search takes at most. `searches`: how many run side by side and exchange their best.
    - `method`: ``"auto"``, ``"search"``, ``"construct"`` (classical construction) or ``"neural"`` (the network `model`:
      a `Model` or the path of one, else the one that comes along, from `starts` nodes, of routes the likeliest
      first stops, of `augment` sketches). With ``"auto"``, a `model` goes before
      the search, which starts from its plan and hears how sure it is of every arc; without one, the network that comes
      along does where it is worth its time.
    - `warm`: a plan to start from (routes by number or id, a `Solution`, or the path of a plan file); a tour may begin
      at any of its nodes. The answer is never worse, and is the plan itself if nothing better is found; stops that it
      leaves out are put in. A `Solution` of another problem is taken by id where both have ids, else by number.
    - `freeze`: routes under way, as a pair: a plan, and how many stops at the beginning of each of its routes stay.
      The bound is one for plans that keep them, and so are the gap and the proof.
    - `minimise`: the matrix that costs are summed from; every constraint stays as it is.
    - `allow_unserved`: serve what can be served when not every stop can.
    - Options that the method would not hear (a `model` with ``"search"``, say) are refused.
    - `on_progress`: called on this thread with a dictionary for every event (``"started"``, ``"incumbent"``,
      ``"bound"``). Returning False ends the work with the best so far; an exception ends it and is raised.

    Ctrl-C ends the work too and returns the best so far. Raises `InputError` when something given is wrong and
    `InfeasibleError` when no plan serves every stop, or none was found.

    >>> tour = solve([[0, 1, 9], [9, 0, 1], [1, 9, 0]])
    >>> tour.routes, tour.cost, tour.optimal
    ([[0, 1, 2]], 3.0, True)
    >>> solve([[0, 1, 9], [9, 0, 1], [1, 9, 0]], demand=[0, 2, 2], capacity=3).routes
    [[1], [2]]
    """
    problem = stated(
        distance,
        {
            "demand": demand,
            "capacity": capacity,
            "backhaul": backhaul,
            "windows": windows,
            "service": service,
            "duration": duration,
            "limit": limit,
            "open": open,
            "vehicles": vehicles,
            "max_duration": max_duration,
            "priority": priority,
            "points": points,
            "ids": ids,
            "kind": kind,
            "name": name,
            "units": units,
        },
    )
    if warm is not None and freeze is not None:
        raise bad_input(
            "given-twice",
            "warm and freeze are both plans to start from",
            "give one: what freeze does not keep is a start, too",
        )
    heard = _parts.callback("on_progress", on_progress)
    native = _radar.solve(
        problem._native,
        wishes(time_limit, steps, searches, seed, method, model, starts, augment, minimise, allow_unserved, freeze),
        None if warm is None else _plan.routes(warm, problem),
        None if freeze is None else _plan.frozen(freeze, problem),
        _model.given(model),
        heard,
    )
    return Solution._of(native, problem)


@overload
def solve_many(
    problems: Iterable[Problem],
    *,
    workers: Optional[int] = ...,
    on_done: Optional[Callable[[int, int], object]] = ...,
    errors: Literal["raise"] = ...,
    time_limit: Optional[float] = ...,
    steps: Optional[int] = ...,
    seed: int = ...,
    method: Method = ...,
    model: Union[Model, PathLike, None] = ...,
    starts: Optional[int] = ...,
    augment: Optional[int] = ...,
    searches: Optional[int] = ...,
    minimise: Minimise = ...,
    allow_unserved: bool = ...,
) -> list[Solution]: ...


@overload
def solve_many(
    problems: Iterable[Problem],
    *,
    workers: Optional[int] = ...,
    on_done: Optional[Callable[[int, int], object]] = ...,
    errors: Literal["return"],
    time_limit: Optional[float] = ...,
    steps: Optional[int] = ...,
    seed: int = ...,
    method: Method = ...,
    model: Union[Model, PathLike, None] = ...,
    starts: Optional[int] = ...,
    augment: Optional[int] = ...,
    searches: Optional[int] = ...,
    minimise: Minimise = ...,
    allow_unserved: bool = ...,
) -> list[Union[Solution, RadarError]]: ...


def solve_many(
    problems: Iterable[Problem],
    *,
    workers: Optional[int] = None,
    on_done: Optional[Callable[[int, int], object]] = None,
    errors: Literal["raise", "return"] = "raise",
    time_limit: Optional[float] = 1.0,
    steps: Optional[int] = None,
    seed: int = 0,
    method: Method = "auto",
    model: Union[Model, PathLike, None] = None,
    starts: Optional[int] = None,
    augment: Optional[int] = None,
    searches: Optional[int] = None,
    minimise: Minimise = "distance",
    allow_unserved: bool = False,
) -> Union[list[Solution], list[Union[Solution, RadarError]]]:
    """Solves many problems on all cores (or `workers` of them), each with the options given; order is kept.

    `on_done` is called on this thread with the number of a problem and how many are done; returning False ends the
    work, and so does Ctrl-C: what was begun has its best so far, what was not is an `Interrupted`.

    When all are done, the first problem without an answer raises its error, with the problem's number. Nothing is lost
    by that: `RadarError.answers` has the answers of all others, in their places. With ``errors="return"`` errors stand
    in the places of the answers instead, and nothing is raised.

    >>> import radar
    >>> tours = radar.generate("tmat", 10, count=3)
    >>> [tour.optimal for tour in solve_many(tours)]
    [True, True, True]
    """
    _parts.choice("errors", errors, ("raise", "return"))
    heard = _parts.callback("on_done", on_done)
    every = [problem_of(problem) for problem in _parts.several("problems", problems, "problems")]
    answers = _radar.solve_many(
        [problem._native for problem in every],
        wishes(time_limit, steps, searches, seed, method, model, starts, augment, minimise, allow_unserved),
        _model.given(model),
        None if workers is None else _parts.count("workers", workers),
        heard,
    )
    done = [_outcome(answer, problem) for answer, problem in zip(answers, every)]
    if errors == "raise":
        for number, outcome in enumerate(done):
            if isinstance(outcome, RadarError):
                raised = outcome.within(f"problem {number}")
                raised.answers = [outcome if isinstance(outcome, Solution) else None for outcome in done]
                raise raised
    return done


def _outcome(answer: Union[_radar.Solution, Exception], problem: Problem) -> Union[Solution, RadarError]:
    if isinstance(answer, _radar.Solution):
        return Solution._of(answer, problem)
    if isinstance(answer, RadarError):
        return answer
    raise answer
