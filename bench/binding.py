"""What the Python binding costs: time above the Rust call, and memory above the solver's own.

Run with the package installed: python bench/binding.py
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np

import radar

CALLS = 300
NODES = 3000


def resident() -> float:
    """Megabytes that this process holds."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def overhead() -> list[float]:
    """Milliseconds of each call above what the library says the solve took, on ATSP100."""
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


def copies(matrix: np.ndarray) -> float:
    """How much memory a problem takes, as a share of its matrix."""
    before = resident()
    problem = radar.Problem(matrix)
    taken = resident() - before
    assert problem.nodes == len(matrix)
    return taken / (matrix.nbytes / 1e6)


def main() -> int:
    above = sorted(overhead())
    median, worst = statistics.median(above), above[int(0.99 * len(above))]
    print(f"above the Rust call, ATSP100, {len(above)} calls: median {median:.3f} ms, p99 {worst:.3f} ms (at most 1 ms)")
    matrix = np.random.default_rng(1).uniform(1, 100, (NODES, NODES))
    double, whole = copies(matrix), copies(matrix.astype(np.int64))
    print(f"memory of a problem of {NODES} nodes: {double:.2f} times a float64 matrix, {whole:.2f} times an int64 one (at most 1.05)")
    met = median <= 1.0 and double <= 1.05 and whole <= 1.05
    print("met" if met else "missed")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
