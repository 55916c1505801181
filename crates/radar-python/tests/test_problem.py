"""Problems: what they are taken for, what is found in them, and that they survive every journey."""

import copy
import math
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

import radar

SQUARE = [[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]
EVERYTHING = {
    "duration": [[0, 20, 90], [45, 0, None], [30, 70, 0]],
    "demand": [0, 3, 0],
    "backhaul": [0, 0, 2.5],
    "capacity": 8,
    "windows": [(0, 36000), (100, 32400), (0, None)],
    "service": [0, 300, 300],
    "limit": 60000,
    "max_duration": 28800,
    "vehicles": 2,
    "priority": [1, 1, 2],
    "points": [(41.15, -8.61), (41.16, -8.62), (41.17, -8.6)],
    "ids": ["depot", "shop", "farm"],
    "name": "all of it",
    "units": {"distance": "m", "duration": "s"},
}


def test_every_part_comes_back_as_it_was_given():
    problem = radar.Problem(SQUARE, **EVERYTHING)
    assert (problem.nodes, problem.kind, problem.variant, problem.name) == (3, "vrp", "AVRPBLTW", "all of it")
    assert problem.distance.tolist() == SQUARE
    assert problem.duration.tolist() == [[0, 20, 90], [45, 0, math.inf], [30, 70, 0]]
    assert problem.windows == [(0, 36000), (100, 32400), (0, math.inf)]
    for part in ("demand", "backhaul", "capacity", "service", "limit", "max_duration", "vehicles", "priority"):
        assert getattr(problem, part) == EVERYTHING[part], part
    assert problem.points == EVERYTHING["points"]
    assert problem.ids == EVERYTHING["ids"]
    assert problem.units == EVERYTHING["units"]
    assert problem.open is False
    assert [problem.label(node) for node in range(3)] == EVERYTHING["ids"]


def test_what_is_absent_is_none():
    problem = radar.Problem(SQUARE)
    for part in ("duration", "demand", "backhaul", "capacity", "windows", "service", "limit", "max_duration"):
        assert getattr(problem, part) is None, part
    for part in ("vehicles", "priority", "points", "ids", "name"):
        assert getattr(problem, part) is None, part
    assert problem.notes == []
    assert problem.label(2) == "2"
    with pytest.raises(radar.InputError, match="unknown-node"):
        problem.label(3)


def test_properties_are_copies_and_nothing_can_be_set(routes):
    routes.demand.append(7)
    routes.distance[0, 1] = 100
    assert routes.demand == [0, 3, 4]
    assert routes.distance[0, 1] == 2
    with pytest.raises(AttributeError):
        routes.demand = [0, 1, 1]
    with pytest.raises(AttributeError):
        routes.anything = 1


def test_the_callers_array_may_change_afterwards():
    array = np.array(SQUARE, dtype=float)
    problem = radar.Problem(array)
    array[0, 1] = 100
    assert problem.distance[0, 1] == 2


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ({}, "atsp"),
        ({"duration": SQUARE}, "atsp"),
        ({"service": [0, 1, 1]}, "vrp"),
        ({"points": [(0, 0)] * 3, "ids": ["a", "b", "c"]}, "atsp"),
        ({"demand": [0, 1, 1]}, "vrp"),
        ({"capacity": 1}, "vrp"),
        ({"backhaul": [0, 1, 1]}, "vrp"),
        ({"windows": [(0, 9)] * 3}, "vrp"),
        ({"limit": 9}, "vrp"),
        ({"max_duration": 9}, "vrp"),
        ({"vehicles": 1}, "vrp"),
        ({"priority": [1, 1, 1]}, "vrp"),
        ({"open": True}, "vrp"),
        ({"kind": "vrp"}, "vrp"),
    ],
)
def test_routes_are_told_by_what_only_routes_have(parts, kind):
    assert radar.Problem(SQUARE, **parts).kind == kind


@pytest.mark.parametrize(
    ("distance", "parts", "code"),
    [
        ([], {}, "empty-problem"),
        (np.zeros((0, 0)), {}, "empty-problem"),
        ([[0]], {"kind": "vrp"}, "empty-problem"),
        ([[0, 1], [2]], {}, "matrix-not-square"),
        (np.ones((2, 3)), {}, "matrix-not-square"),
        (SQUARE, {"duration": [[0]]}, "matrix-size-mismatch"),
        (SQUARE, {"demand": [0, 1], "capacity": 9}, "wrong-length"),
        (SQUARE, {"windows": []}, "wrong-length"),
        (SQUARE, {"ids": ["a"]}, "wrong-length"),
        ([[0, math.nan], [1, 0]], {}, "not-a-number"),
        (SQUARE, {"limit": math.nan}, "not-a-number"),
        ([[0, -1], [1, 0]], {}, "negative-value"),
        (SQUARE, {"capacity": -1}, "negative-value"),
        (SQUARE, {"demand": [0, math.inf, 1], "capacity": 9}, "infinite-value"),
        ([[0, 1e16], [1, 0]], {}, "magnitude-too-large"),
        (np.array([[0, 2**62], [1, 0]]), {}, "magnitude-too-large"),
        ([[0, 1e-12], [1e-13, 0]], {}, "magnitude-too-small"),
        (SQUARE, {"demand": [0, 1, 1], "backhaul": [0, 1, 0], "capacity": 9}, "delivery-and-pickup"),
        (SQUARE, {"demand": [0, 1, 1]}, "capacity-missing"),
        (SQUARE, {"windows": [(0, 9), (8, 7), (0, 9)]}, "window-inverted"),
        (SQUARE, {"demand": [1, 1, 1], "capacity": 9}, "depot-not-zero"),
        (SQUARE, {"vehicles": 0}, "no-vehicles"),
        (SQUARE, {"ids": ["a", "b", "b"]}, "duplicate-id"),
        (SQUARE, {"points": [(0, math.nan)] * 3}, "bad-point"),
        (SQUARE, {"kind": "atsp", "capacity": 9}, "tour-with-route-feature"),
    ],
)
def test_malformed_problems_are_found_and_refused(distance, parts, code):
    problem = radar.Problem(distance, **parts)
    assert not problem.is_sound
    assert code in [finding.code for finding in problem.findings if finding.severity == "error"]
    with pytest.raises(radar.InputError) as caught:
        radar.solve(problem)
    assert code in [message.code for message in caught.value.messages]
    assert caught.value.action


@pytest.mark.parametrize(
    ("distance", "parts", "code"),
    [
        (SQUARE, {"demand": [0, 6, 1], "capacity": 5}, "demand-above-capacity"),
        ([[0, None], [1, 0]], {"kind": "vrp"}, "stop-unreachable"),
        ([[0, 1], [None, 0]], {"kind": "vrp"}, "stop-no-return"),
        ([[0, 10], [10, 0]], {"windows": [(0, 99), (0, 9.5)]}, "window-unreachable"),
        ([[0, 10], [10, 0]], {"windows": [(0, 19), (0, 99)]}, "return-too-late"),
        ([[0, 10], [10, 0]], {"limit": 19.9}, "limit-too-short"),
        ([[0, 10], [10, 0]], {"service": [0, 5], "max_duration": 24}, "shift-too-short"),
        (SQUARE, {"demand": [0, 3, 4], "capacity": 5, "vehicles": 1}, "fleet-too-small"),
    ],
)
def test_stops_that_no_plan_can_serve_are_said_with_their_reason(distance, parts, code):
    problem = radar.Problem(distance, **parts)
    assert problem.is_sound
    assert code in [finding.code for finding in problem.findings if finding.severity == "blocker"]
    with pytest.raises(radar.InfeasibleError) as caught:
        radar.solve(problem)
    assert caught.value.code == code


def test_all_findings_come_at_once():
    problem = radar.Problem([[0, -1], [math.nan, 0]], demand=[1], capacity=-2)
    assert {"negative-value", "not-a-number", "wrong-length"} <= {finding.code for finding in problem.findings}
    assert all(finding.cause and finding.action for finding in problem.findings)


def test_a_matrix_of_uneven_rows_has_no_array():
    with pytest.raises(radar.InputError, match="matrix-not-square"):
        _ = radar.Problem([[0, 1], [2]]).distance


@pytest.mark.parametrize(
    "problem",
    [
        radar.Problem(SQUARE, **EVERYTHING),
        radar.Problem(SQUARE),
        radar.Problem([[0, 1], [2]]),
        radar.Problem([[0, math.nan], [1, 0]]),
        radar.Problem(np.array(SQUARE, dtype=np.float32) / 3),
        radar.Problem(np.array(SQUARE, dtype=np.int32)),
    ],
    ids=["everything", "tour", "ragged", "nan", "single", "whole"],
)
def test_pickles_and_copies_are_equal(problem):
    for other in (pickle.loads(pickle.dumps(problem)), copy.copy(problem), copy.deepcopy(problem)):
        assert other == problem
        assert hash(other) == hash(problem)
        assert repr(other) == repr(problem)
        assert [finding.code for finding in other.findings] == [finding.code for finding in problem.findings]


def test_single_precision_survives_a_journey():
    problem = radar.Problem(np.array([[0, 0.1, 0.2], [0.3, 0, 0.7], [0.9, 0.6, 0]], dtype=np.float32))
    scale = '"scale":{"distance":10.0'
    assert scale in radar.solve(problem).to_json().replace(" ", "")
    assert scale in radar.solve(pickle.loads(pickle.dumps(problem))).to_json().replace(" ", "")


def test_problems_that_differ_are_not_equal(routes):
    assert routes != radar.Problem(SQUARE, demand=[0, 3, 4], capacity=9)
    assert routes != radar.Problem(SQUARE, demand=[0, 3, 4], capacity=8, name="two stops")
    assert routes != radar.Problem(np.array(SQUARE) + 1, demand=[0, 3, 4], capacity=9, name="two stops")
    assert routes != "two stops"


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_solve_what_is_sent_to_them(method, routes):
    here = radar.solve(routes)
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as processes:
        there = processes.submit(radar.solve, routes).result(timeout=60)
    assert there == here
    assert there.problem == routes


def test_json_is_a_problem_again():
    problem = radar.Problem(SQUARE, **{**EVERYTHING, "name": None})
    assert radar.Problem.from_json(problem.to_json()) == problem
    with pytest.raises(radar.InputError) as caught:
        radar.Problem.from_json('{"version": 1, "kind": "atsp", "distance": [[0, 1], [2')
    assert caught.value.code and caught.value.action
    with pytest.raises(radar.InputError, match="unknown-key"):
        radar.Problem.from_json('{"version": 1, "kind": "atsp", "distance": [[0]], "demmand": [0]}')


def test_it_shows_itself(routes):
    assert repr(routes) == "Problem('two stops', ACVRP, 3 nodes)"
    assert repr(radar.Problem(SQUARE)) == "Problem(ATSP, 3 nodes)"
    shown = radar.Problem([[0, -1], [2, 0]], name="<b>")._repr_html_()
    assert "&lt;b&gt;" in shown and "negative-value" in shown and "<b>" not in shown


class Named(radar.Problem):
    """A class of somebody else's, with something of its own."""


def test_a_class_of_others_survives_every_journey():
    problem = Named(SQUARE, demand=[0, 3, 4], capacity=9)
    problem.region = "north"
    for again in (pickle.loads(pickle.dumps(problem)), copy.copy(problem), copy.deepcopy(problem)):
        assert (type(again), again.region, again) == (Named, "north", problem)
    assert type(Named.from_json(problem.to_json())) is Named
    made = Named.from_vrplib({"type": "CVRP", "edge_weight": [[0, 5], [6, 0]], "demand": [3, 0], "depot": [1]})
    assert type(made) is Named
    assert [note.code for note in made.notes] == ["depot-moved"]


def test_what_is_no_number_is_the_same_as_itself():
    nan = float("nan")
    for parts in ({"demand": [0, nan, 1]}, {"capacity": nan}, {"windows": [(0, nan)] * 3}, {"points": [(nan, 1)] * 3}):
        problem = radar.Problem(SQUARE, **parts)
        assert problem == problem and problem == radar.Problem(SQUARE, **parts)
        assert problem != radar.Problem(SQUARE, **{name: None for name in parts})
    assert radar.Problem([[0, nan], [1]]) == radar.Problem([[0, nan], [1]]) != radar.Problem([[0, 2], [1]])
    assert radar.Problem(SQUARE, demand=[0, nan, 1]) != radar.Problem(SQUARE, demand=[0, 1, nan])


def test_a_whole_number_names_a_node():
    problem = radar.Problem(SQUARE, ids=["a", "b", "c"])
    assert problem.label(1.0) == problem.label(np.int8(1)) == "b"


@pytest.mark.parametrize(
    ("units", "both"),
    [
        ({"distance": "min"}, ("min", "min")),
        ({"duration": "s"}, ("s", "s")),
        ({"distance": "Hours"}, ("Hours", "Hours")),
        ({"distance": "km"}, ("km", None)),
        ({"distance": "m", "duration": "s"}, ("m", "s")),
        ({}, (None, None)),
    ],
)
def test_a_unit_of_time_is_that_of_a_single_matrix(units, both):
    problem = radar.Problem(SQUARE, units=units)
    assert (problem.units["distance"], problem.units["duration"]) == both
    assert radar.Problem.from_json(problem.to_json()).units == problem.units
    two = radar.Problem(SQUARE, duration=SQUARE, units=units)
    assert two.units == {"distance": None, "duration": None, **units}
