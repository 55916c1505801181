"""What a problem takes of the driver's CPU time when Ray solves it: python bench/ray_driver.py (needs radar-routing and Ray)."""

from __future__ import annotations

import logging
import tempfile
import time

import ray

import radar
import radar.ray

# Nodes, problems, problems a call.
ROWS = [(10, 200, 1), (10, 200, 50), (100, 100, 1), (100, 100, 20), (500, 20, 1)]


def milliseconds(problems: list[radar.Problem], folder: str, batch: int) -> float:
    """CPU time of this process a problem: workers are others, and so are Ray's servers."""
    began = time.process_time()
    radar.ray.solve(problems, folder, actors=2, batch=batch, method="construct", time_limit=None)
    return (time.process_time() - began) / len(problems) * 1e3


def main() -> None:
    ray.init(num_cpus=2, log_to_driver=False, logging_level=logging.ERROR)
    print("| nodes | problems a call | solved, ms | passed over, ms |\n|---:|---:|---:|---:|")
    for nodes, count, batch in ROWS:
        problems = [radar.generate("tmat", nodes, first=index) for index in range(count)]
        with tempfile.TemporaryDirectory() as folder:
            solved = milliseconds(problems, folder, batch)
            passed = milliseconds(problems, folder, batch)
        print(f"| {nodes} | {batch} | {solved:.1f} | {passed:.1f} |")


if __name__ == "__main__":
    main()
