"""Processes of Ray that solve, between a fewest and a most, each with one call at a time.

Ray Data has a pool of its own, which falls short in three ways. A problem that kills every process ends the run, with
the answers to all others unread. A killed process costs its whole block again. And a source is read ahead by bytes, so
that small problems are all drawn before the first answer. With one call at a time it is known what a process died of, whoever dies
costs one call, and the source is asked only when somebody is free.
"""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Union

from ._errors import InternalError, Interrupted, Message, RadarError, bad_input
from ._optional import needed
from ._problem import Problem
from ._solution import Solution
from ._solve import solve_many
from ._source import Entry

# A process beyond the fewest that nobody needed for so long is given back.
_IDLE_SECONDS = 30.0


@dataclass(frozen=True)
class _Call:
    """Problems that go to a process together, and how many have died of them."""

    entries: list[Entry]
    deaths: int = 0


class Worker:
    """What runs in a process: it knows neither the folder nor the other processes."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        # Ctrl-C is the driver's: here it would turn answers into what was found until then.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # The solver would take a thread per core of the machine, of which other workers have theirs.
        os.environ["RAYON_NUM_THREADS"] = str(options["workers"])
        self.options = options

    def ready(self) -> None:
        """Returns when the process is there."""

    def solve(self, problems: list[Problem]) -> list[Union[str, RadarError]]:
        """Answers as JSON, and the errors of those that are refused."""
        return [_outcome(solution) for solution in solve_many(problems, errors="return", **self.options)]


class Workers:
    """The pool. `keep` is called with every key and its outcome, on the thread of who calls."""

    def __init__(
        self,
        options: Mapping[str, Any],
        least: int,
        most: Optional[int],
        cpus: float,
        retries: int,
        keep: Callable[[str, Union[str, RadarError]], None],
        reading: bool,
    ) -> None:
        self._ray = needed("ray", "radar.ray")
        if not self._ray.is_initialized():
            self._ray.init()
        most_cores = max((node["Resources"].get("CPU", 0) for node in self._ray.nodes() if node["Alive"]), default=0)
        if cpus > most_cores:
            # A cluster that grows by itself may get such a machine yet.
            waiting = f"a worker asks for {cpus:g} cores, and no machine has more than {most_cores:g}"
            warnings.warn(f"{waiting}: nothing is solved before one comes (cpus_per_actor)", stacklevel=3)
        # Ray would start a process again by itself, and nobody would know what it had died of.
        self._worker = self._ray.remote(num_cpus=cpus, max_restarts=0, max_task_retries=0)(Worker)
        self._options, self._least, self._most, self._cpus = options, least, most, cpus
        self._retries, self._keep = retries, keep
        # Ray Data reads with tasks of its own, which would wait forever if processes held every core.
        self._spare = 1 if reading else 0
        self._waiting: deque[_Call] = deque()
        # Who was asked whether it is there, and whether it is new.
        self._asked: dict[Any, tuple[Any, bool]] = {}
        self._busy: dict[Any, tuple[Any, _Call]] = {}
        self._idle: list[tuple[float, Any]] = []
        self._stillborn = 0
        self.died = 0

    def submit(self, entries: list[Entry]) -> None:
        """Returns when a process has the problems: that is when more may be asked for."""
        self._waiting.append(_Call(entries))
        self._work(lambda: not self._waiting)

    def drain(self) -> None:
        """Returns when everything is done."""
        self._work(lambda: not self._waiting and not self._busy)

    def close(self) -> None:
        """Ends all processes."""
        busy, asked = self._busy.values(), self._asked.values()
        for worker in [worker for worker, _ in [*busy, *asked]] + [worker for _, worker in self._idle]:
            self._ray.kill(worker)

    def _work(self, enough: Callable[[], bool]) -> None:
        # A slow source comes by when processes are long done: they are free, and no others are needed.
        self._collect(wait=False)
        self._give()
        while not enough():
            self._grow()
            self._collect(wait=True)
            self._give()

    def _give(self) -> None:
        """Hands out what waits to who is free, and ends who has been free for long."""
        while self._waiting and self._idle:
            # Who was free last is called first, so that those who are not needed are seen to be.
            _, worker = self._idle.pop()
            call = self._waiting.popleft()
            self._busy[worker.solve.remote([problem for _, problem in call.entries])] = worker, call
        while self._idle and self._size() > self._least and time.monotonic() - self._idle[0][0] > _IDLE_SECONDS:
            self._ray.kill(self._idle.pop(0)[1])

    def _size(self) -> int:
        return len(self._asked) + len(self._busy) + len(self._idle)

    def _grow(self) -> None:
        """Starts processes while problems wait: at first the fewest, then as many again as there are."""
        if not self._waiting:
            return
        ready = len(self._busy) + len(self._idle)
        wanted = min(self._bound(), max(self._least, 2 * ready, 1))
        for _ in range(wanted - self._size()):
            self._ask(self._worker.remote(self._options), new=True)

    def _ask(self, worker: Any, new: bool) -> None:
        self._asked[worker.ready.remote()] = worker, new

    def _bound(self) -> int:
        """How many processes there may be now: a cluster may have grown."""
        if self._most is not None and not self._spare:
            return self._most
        room = int((self._ray.cluster_resources().get("CPU", 0) - self._spare) // self._cpus)
        if not self._spare:
            return max(room, self._least)
        if room < 1:
            raise bad_input(
                "no-core-left",
                "to read a Dataset takes a core, and a worker would hold all there are",
                "give Ray one more core, or fewer to a worker (cpus_per_actor)",
            )
        return room if self._most is None else min(room, self._most)

    def _collect(self, wait: bool) -> None:
        """Takes what has come: processes that are there, answers, deaths."""
        refs = [*self._asked, *self._busy]
        if not refs:
            return
        if wait:
            self._ray.wait(refs, num_returns=1)
        for ref in self._ray.wait(refs, num_returns=len(refs), timeout=0)[0]:
            if ref in self._asked:
                self._answered(ref)
            else:
                self._finished(ref)

    def _answered(self, ref: Any) -> None:
        worker, new = self._asked.pop(ref)
        try:
            self._ray.get(ref)
        except self._ray.exceptions.RayError as error:
            self._stillborn += new
            self.died += not new
            # A cluster on which none can start, such as one without this package, would be tried forever.
            if self._stillborn > self._retries:
                action = "see Ray's logs; every machine of the cluster needs this package"
                raise bad_input("no-worker", f"no worker could be started: {_first_line(error)}", action) from error
            return
        self._stillborn = 0
        self._idle.append((time.monotonic(), worker))

    def _finished(self, ref: Any) -> None:
        worker, call = self._busy[ref]
        try:
            outcomes = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:
            # Not the process but the program failed. That is nobody's to retry.
            if isinstance(error.cause, RadarError):
                raise error.cause from error
            action = "report it with Ray's log of the worker: it is a defect of RADAR"
            raise InternalError([Message("error", "worker-failed", _first_line(error.cause), action)]) from error
        except self._ray.exceptions.RayError:
            # Dead, or out of reach, or its answer went with its machine: it must not come back with it later.
            del self._busy[ref]
            self._ray.kill(worker)
            self.died += 1
            self._again(call)
            # Its machine may have died, and others with it: a call given to a dead process would look like its victim.
            while self._idle:
                self._ask(self._idle.pop()[1], new=False)
            return
        del self._busy[ref]
        self._idle.append((time.monotonic(), worker))
        for (key, _), outcome in zip(call.entries, outcomes):
            self._keep(key, outcome)

    def _again(self, call: _Call) -> None:
        """Problems whose process died go first, and each by itself: only the one that kills is to be given up."""
        if call.deaths < self._retries:
            self._waiting.extendleft(_Call([entry], call.deaths + 1) for entry in reversed(call.entries))


def _first_line(error: object) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)


def _outcome(solution: Union[Solution, RadarError]) -> Union[str, RadarError]:
    if isinstance(solution, Interrupted):
        raise solution
    return solution if isinstance(solution, RadarError) else solution.to_json()
