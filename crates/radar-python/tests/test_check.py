"""Verdicts and explanations."""

import numpy as np
import pytest

import radar

pd = pytest.importorskip("pandas")

SQUARE = [[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]


def test_a_plan_that_holds_is_true(routes):
    verdict = radar.check(routes, [[1, 2]])
    assert verdict and verdict.feasible
    assert (verdict.cost, verdict.violations) == (6, [])
    assert verdict.schedule == radar.solve(routes).schedule


def test_everything_that_is_broken_is_said():
    problem = radar.Problem(SQUARE, demand=[0, 3, 4], capacity=5, ids=["depot", "shop", "farm"])
    verdict = radar.check(problem, [["shop", "farm", "shop"]])
    assert not verdict
    assert {"repeated-stop", "delivery-overload"} <= {violation.clause for violation in verdict.violations}
    overload = next(violation for violation in verdict.violations if violation.clause == "delivery-overload")
    assert overload.route == 0 and overload.excess > 0 and str(overload) == overload.text
    assert [violation.clause for violation in radar.check(problem, [[1]]).violations] == ["missing-stop"]


def test_an_arc_that_cannot_be_driven_has_no_cost():
    verdict = radar.check(radar.Problem([[0, 1], [None, 0]], kind="vrp"), [[1]])
    assert verdict.cost is None
    assert [violation.clause for violation in verdict.violations] == ["unreachable-arc"]


def test_a_plan_may_be_a_file_or_an_answer(routes, tmp_path):
    path = tmp_path / "plan.json"
    path.write_text("[[1], [2]]")
    assert radar.check(routes, path).cost == 18.5
    assert radar.check(routes, radar.solve(routes))


def labelled(names, **parts):
    far = np.arange(len(names) ** 2).reshape(len(names), -1) % 17 + 1
    frame = pd.DataFrame(far, index=names, columns=names)
    return radar.Problem(frame, demand=[0] + [1] * (len(names) - 1), **parts)


def test_an_answer_to_another_problem_is_taken_by_id():
    old = radar.solve(labelled(["depot", *"abcd"], capacity=2))
    new = labelled(["depot", "x", *"dcba"], capacity=3)
    [missing] = radar.check(new, old).violations
    assert (missing.clause, missing.node) == ("missing-stop", 1)
    assert radar.check(new, old).cost == radar.check(new, old.route_ids).cost
    assert radar.explain(new, old) == radar.explain(new, old.route_ids)
    later = radar.solve(new, freeze=(old, [1] * len(old.routes)))
    assert {route[0] for route in old.route_ids} <= {route[0] for route in later.route_ids}


def test_stops_in_another_order_are_the_same_stops():
    problem = labelled(["depot", *"abcdef"], capacity=2)
    old = radar.solve(problem)
    order = [0, 6, 1, 5, 2, 4, 3]
    moved = radar.Problem(
        problem.distance[np.ix_(order, order)],
        demand=problem.demand,
        capacity=2,
        ids=[problem.ids[node] for node in order],
    )
    assert radar.check(moved, old).cost == old.cost
    assert radar.solve(moved, warm=old, time_limit=None, steps=1).cost <= old.cost


def test_an_answer_with_stops_that_are_gone_is_refused_by_their_names():
    old = radar.solve(labelled(["depot", *"abcd"], capacity=2))
    new = labelled(["depot", "x", *"abc"], capacity=2)
    for call in (
        lambda: radar.check(new, old),
        lambda: radar.solve(new, warm=old),
        lambda: radar.solve(new, freeze=(old, [1] * len(old.routes))),
    ):
        with pytest.raises(radar.InputError, match="visits 'd', which") as caught:
            call()
        assert caught.value.code == "unknown-node"
    left = [[id for id in route if id in new.ids] for route in old.route_ids]
    assert radar.solve(new, warm=left).unserved == []


def test_without_ids_an_answer_is_taken_by_number():
    names = ["depot", *"abcd"]
    old = radar.solve(labelled(names, capacity=2))
    same = radar.Problem(old.problem.distance, demand=old.problem.demand, capacity=2)
    assert radar.check(same, old).cost == old.cost
    with pytest.raises(radar.InputError, match="unknown-node"):
        radar.check(radar.Problem(SQUARE, kind="vrp"), old)


@pytest.mark.parametrize("plan", [[[3]], [["shop"]], [[-1]], 5, [1, 2], "nowhere.json", [[1.5]], [[None]]])
def test_what_is_no_plan_is_refused(plan, routes):
    with pytest.raises(radar.InputError):
        radar.check(routes, plan)


def test_a_malformed_problem_has_no_verdict():
    with pytest.raises(radar.InputError, match="negative-value"):
        radar.check(radar.Problem([[0, -1], [1, 0]]), [[0, 1]])
    with pytest.raises(radar.InputError, match="Problem"):
        radar.check([[0, 1], [1, 0]], [[0, 1]])


def test_what_blocks_a_stop_is_explained():
    problem = radar.Problem(SQUARE, demand=[0, 3, 9], capacity=5, ids=["depot", "shop", "farm"])
    [explanation] = radar.explain(problem)
    assert not explanation.fits
    assert "farm" in explanation.subject
    assert explanation.blocked and explanation.enough == ("capacity +4, on a new route",)
    assert "enough: capacity +4" in str(explanation)
    for stops in (["farm"], [2], "farm", 2):
        assert radar.explain(problem, stops=stops) == [explanation]


def test_what_breaks_a_plan_is_explained(routes):
    plan, missing = radar.explain(routes, [[1]])
    assert plan.subject == "plan"
    assert missing.fits
    assert radar.explain(routes, [[1, 2]], ["1"])[0].headline == "it is served by the plan"
    assert radar.explain(routes) == []


def test_a_fleet_that_is_too_small_is_a_finding():
    [explanation] = radar.explain(radar.Problem(SQUARE, demand=[0, 3, 4], capacity=5, vehicles=1))
    assert explanation.finding is not None and explanation.finding.code == "fleet-too-small"
    assert not explanation.fits and explanation.do


@pytest.mark.parametrize(
    ("stop", "code"), [(3, "unknown-stop"), ("shop", "unknown-stop"), (0, "depot-is-no-stop"), (-1, "unknown-stop")]
)
def test_what_is_no_stop_is_refused(stop, code, routes):
    with pytest.raises(radar.InputError) as caught:
        radar.explain(routes, stops=[stop])
    assert caught.value.code == code


def test_stops_are_named_in_any_form():
    problem = radar.Problem(SQUARE, demand=[0, 2, 5], capacity=3)
    [one] = radar.explain(problem, stops=[2])
    for stops in (2, np.int64(2), np.array([2]), (2,), ["2"], "2", pd.Series([2])):
        assert radar.explain(problem, stops=stops) == [one]
    with pytest.raises(radar.InputError, match="depot-is-no-stop"):
        radar.explain(problem, stops=np.array([0]))
    assert len(radar.explain(problem, stops=np.array([1, 2]))) == 2
    for stops in (b"2", {2}, np.array(2.5), 2.5):
        with pytest.raises(radar.InputError, match="wrong-type"):
            radar.explain(problem, stops=stops)


def test_an_answer_in_a_file_is_for_its_own_stops(tmp_path):
    path = tmp_path / "answer.json"
    radar.solve(labelled(["depot", *"abcd"], capacity=2)).save(path)
    with pytest.raises(radar.InputError, match="plan-contradicts-itself"):
        radar.check(labelled(["depot", *"bacd"], capacity=2), path)
