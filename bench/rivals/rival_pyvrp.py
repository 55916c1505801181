"""PyVRP: all 16 variants and the tour.

Open: nothing to pay into the depot. Backhaul: pickups beside deliveries, and a dear way from the first to the second.
Limit: `max_distance`. Windows: of clients and vehicles, on the durations.
"""

from importlib.metadata import version

import numpy
import pyvrp

VERSION = "PyVRP " + version("pyvrp")


def solve(problem, clock, seed):
    data = model(problem)
    # The stopping criterion reads CPU time, so that a busy machine takes nothing from it.
    result = pyvrp.solve(data, lambda _: clock.spent() >= clock.budget, seed=seed, collect_stats=False)
    if not result.best.is_feasible():
        raise RuntimeError("no feasible plan")
    routes = [[visit.idx + 1 for visit in route if visit.is_client()] for route in result.best.routes()]
    return [[0, *routes[0]]] if problem.tour else routes


def model(problem):
    stops = range(1, problem.nodes)
    windows = problem.windows
    whole = problem.capacity is not None

    def client(stop):
        when = {} if windows is None else {"tw_early": windows[stop][0], "tw_late": windows[stop][1]}
        amounts = {"delivery": [problem.demand[stop]], "pickup": [problem.backhaul[stop]]} if whole else {}
        return pyvrp.Client(stop, service_duration=problem.service[stop], **amounts, **when)

    limits = {} if problem.limit is None else {"max_distance": problem.limit}
    if windows is not None:
        # The depot's close binds only those who return.
        limits["tw_early"] = windows[0][0]
        if not problem.open:
            limits["tw_late"] = windows[0][1]
    distance = problem.cost_with_order(problem.way(problem.distance))
    duration = problem.way(problem.duration) if windows is not None else numpy.zeros_like(distance)
    return pyvrp.ProblemData(
        locations=[pyvrp.Location(0, 0) for _ in range(problem.nodes)],
        clients=[client(stop) for stop in stops],
        depots=[pyvrp.Depot(0)],
        vehicle_types=[
            pyvrp.VehicleType(
                1 if problem.tour else problem.nodes - 1, [problem.capacity] if whole else [], **limits
            )
        ],
        distance_matrices=[distance],
        duration_matrices=[duration],
    )
