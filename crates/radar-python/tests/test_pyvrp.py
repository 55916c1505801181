"""PyVRP's data: what means the same is taken, all else refused by name."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

import radar

pyvrp = pytest.importorskip("pyvrp")
pytest.importorskip("pyvrp.stop")

DISTANCE = np.array([[0, 5, 9, 4], [6, 0, 3, 8], [7, 2, 0, 5], [4, 8, 6, 0]])
DURATION = DISTANCE * 2


def data(clients=None, vehicles=None, depots=None, distance=DISTANCE, duration=DURATION, **more):
    return pyvrp.ProblemData(
        locations=[pyvrp.Location(10 * at, 20 * at) for at in range(4)],
        clients=clients or [pyvrp.Client(at, delivery=[at + 3]) for at in (1, 2, 3)],
        depots=depots or [pyvrp.Depot(0)],
        vehicle_types=vehicles or [pyvrp.VehicleType(3, [10])],
        distance_matrices=[distance] if isinstance(distance, np.ndarray) else distance,
        duration_matrices=[duration] if isinstance(duration, np.ndarray) else duration,
        **more,
    )


def test_what_means_the_same_is_taken():
    clients = [
        pyvrp.Client(at, delivery=[at + 3], service_duration=at, tw_early=5, tw_late=100 - at, name=f"c{at}")
        for at in (1, 2, 3)
    ]
    vehicles = [
        pyvrp.VehicleType(2, [10], max_distance=40, tw_early=3, tw_late=90, name="x"),
        pyvrp.VehicleType(1, [10], max_distance=40, tw_early=3, tw_late=90),
    ]
    problem = radar.Problem.from_pyvrp(data(clients, vehicles, [pyvrp.Depot(0, tw_early=4, tw_late=95, name="d")]))
    assert problem.distance.tolist() == DISTANCE.tolist()
    assert problem.duration.tolist() == DURATION.tolist()
    assert (problem.demand, problem.capacity, problem.vehicles) == ([0, 4, 5, 6], 10, 3)
    assert problem.windows == [(4, 90), (5, 99), (5, 98), (5, 97)]
    assert (problem.service, problem.limit, problem.max_duration) == ([0, 1, 2, 3], 40, None)
    assert problem.points == [(0, 0), (20, 10), (40, 20), (60, 30)]
    assert problem.ids == ["d", "c1", "c2", "c3"]
    assert problem.is_sound


def test_what_is_not_there_is_left_out():
    problem = radar.Problem.from_pyvrp(
        data([pyvrp.Client(at) for at in (1, 2, 3)], [pyvrp.VehicleType(1)], duration=DISTANCE)
    )
    assert problem.kind == "vrp"
    for part in ("duration", "demand", "capacity", "windows", "service", "limit", "max_duration", "ids"):
        assert getattr(problem, part) is None, part


def test_missing_edges_are_no_way():
    distance = DISTANCE.copy()
    distance[1, 2] = 1 << 44
    assert radar.Problem.from_pyvrp(data(distance=distance)).distance[1, 2] == math.inf


def test_a_longest_duration_is_the_same_where_nobody_waits():
    vehicles = [pyvrp.VehicleType(3, [10], tw_early=5, shift_duration=50)]
    assert radar.Problem.from_pyvrp(data(vehicles=vehicles)).max_duration == 50
    waiting = [pyvrp.Client(at, delivery=[1], tw_early=6) for at in (1, 2, 3)]
    with pytest.raises(radar.InputError, match="make vehicles wait"):
        radar.Problem.from_pyvrp(data(waiting, vehicles))


def test_costs_are_pyvrps_own():
    problem = data([pyvrp.Client(at, delivery=[4], tw_late=40) for at in (1, 2, 3)])
    ours = radar.solve(radar.Problem.from_pyvrp(problem))
    theirs = pyvrp.solve(problem, stop=pyvrp.stop.MaxIterations(200), seed=1, display=False)
    assert ours.optimal
    assert ours.cost == theirs.cost()


def drawn(rng):
    """Data with some of what can be said here, small and tight."""
    windows, limit, shift = rng.random(3) < 0.5
    distance, duration = rng.integers(1, 10, (2, 4, 4))
    for matrix in (distance, duration):
        np.fill_diagonal(matrix, 0)
    # A longest duration means the same only where nobody waits.
    early = rng.integers(0, 12, 4) if windows and not shift else np.zeros(4, dtype=int)
    late = early + rng.integers(0, 15, 4) if windows else np.full(4, 2**63 - 1)
    opening = int(rng.integers(0, 3)) if not shift else 0
    clients = [
        pyvrp.Client(at, [int(rng.integers(0, 5))], [], int(rng.integers(0, 4)), int(early[at]), int(late[at]))
        for at in (1, 2, 3)
    ]
    bounds = {"max_distance": int(rng.integers(5, 40))} if limit else {}
    bounds.update({"shift_duration": int(rng.integers(5, 40))} if shift else {})
    vehicle = pyvrp.VehicleType(2, [7], tw_early=opening, tw_late=35, **bounds)
    return data(clients, [vehicle], [pyvrp.Depot(0, opening // 2, 40)], distance, duration)


def test_plans_hold_here_when_they_hold_there():
    rng = np.random.default_rng(1)
    holding = 0
    for _ in range(500):
        theirs = drawn(rng)
        order, cut = rng.permutation(3), int(rng.integers(0, 3))
        plan = [route.tolist() for route in (order[:cut], order[cut:]) if len(route)]
        judged = pyvrp.Solution(theirs, plan)
        verdict = radar.check(radar.Problem.from_pyvrp(theirs), [[1 + stop for stop in route] for route in plan])
        assert verdict.feasible == judged.is_feasible(), verdict.violations
        assert verdict.cost == judged.distance()
        holding += verdict.feasible
    assert 100 < holding < 400


def test_clients_may_share_a_location_or_stand_in_any_order():
    clients = [pyvrp.Client(3, delivery=[1]), pyvrp.Client(3, delivery=[2]), pyvrp.Client(0, delivery=[3])]
    problem = radar.Problem.from_pyvrp(data(clients, depots=[pyvrp.Depot(1)]))
    rows = [1, 3, 3, 0]
    assert problem.distance.tolist() == DISTANCE[np.ix_(rows, rows)].tolist()
    assert problem.points[3] == (0, 0)


REFUSED = {
    "pickups": {"clients": [pyvrp.Client(1, pickup=[1]), pyvrp.Client(2, delivery=[1]), pyvrp.Client(3, delivery=[1])]},
    "simultaneous": {"clients": [pyvrp.Client(at, delivery=[1], pickup=[1]) for at in (1, 2, 3)]},
    "release times": {"clients": [pyvrp.Client(at, delivery=[1], release_time=5) for at in (1, 2, 3)]},
    "prizes": {"clients": [pyvrp.Client(at, delivery=[1], prize=5) for at in (1, 2, 3)]},
    "optional": {"clients": [pyvrp.Client(at, delivery=[1], required=False) for at in (1, 2, 3)]},
    "several dimensions": {
        "clients": [pyvrp.Client(at, delivery=[1, 2]) for at in (1, 2, 3)],
        "vehicles": [pyvrp.VehicleType(1, [10, 10])],
    },
    "not alike": {"vehicles": [pyvrp.VehicleType(1, [10]), pyvrp.VehicleType(1, [11])]},
    "fixed cost": {"vehicles": [pyvrp.VehicleType(1, [10], fixed_cost=5)]},
    "cost per distance": {"vehicles": [pyvrp.VehicleType(1, [10], unit_distance_cost=2)]},
    "cost per duration": {"vehicles": [pyvrp.VehicleType(1, [10], unit_duration_cost=1)]},
    "reloading": {"vehicles": [pyvrp.VehicleType(1, [10], reload_depots=[0])]},
    "loaded from the start": {"vehicles": [pyvrp.VehicleType(1, [10], initial_load=[3])]},
    "several profiles": {"distance": [DISTANCE, DISTANCE], "duration": [DURATION, DURATION]},
    "leave before": {"vehicles": [pyvrp.VehicleType(1, [10], start_late=3)], "depots": [pyvrp.Depot(0, tw_early=5)]},
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_said_is_refused_by_name(what):
    with pytest.raises(radar.InputError) as caught:
        radar.Problem.from_pyvrp(data(**REFUSED[what]))
    assert caught.value.code == "not-expressible"
    assert (what if what != "simultaneous" else "pickups") in caught.value.cause


def test_groups_are_refused():
    clients = [pyvrp.Client(1, required=False, group=0), pyvrp.Client(2, required=False, group=0), pyvrp.Client(3)]
    with pytest.raises(radar.InputError, match="groups of clients"):
        radar.Problem.from_pyvrp(data(clients, [pyvrp.VehicleType(1)], groups=[pyvrp.ClientGroup([0, 1])]))


def test_several_depots_are_refused():
    two = data([pyvrp.Client(2, delivery=[1])], depots=[pyvrp.Depot(0), pyvrp.Depot(1)])
    with pytest.raises(radar.InputError, match="several depots"):
        radar.Problem.from_pyvrp(two)


def test_before_locations_a_node_was_its_own_row():
    """PyVRP 0.13 and earlier: depot and clients have coordinates, and the matrices are in their order."""
    at = {"tw_early": 0, "tw_late": 2**63 - 1}
    stops = [
        SimpleNamespace(x=x, y=7, name="", delivery=[2], pickup=[0], service_duration=0, release_time=0, prize=0)
        for x in (1, 2, 3)
    ]
    for stop in stops:
        stop.__dict__.update(at, required=True, group=None)
    new = data()
    old = SimpleNamespace(
        clients=lambda: stops,
        depots=lambda: [SimpleNamespace(x=0, y=7, name="", **at)],
        vehicle_types=new.vehicle_types,
        distance_matrix=new.distance_matrix,
        duration_matrix=new.duration_matrix,
        num_depots=1,
        num_groups=0,
        num_profiles=1,
        num_load_dimensions=1,
        num_vehicles=3,
    )
    problem = radar.Problem.from_pyvrp(old)
    assert problem.distance.tolist() == DISTANCE.tolist()
    assert problem.points == [(7, 0), (7, 1), (7, 2), (7, 3)]
    assert problem.demand == [0, 2, 2, 2]


def test_only_its_data_is_taken():
    with pytest.raises(radar.InputError, match="ProblemData"):
        radar.Problem.from_pyvrp(pyvrp.Model())


def test_a_model_is_told_where_its_data_is():
    with pytest.raises(radar.InputError, match=r"model\.data\(\)"):
        radar.Problem.from_pyvrp(pyvrp.Model())
    with pytest.raises(radar.InputError, match="pyvrp.ProblemData"):
        radar.Problem.from_pyvrp("data")


def test_shipments_and_overtime_are_refused():
    with pytest.raises(radar.InputError, match="shipments"):
        radar.Problem.from_pyvrp(data(shipments=[pyvrp.Shipment(1, 2, amount=[1])]))
    vehicles = [pyvrp.VehicleType(1, [10], shift_duration=9, max_overtime=3, unit_overtime_cost=2)]
    with pytest.raises(radar.InputError, match="overtime"):
        radar.Problem.from_pyvrp(data(vehicles=vehicles))
    with pytest.raises(radar.InputError, match="at the depot"):
        radar.Problem.from_pyvrp(data(depots=[pyvrp.Depot(0, service_duration=4)]))
