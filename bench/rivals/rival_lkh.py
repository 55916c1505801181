"""LKH through elkai: the tour only. It takes no time limit: one run, and it counts where it ended in time."""

from importlib.metadata import version

import elkai

VERSION = "LKH (elkai " + version("elkai") + ")"


def solve(problem, clock, seed):
    if not problem.tour:
        raise RuntimeError("tours only")
    tour = elkai.DistanceMatrix(problem.distance.tolist()).solve_tsp(runs=1)
    depot = tour.index(0)
    return [tour[depot:-1] + tour[:depot]]
