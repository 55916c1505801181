"""What the Python binding costs: time above the Rust call, and memory above the solver's own.

Run with the package installed, on Linux: python bench/binding.py
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np

import radar

CALLS = 300
NODES = 3000


def memory(what: str) -> float:
    """Megabytes of this process: `VmRSS` now, `VmHWM` at most since it was last forgotten."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(f"{what}:")) * 1024 / 1e6


def forget_peak() -> None:
    """Begins the count of `VmHWM` anew."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def overhead() -> list[float]:
    """Milliseconds of each call above the Rust call itself, on ATSP100: from a matrix to routes and a cost."""
    above = []
    for problem in radar.generate("tmat", n=100, seed=7, count=20):
        matrix = problem.distance
        for _ in range(CALLS // 20):
            begun = time.perf_counter()
            solution = radar.solve(matrix, time_limit=1.0)
            routes, cost = solution.routes, solution.cost
            wall = time.perf_counter() - begun
            assert routes and cost > 0
            above.append(1e3 * (wall - solution.timings["total"]))
    return above


def again() -> tuple[float, float]:
    """Median milliseconds of a first solve of ATSP100, which validates the problem, and of a second, which need not."""
    first, second = [], []
    for problem in radar.generate("tmat", n=100, seed=8, count=40):
        for seconds in (first, second):
            begun = time.perf_counter()
            radar.solve(problem, time_limit=1.0)
            seconds.append(time.perf_counter() - begun)
    return 1e3 * statistics.median(first), 1e3 * statistics.median(second)


def copies(matrix: np.ndarray) -> float:
    """How much memory it takes at most to make a problem, as a share of its matrix: the median of three."""
    shares = []
    for _ in range(3):
        forget_peak()
        before = memory("VmRSS")
        problem = radar.Problem(matrix)
        shares.append((memory("VmHWM") - before) / (matrix.nbytes / 1e6))
        assert problem.nodes == len(matrix)
        del problem
    return statistics.median(shares)


def main() -> int:
    matrix = np.random.default_rng(1).uniform(1, 100, (NODES, NODES))
    double, whole = copies(matrix), copies(matrix.astype(np.int64))
    print(
        f"peak memory to make a problem of {NODES} nodes: {double:.2f} times a float64 matrix (at most 1.05), "
        f"{whole:.2f} times an int64 one (at most 0.55)"
    )
    above = sorted(overhead())
    median, worst = statistics.median(above), above[int(0.99 * len(above))]
    print(f"above the Rust call, ATSP100, {len(above)} calls: median {median:.3f} ms (at most 1), p99 {worst:.3f} ms")
    first, second = again()
    print(f"a whole solve, ATSP100: median {first:.2f} ms, again on the same problem {second:.2f} ms")
    met = median <= 1.0 and double <= 1.05 and whole <= 0.55
    print("met" if met else "missed")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
