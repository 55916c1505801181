"""One rival under one clock: a job per line comes in, an answer per line goes out.

A job is {"problem": path, "digest": text, "budget": seconds, "seed": number}; an answer {"routes", "seconds"} or {"error"}.
The first line out says which version of the rival answers, or why it cannot.
"""

import importlib
import json
import os
import sys
import time
from functools import lru_cache

from problem import Problem


class Clock:
    """CPU seconds of this process since the problem was in memory."""

    def __init__(self, budget, stretch):
        self.budget = budget
        self.stretch = stretch
        self.begun = time.process_time()
        self.begun_wall = time.perf_counter()

    def spent(self):
        return time.process_time() - self.begun

    def left(self):
        """CPU seconds left of the budget; never none, because to most rivals 0 means no limit."""
        return max(self.budget - self.spent(), 0.001)

    def wall_left(self):
        """The same for rivals that only look at the wall, on a machine that is busy with other things too."""
        return self.left() * self.stretch

    def share(self):
        """How much of the core this process had."""
        return self.spent() / (time.perf_counter() - self.begun_wall)


def attempt(rival, problem, clock, seed):
    """Routes or what went wrong."""
    try:
        return [[int(stop) for stop in route] for route in rival.solve(problem, clock, seed) if len(route)], None
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"


def solve(rival, problem, budget, seed):
    """An answer to one job.

    A rival that only looks at the wall has lost time when the machine was busy: it gets a second, longer run, which
    counts when it used more of the budget and left it by no more than a tenth.
    """
    clock = Clock(budget, 1.0)
    routes, error = attempt(rival, problem, clock, seed)
    seconds, share = clock.spent(), clock.share()
    if share < 0.95 and seconds < 0.95 * budget and getattr(rival, "LOOKS_AT_THE_WALL", False):
        clock = Clock(budget, min(1.0 / share, 4.0))
        again = attempt(rival, problem, clock, seed)
        if seconds < clock.spent() <= 1.1 * budget:
            (routes, error), seconds = again, clock.spent()
    return {"routes": routes, "seconds": seconds} if error is None else {"error": error, "seconds": seconds}


def main():
    # Rivals print as they please: what they print goes to stderr, answers go to the real stdout.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**values):
        print(json.dumps(values), file=answers, flush=True)

    try:
        rival = importlib.import_module(sys.argv[1])
    except Exception as error:
        answer(error=f"{type(error).__name__}: {error}")
        return
    answer(version=rival.VERSION)
    # The instances of a cell come again for every budget.
    read = lru_cache(maxsize=32)(lambda path, _: Problem.read(path))
    for line in sys.stdin:
        job = json.loads(line)
        answer(**solve(rival, read(job["problem"], job["digest"]), job["budget"], job["seed"]))


if __name__ == "__main__":
    main()
