"""VROOM: open routes, limit and windows as its own; the order of backhauls only by cost.

`_solve`, because the public `solve` of some releases raises when given a timeout.
"""

from datetime import timedelta
from importlib.metadata import version

import numpy
import vroom

VERSION = "VROOM " + version("pyvroom")
LOOKS_AT_THE_WALL = True

# The most it searches; the timeout ends it sooner.
EXPLORATION = 5


def solve(problem, clock, seed):
    whole = lambda matrix: vroom._vroom.Matrix(numpy.ascontiguousarray(matrix, dtype=numpy.uint32))
    given = vroom.Input()
    given.set_durations_matrix("car", whole(problem.duration))
    given.set_distances_matrix("car", whole(problem.distance))
    given.set_costs_matrix("car", whole(problem.cost_with_order(problem.distance)))
    given.add_vehicle([vehicle(problem, number) for number in range(problem.vehicles())])
    given.add_job([job(problem, stop) for stop in range(1, problem.nodes)])
    timeout = timedelta(seconds=clock.wall_left())
    plan = given._solve(exploration_level=EXPLORATION, nb_threads=1, timeout=timeout)
    steps = numpy.asarray(plan._routes_numpy())
    routes = [[] for _ in range(problem.vehicles())]
    for number, kind, stop in zip(steps["vehicle_id"], steps["type"].astype("U9"), steps["id"]):
        if kind == "job":
            routes[number].append(stop)
    return [[0, *routes[0]]] if problem.tour else routes


def vehicle(problem, number):
    limits = {}
    if problem.capacity is not None:
        limits["capacity"] = [problem.capacity]
    if problem.limit is not None:
        limits["max_distance"] = problem.limit
    if problem.windows is not None:
        # The depot's close binds only those who return.
        opens, closes = problem.windows[0]
        late = max(close + time for (_, close), time in zip(problem.windows, problem.service))
        limits["time_window"] = vroom.TimeWindow(opens, late if problem.open else closes)
    return vroom.Vehicle(number, start=0, end=None if problem.open else 0, **limits)


def job(problem, stop):
    about = {}
    if problem.capacity is not None:
        about |= {"delivery": [problem.demand[stop]], "pickup": [problem.backhaul[stop]]}
    if problem.windows is not None:
        about["time_windows"] = [vroom.TimeWindow(*problem.windows[stop])]
        about["default_service"] = problem.service[stop]
    return vroom.Job(stop, location=stop, **about)
