"""Many problems over a Ray cluster: ``radar.ray.solve(problems, "answers", steps=20000, time_limit=None)``.

Ray starts and watches the processes (see `radar._workers`); only the driver touches the folder of answers, so workers
need this package and nothing else: no shared disk. It is not imported by ``import radar``, and Ray only when used.
"""

from __future__ import annotations

import inspect
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union

from . import _parts
from ._errors import Message, RadarError, bad_input
from ._files import PathLike, text_path
from ._model import Model
from ._optional import needed
from ._outcomes import Outcomes, digest
from ._problem import Problem
from ._solve import solve_many
from ._source import Entry, Key, batches, entries, is_dataset
from ._workers import Workers

__all__ = ["Incomplete", "Summary", "solve"]


@dataclass(frozen=True)
class Summary:
    """What became of a batch: every problem is one of `solved`, `refused` and `skipped`.

    `skipped` were in the folder already; `replaced` is how many workers died and made place for others; `keys` are
    those of all problems, in the order of the source.
    """

    folder: Path
    solved: int
    refused: int
    skipped: int
    replaced: int
    seconds: float
    keys: tuple[str, ...] = field(repr=False)

    def answers(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Keys and answers (in the wire form) of all that have one; each is read when it is asked for."""
        outcomes = Outcomes(self.folder)
        return ((key, answer) for key in self.keys if (answer := outcomes.answer(key)) is not None)

    def failures(self) -> Iterator[tuple[str, list[Message]]]:
        """Keys of all that were refused, and why; each is read when it is asked for."""
        outcomes = Outcomes(self.folder)
        return ((key, failure) for key in self.keys if (failure := outcomes.failure(key)) is not None)


class Incomplete(RadarError):
    """Workers died of some problems (`keys`) again and again. Everything else is in the folder."""

    def __init__(self, messages: Sequence[Message], keys: Sequence[str]) -> None:
        super().__init__(messages)
        self.keys = list(keys)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.messages, self.keys)


def solve(
    dataset: Any,
    output: PathLike,
    *,
    actors: Union[int, tuple[int, Optional[int]]] = (1, None),
    cpus_per_actor: float = 1,
    retries: int = 3,
    batch: int = 1,
    key: Optional[Key] = None,
    on_done: Optional[Callable[[str, int], object]] = None,
    **options: Any,
) -> Summary:
    """Solves many problems on a Ray cluster: the one that ``ray.init`` was told of, or this machine.

    - `dataset`: an iterable of problems or of pairs (key, problem), which is asked for more only when a worker is
      free; a path, folder or pattern of problem files, or several; or a ``ray.data.Dataset`` with a column ``problem``
      (a `Problem` or its JSON), or with one column for each part of a problem (``distance``, ``demand``, ...).
    - `key`: what problems are called. Unless said: the number in an iterable (``000017``), the name of a file
      (``city``, and ``city#0`` for the first of several in it), the column ``key`` of a Dataset. A text names another
      column; a function is called with each problem.
    - `output`: a folder, which gets ``answers/KEY.json`` for a problem that is solved and ``failures/KEY.json`` for one
      that is refused. What is there is not solved again: give the same folder to go on after an interruption. An
      outcome of another problem that had the same key is refused (``other-problem``).
    - `actors`: how many workers there are, or the fewest and the most; None is as many as the cluster has cores for.
      More are started while problems wait, and given back when they do not. A cluster that adds machines when they are
      asked for needs to be told the most: ``(1, 64)``.
    - `batch`: problems a call; more than one pays when they take milliseconds.
    - `retries`: how often problems whose worker died go to another one.
    - `on_done`: called with every key and how many are done.
    - `options`: those of `solve_many`. With ``time_limit=None``, answers follow from the problems, the options and the
      seed alone, whoever died meanwhile.

    A problem that is refused is a result. Raises `Incomplete` at the end when a problem has none because every worker
    that had it died.

    >>> import tempfile, radar, radar.ray
    >>> tours = {f"day {day}": radar.generate("tmat", 8, first=day) for day in range(3)}
    >>> summary = radar.ray.solve(tours, tempfile.mkdtemp(), actors=1, time_limit=None)  # doctest: +SKIP
    >>> summary.solved, [key for key, answer in summary.answers()]  # doctest: +SKIP
    (3, ['day 0', 'day 1', 'day 2'])
    """
    began = time.monotonic()
    least, most = _span(actors)
    retries, batch = _parts.whole("retries", retries), _parts.count("batch", batch)
    cores = _parts.number("cpus_per_actor", cpus_per_actor)
    if not 0 < cores < float("inf"):
        raise bad_input("bad-option", f"cpus_per_actor is {cores}", "give cores above 0")
    heard = _parts.callback("on_done", on_done)
    _refuse_unknown(options)
    options.setdefault("workers", max(1, int(cores)))
    # Options that would be refused are refused here, before a cluster is troubled with them.
    solve_many([], errors="return", **options)
    if options.get("model") is not None and not isinstance(options["model"], Model):
        # Read once and here: workers may be on machines that do not have the file.
        options["model"] = Model.load(options["model"])
    # What is refused leaves no folder behind, which would be that of these options.
    found = entries(dataset, key)
    needed("ray", "radar.ray")
    outcomes = Outcomes(Path(text_path(output)))
    outcomes.open(options)

    # All that were drawn, and what tells each from others that may have had its key.
    keys: dict[str, str] = {}
    counts = {"solved": 0, "refused": 0, "skipped": 0}

    def done(key: str, how: str) -> None:
        counts[how] += 1
        if heard is not None:
            heard(key, sum(counts.values()))

    def keep(key: str, outcome: Union[str, RadarError]) -> None:
        outcomes.keep(key, keys[key], outcome)
        done(key, "solved" if isinstance(outcome, str) else "refused")

    def to_solve() -> Iterator[Entry]:
        for name, problem in found:
            if name in keys:
                raise bad_input("duplicate-key", f"two problems are called `{name}`", "give each a key of its own")
            keys[name] = digest(problem)
            if outcomes.has(name, keys[name]):
                done(name, "skipped")
            elif isinstance(problem, Problem):
                yield name, problem
            else:
                keep(name, problem)

    workers = Workers(options, least, most, cores, retries, keep, reading=is_dataset(dataset))
    try:
        for together in batches(to_solve(), batch):
            workers.submit(together)
        workers.drain()
    finally:
        workers.close()
    # What counts is what is in the folder, not what anybody remembers.
    missing = [name for name in keys if not outcomes.is_there(name)]
    if missing:
        raise _incomplete(missing, retries)
    return Summary(outcomes.folder, **counts, replaced=workers.died, seconds=time.monotonic() - began, keys=tuple(keys))


def _refuse_unknown(options: Mapping[str, Any]) -> None:
    """Options that there are not, in the words of Python but with the name of what was called."""
    known = set(inspect.signature(solve_many).parameters) - {"problems", "errors"}
    for name in options:
        if name not in known:
            raise TypeError(f"radar.ray.solve() got an unexpected keyword argument {name!r}")


def _span(actors: Any) -> tuple[int, Optional[int]]:
    """The fewest workers, and the most."""
    pair = actors if isinstance(actors, tuple) else (actors, actors)
    if len(pair) != 2:
        raise bad_input("bad-option", f"actors is {_parts.shown(actors)}", "give how many, or (fewest, most)")
    least, most = _parts.count("actors", pair[0]), None if pair[1] is None else _parts.count("actors", pair[1])
    if most is not None and most < least:
        raise bad_input("bad-option", f"actors is {_parts.shown(actors)}", "give the fewest first")
    return least, most


def _incomplete(missing: list[str], retries: int) -> Incomplete:
    shown = ", ".join(missing[:10]) + (f" and {len(missing) - 10} more" if len(missing) > 10 else "")
    cause = f"{len(missing)} of the problems have no answer, {retries + 1} workers died of each: {shown}"
    action = "see Ray's logs why (memory?); all else is in the folder, and another run tries these again"
    return Incomplete([Message("error", "workers-died", cause, action)], missing)
