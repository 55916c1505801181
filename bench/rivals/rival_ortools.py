"""OR-Tools' routing library: all 16 variants and the tour.

Open: nothing to pay into the depot. Backhaul: a dimension of capacity each for deliveries and pickups, and no delivery as
the successor of a pickup. Limit and windows: dimensions. Guided local search, which its guide recommends.
"""

from importlib.metadata import version

from ortools.constraint_solver import pywrapcp, routing_enums_pb2

VERSION = "OR-Tools " + version("ortools")
LOOKS_AT_THE_WALL = True


def solve(problem, clock, seed):
    manager = pywrapcp.RoutingIndexManager(problem.nodes, problem.vehicles(), 0)
    routing = pywrapcp.RoutingModel(manager)
    distance = problem.way(problem.distance)
    arcs = routing.RegisterTransitMatrix(distance.tolist())
    routing.SetArcCostEvaluatorOfAllVehicles(arcs)
    if problem.capacity is not None:
        add_amounts(problem, routing, "deliveries", problem.demand)
    if problem.has_backhaul:
        add_amounts(problem, routing, "pickups", problem.backhaul)
        add_order(problem, manager, routing)
    if problem.limit is not None:
        routing.AddDimension(arcs, 0, problem.limit, True, "length")
    if problem.windows is not None:
        add_windows(problem, manager, routing)

    parameters = pywrapcp.DefaultRoutingSearchParameters()
    strategy = routing_enums_pb2.FirstSolutionStrategy
    parameters.first_solution_strategy = (
        strategy.PATH_CHEAPEST_ARC if problem.tour else strategy.PARALLEL_CHEAPEST_INSERTION
    )
    parameters.local_search_metaheuristic = routing_enums_pb2.LocalSearchMetaheuristic.GUIDED_LOCAL_SEARCH
    limit = lambda: parameters.time_limit.FromMicroseconds(int(1e6 * clock.wall_left()))
    limit()
    routing.CloseModelWithParameters(parameters)
    # Its limit is wall time counted from here: what the model took is gone.
    limit()
    plan = routing.SolveWithParameters(parameters)
    if plan is None:
        raise RuntimeError("no feasible plan")
    routes = [route(manager, routing, plan, vehicle) for vehicle in range(problem.vehicles())]
    return [[0, *routes[0]]] if problem.tour else routes


def add_amounts(problem, routing, name, amounts):
    evaluator = routing.RegisterUnaryTransitVector(amounts)
    routing.AddDimension(evaluator, 0, problem.capacity, True, name)


def add_order(problem, manager, routing):
    deliveries = [manager.NodeToIndex(stop) for stop in range(1, problem.nodes) if problem.demand[stop] > 0]
    for stop in range(1, problem.nodes):
        if problem.backhaul[stop] > 0:
            routing.NextVar(manager.NodeToIndex(stop)).RemoveValues(deliveries)


def add_windows(problem, manager, routing):
    service = problem.service
    transit = problem.way(problem.duration) + [[time] for time in service]
    horizon = max(close + time for (_, close), time in zip(problem.windows, service))
    opens, closes = problem.windows[0]
    routing.AddDimension(routing.RegisterTransitMatrix(transit.tolist()), horizon, horizon, False, "time")
    time = routing.GetDimensionOrDie("time")
    for stop in range(1, problem.nodes):
        time.CumulVar(manager.NodeToIndex(stop)).SetRange(*problem.windows[stop])
    for vehicle in range(problem.vehicles()):
        time.CumulVar(routing.Start(vehicle)).SetRange(opens, opens)
        time.CumulVar(routing.End(vehicle)).SetRange(opens, horizon if problem.open else closes)


def route(manager, routing, plan, vehicle):
    stops, index = [], plan.Value(routing.NextVar(routing.Start(vehicle)))
    while not routing.IsEnd(index):
        stops.append(manager.IndexToNode(index))
        index = plan.Value(routing.NextVar(index))
    return stops
