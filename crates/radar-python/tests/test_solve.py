"""Solving: answers, options, plans to start from, and everything an answer can do."""

import copy
import json
import math
import pickle
import threading
import time

import numpy as np
import pytest

import radar

SQUARE = [[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]


def test_the_answer_has_everything(routes):
    solution = radar.solve(routes, seed=5)
    assert solution.routes == [[1, 2]]
    assert solution.route_ids == [["1", "2"]]
    assert (solution.cost, solution.bound, solution.gap, solution.optimal) == (6, 6, 0, True)
    assert (solution.seed, solution.model, solution.unserved) == (5, None, [])
    assert solution.problem is routes
    assert solution.method and solution.timings["total"] >= 0
    [route] = solution.schedule
    assert (route.departure, route.returns, route.end, route.distance, route.cost) == (0, 6, 6, 6, 6)
    assert (route.delivered, route.picked_up, route.latest_departure) == (7, 0, None)
    assert [(stop.node, stop.id, stop.arrival, stop.wait, stop.load) for stop in route.stops] == [
        (1, "1", 2, 0, 4),
        (2, "2", 3, 0, 0),
    ]


def test_parts_and_a_problem_are_the_same():
    parts = {"demand": [0, 3, 4], "capacity": 5, "ids": ["d", "a", "b"]}
    assert radar.solve(SQUARE, **parts) == radar.solve(radar.Problem(SQUARE, **parts))
    assert radar.solve(SQUARE, [0, 3, 4], 5).cost == 18.5


def test_names_and_units_are_parts_too():
    solution = radar.solve(SQUARE, name="day", units={"distance": "min"})
    assert solution.problem == radar.Problem(SQUARE, name="day", units={"distance": "min"})
    for part in ({"name": "day"}, {"units": {}}):
        with pytest.raises(radar.InputError, match="given-twice"):
            radar.solve(solution.problem, **part)


def test_a_proof_beside_what_is_frozen_is_about_the_rest():
    free = radar.solve(SQUARE, kind="vrp")
    kept = radar.solve(free.problem, freeze=([[2], [1]], [1, 1]))
    assert kept.routes == [[2], [1]] and kept.optimal
    assert kept.bound > free.bound


def test_lengths_of_what_is_frozen_are_a_list(routes):
    with pytest.raises(radar.InputError, match="one per route") as caught:
        radar.solve(routes, freeze=([[1, 2]], 2))
    assert "freeze[1] is 2" in caught.value.cause


def test_parts_beside_a_problem_are_refused(routes):
    for part in ({"capacity": 5}, {"open": True}, {"demand": [0, 1, 1]}, {"kind": "vrp"}):
        with pytest.raises(radar.InputError) as caught:
            radar.solve(routes, **part)
        assert caught.value.code == "given-twice"
        assert next(iter(part)) in caught.value.cause


def test_every_feature_reaches_the_solver():
    line = [[abs(a - b) for b in range(4)] for a in range(4)]
    assert radar.solve(line, open=True, vehicles=1).cost == 3
    assert radar.solve(line, limit=4, allow_unserved=True).unserved[0].node == 3
    assert radar.solve(line, windows=[(0, 99), (50, 60), (0, 2), (0, 99)], vehicles=1).routes == [[2, 3, 1]]
    assert radar.solve(line, demand=[0, 0, 1, 1], backhaul=[0, 1, 0, 0], capacity=2).routes[0][-1] == 1
    assert radar.solve(line, service=[0, 5, 5, 5], max_duration=12, kind="vrp").schedule[0].end <= 12
    cheap = np.array(line)[::-1, ::-1].copy()
    assert radar.solve(line, duration=cheap * 2, minimise="duration").cost == 12


def test_the_same_seed_and_steps_give_the_same_plan(deliveries):
    first, second = (radar.solve(deliveries, time_limit=None, steps=3000, seed=7) for _ in range(2))
    assert first == second
    assert not first.interrupted
    other = radar.solve(deliveries, time_limit=None, steps=3000, seed=8)
    assert other.seed == 8 and other.routes != first.routes


def test_a_time_limit_is_kept_and_said(deliveries):
    began = time.perf_counter()
    solution = radar.solve(deliveries, time_limit=0.2)
    assert time.perf_counter() - began < 2
    assert solution.interrupted
    assert radar.check(deliveries, solution)


@pytest.mark.parametrize("method", ["auto", "search", "construct"])
def test_methods(method, deliveries):
    solution = radar.solve(deliveries, method=method, time_limit=None, steps=100)
    assert radar.check(deliveries, solution.routes)
    assert solution.bound <= solution.cost


def test_side_by_side_searches_agree_with_themselves(deliveries):
    one, two = (radar.solve(deliveries, time_limit=None, steps=500, searches=2) for _ in range(2))
    assert one == two


@pytest.mark.parametrize(
    "options",
    [
        {"time_limit": 0},
        {"time_limit": -1},
        {"time_limit": math.nan},
        {"time_limit": math.inf},
        {"time_limit": "1"},
        {"steps": 0},
        {"steps": -1},
        {"steps": 1.5},
        {"seed": -1},
        {"seed": 2**64},
        {"method": "magic"},
        {"method": "magic", "steps": 5},
        {"minimise": "joy"},
        {"searches": 0},
        {"searches": 100000},
        {"starts": 0},
        {"augment": 0},
        {"allow_unserved": 1},
        {"model": "nowhere.safetensors"},
        {"warm": [[7]]},
        {"warm": [["shop"]]},
        {"warm": [[-1]]},
        {"warm": 5},
        {"warm": "nowhere.json"},
        {"freeze": [[1]]},
        {"freeze": ([[1]], [1, 2])},
        {"freeze": ([[1]], [-1])},
        {"warm": [[1]], "freeze": ([[1]], [1])},
    ],
)
def test_options_that_mean_nothing_are_refused(options, routes):
    with pytest.raises(radar.InputError) as caught:
        radar.solve(routes, **options)
    assert caught.value.code and caught.value.action


@pytest.mark.parametrize(
    ("method", "option"),
    [
        ("search", {"model": "any.safetensors"}),
        ("search", {"augment": 4}),
        ("search", {"starts": 4}),
        ("construct", {"searches": 2}),
        ("construct", {"freeze": ([[1]], [1])}),
        ("neural", {"steps": 100}),
    ],
)
def test_options_that_would_not_be_heard_are_refused(method, option, routes):
    with pytest.raises(radar.InputError) as caught:
        radar.solve(routes, method=method, **option)
    assert caught.value.code == "unused-option"
    assert next(iter(option)) in caught.value.cause and "method=" in caught.value.action


@pytest.mark.parametrize("option", [{"starts": 4}, {"augment": 2}])
def test_options_of_a_network_need_one(option, routes):
    with pytest.raises(radar.InputError) as caught:
        radar.solve(routes, **option)
    assert caught.value.code == "unused-option" and "model" in caught.value.action


def test_a_network_cannot_keep_what_is_frozen(routes):
    with pytest.raises(radar.InputError) as caught:
        radar.solve(routes, model="any.safetensors", freeze=([[1]], [1]))
    assert caught.value.code == "unused-option" and "frozen" in caught.value.cause


def test_a_network_goes_before_a_search():
    problem = radar.generate("tmat", 20, seed=1)
    model = radar.Model.new("small-atsp", seed=1)
    answer = radar.solve(problem, model=model, time_limit=None, steps=200, starts=4)
    assert answer.method.startswith("network `") and "; then search" in answer.method
    assert answer.timings["network"] > 0


def test_a_warm_start_never_comes_back_worse(deliveries):
    start = radar.solve(deliveries, time_limit=None, steps=2000, seed=1)
    for warm in (start, start.routes, [np.array(route) for route in start.routes]):
        assert radar.solve(deliveries, warm=warm, time_limit=None, steps=1).cost <= start.cost
    poor = [[stop] for stop in range(1, deliveries.nodes)]
    assert radar.solve(deliveries, warm=poor, time_limit=0.02).cost <= radar.check(deliveries, poor).cost


def test_a_warm_start_that_is_not_beaten_comes_back_itself():
    tour = radar.generate("tmat", 60, seed=4)
    start = radar.solve(tour)
    for method in ("neural", "construct"):
        answer = radar.solve(tour, warm=start, method=method)
        assert answer.cost <= start.cost and answer.routes == start.routes


def test_a_tour_may_be_told_from_any_of_its_nodes(tmp_path):
    path = tmp_path / "plan.json"
    path.write_text("[[1, 2, 0]]")
    for warm in ([[1, 2, 0]], [[2, 0, 1]], path):
        answer = radar.solve(SQUARE, warm=warm, method="construct")
        assert (answer.routes, answer.warnings) == ([[0, 1, 2]], [])
    # What is frozen is under way, and where it began is meant.
    with pytest.raises(radar.InputError, match="starts at node 0"):
        radar.solve(SQUARE, freeze=([[1, 2, 0]], [2]))


def test_a_warm_start_may_be_a_file_or_ids(tmp_path):
    parts = {"demand": [0, 3, 4], "capacity": 9, "ids": ["depot", "shop", "farm"]}
    for plan in ('[["shop", "farm"]]', "Route #1: 1 2\nCost 6\n"):
        path = tmp_path / "plan"
        path.write_text(plan)
        assert radar.solve(SQUARE, **parts, warm=path).cost == 6
    assert radar.solve(SQUARE, **parts, warm=[["shop"], ["farm"]]).cost == 6


def test_frozen_beginnings_stay(deliveries):
    stops = list(range(1, deliveries.nodes))
    begun = [stops[:5], stops[5:8]]
    solution = radar.solve(deliveries, freeze=(begun, [2, 3]), time_limit=None, steps=200)
    assert [1, 2] in [route[:2] for route in solution.routes]
    assert [6, 7, 8] in [route[:3] for route in solution.routes]
    assert radar.check(deliveries, solution)


def test_what_cannot_be_served_raises_or_is_left_out():
    parts = {"demand": [0, 3, 9], "capacity": 5, "ids": ["depot", "shop", "farm"]}
    with pytest.raises(radar.InfeasibleError) as caught:
        radar.solve(SQUARE, **parts)
    assert caught.value.code == "demand-above-capacity"
    assert caught.value.messages[0].nodes == (2,)
    solution = radar.solve(SQUARE, **parts, allow_unserved=True)
    [left] = solution.unserved
    assert (left.node, left.id) == (2, "farm") and left.reasons
    assert (solution.bound, solution.gap) == (None, None)
    assert "unserved=1" in repr(solution)


def test_an_answer_is_the_same_however_it_is_asked_for():
    parts = {"demand": [0, 5, 5], "capacity": 9, "vehicles": 1, "allow_unserved": True}
    solution = radar.solve(SQUARE, **parts)
    keys = ("routes", "cost", "bound", "gap", "optimal", "method", "model", "seed")
    at_hand = {key: getattr(solution, key) for key in keys}
    assert len(solution.unserved) == 1 and not at_hand["optimal"]
    assert {key: getattr(solution, key) for key in keys} == at_hand
    assert {key: json.loads(solution.to_json())[key] for key in keys} == at_hand
    assert "optimal" not in repr(solution)


def test_unreachable_pairs_are_driven_around():
    solution = radar.solve([[0, 1, None], [None, 0, 1], [1, None, 0]])
    assert solution.routes == [[0, 1, 2]]
    with pytest.raises(radar.InfeasibleError):
        radar.solve([[0, 1, None], [1, 0, None], [1, 1, 0]])


def test_a_single_node_is_a_tour():
    assert radar.solve([[0]]).routes == [[0]]


def test_answers_survive_a_journey(deliveries):
    solution = radar.solve(deliveries, time_limit=None, steps=200)
    for other in (pickle.loads(pickle.dumps(solution)), copy.deepcopy(solution)):
        assert other == solution
        assert hash(other) == hash(solution)
        assert other.to_json() == solution.to_json()
        assert other.interrupted == solution.interrupted
        assert other.schedule == solution.schedule
    assert solution != radar.solve(deliveries, method="construct")
    assert solution != "a plan"


def test_an_answer_can_be_written_after_a_journey(tmp_path, city):
    solution = radar.solve(city, time_limit=None, steps=200)
    again = pickle.loads(pickle.dumps(solution))
    for ending in ("json", "sol", "csv", "geojson", "svg"):
        one, other = tmp_path / f"one.{ending}", tmp_path / f"other.{ending}"
        solution.save(one)
        again.save(other)
        assert one.read_bytes() == other.read_bytes(), ending


def test_answers_come_from_solving_alone():
    with pytest.raises(TypeError, match=r"radar\.solve"):
        radar.Solution()


def test_json_is_the_wire_form(routes):
    answer = json.loads(radar.solve(routes).to_json())
    assert {"cost", "bound", "gap", "optimal", "routes", "schedule", "unserved", "warnings"} <= answer.keys()
    assert answer["routes"] == [[1, 2]]


@pytest.mark.parametrize(
    ("ending", "begins"),
    [("json", b"{"), ("sol", b"Route #1: 1 2"), ("csv", b'"route"'), ("svg", b"<?xml")],
)
def test_an_answer_is_written_by_its_ending(ending, begins, routes, tmp_path):
    path = tmp_path / f"answer.{ending}"
    radar.solve(routes).save(path)
    assert path.read_bytes().startswith(begins)
    other = tmp_path / "answer.txt"
    radar.solve(routes).save(other, format=ending)
    assert other.read_bytes().startswith(begins)


def test_an_unknown_ending_is_refused(routes, tmp_path):
    with pytest.raises(radar.InputError, match="ending-unknown"):
        radar.solve(routes).save(tmp_path / "answer.docx")


def test_a_frame_has_a_row_per_visit(deliveries):
    pytest.importorskip("pandas")
    solution = radar.solve(deliveries, time_limit=None, steps=100)
    frame = solution.to_frame()
    assert len(frame) == deliveries.nodes - 1
    assert frame.groupby("route")["node"].apply(list).tolist() == solution.routes
    assert (frame["start"] - frame["arrival"]).tolist() == frame["wait"].tolist()
    nothing = radar.solve([[0, 9], [9, 0]], limit=1, allow_unserved=True).to_frame()
    assert len(nothing) == 0 and "arrival" in nothing.columns


def test_it_shows_itself(routes):
    solution = radar.solve(routes)
    assert repr(solution) == "Solution(cost=6.0, gap=0.0, routes=1, optimal)"
    assert solution._repr_svg_().rstrip().endswith("</svg>")


def test_threads_may_share_a_problem(deliveries):
    answers = {}

    def work(name):
        answers[name] = radar.solve(deliveries, time_limit=None, steps=500)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(answer == answers[0] for answer in answers.values())
