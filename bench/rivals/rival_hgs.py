"""HGS-CVRP through hygese: capacity, open routes (nothing to pay into the depot) and limit.

Entries are divided by a hundred because large ones crash it; its clock is CPU time.
"""

from importlib.metadata import version

import hygese
import numpy

VERSION = "HGS (hygese " + version("hygese") + ")"

DIVISOR = 100.0
ENDLESS = 2**31 - 1


def solve(problem, clock, seed):
    if problem.tour or problem.has_backhaul or problem.windows is not None:
        raise RuntimeError("capacity, open routes and limit only")
    data = {
        "distance_matrix": problem.way(problem.distance) / DIVISOR,
        "demands": numpy.array(problem.demand, dtype=float),
        "vehicle_capacity": problem.capacity,
        "num_vehicles": problem.vehicles(),
    }
    if problem.limit is not None:
        data["duration_limit"] = problem.limit / DIVISOR
    parameters = hygese.AlgorithmParameters(timeLimit=clock.left(), seed=seed, nbIter=ENDLESS)
    return hygese.Solver(parameters=parameters, verbose=False).solve_cvrp(data).routes
