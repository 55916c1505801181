"""Evaluation of networks."""

import pytest

import radar


@pytest.fixture(scope="module")
def model():
    return radar.Model.new({"preset": "small-atsp", "layers": 1})


@pytest.fixture(scope="module")
def tours():
    return radar.generate("tmat", 10, count=3)


def test_the_best_plan_of_each_counts(model, tours):
    report = radar.evaluate(model, tours, starts=4)
    assert [result.nodes for result in report.results] == [10, 10, 10]
    for result, tour in zip(report.results, tours):
        assert radar.check(tour, result.routes).cost == pytest.approx(result.cost)
        assert result.cost == min(plan.cost for plan in model.decode(tour, starts=4))
        assert (result.reference, result.gap, result.error) == (None, None, None)
        assert result.seconds > 0 and result.variant == "ATSP"
    assert report.cost == pytest.approx(sum(result.cost for result in report.results) / 3)
    assert report.gap is None


def test_references_may_be_solved_listed_or_named(model, tours):
    solved = radar.evaluate(model, tours, "solve")
    optima = [radar.solve(tour).cost for tour in tours]
    assert [result.reference for result in solved.results] == optima
    assert solved.gap >= 0
    listed = radar.evaluate(model, tours, optima)
    assert listed.gap == solved.gap
    named = [radar.Problem(tour.distance, name=f"tour {at}") for at, tour in enumerate(tours)]
    some = radar.evaluate(model, named, {"tour 1": optima[1], "another": 3.0})
    assert [result.reference for result in some.results] == [None, optima[1], None]
    assert some.gap == some.results[1].gap
    assert some.results[0].name == "tour 0"


def test_what_is_refused_is_a_result_too(model, tours, routes):
    report = radar.evaluate(model, [tours[0], routes])
    assert report.results[0].error is None
    assert isinstance(report.results[1].error, radar.InputError)
    assert report.cost == report.results[0].cost
    assert radar.evaluate(model, []).cost is None


def test_failures_are_counted_and_shown(model, tours, routes):
    report = radar.evaluate(model, [tours[0], routes], "solve")
    assert report.failed == 1 and "2 problems, 1 failed" in repr(report)
    assert [result.reference for result in report.results] == [radar.solve(tours[0]).cost, 6]
    assert "failed" not in repr(radar.evaluate(model, tours))


def test_a_network_for_something_else_is_refused_before_anything_is_solved(model, routes, monkeypatch):
    monkeypatch.setattr("radar._evaluate.solve_many", None)
    with pytest.raises(radar.InputError) as caught:
        radar.evaluate(model, [routes, routes], "solve")
    assert caught.value.code == "wrong-task"
    assert "none of the problems" in caught.value.cause


def test_a_path_and_a_single_problem_will_do(model, tours, tmp_path):
    path = tmp_path / "model.safetensors"
    model.save(path, half=False)
    assert radar.evaluate(path, tours[0]).cost == radar.evaluate(model, tours[:1]).cost


def test_a_frame_has_a_row_per_problem(model, tours):
    pytest.importorskip("pandas")
    report = radar.evaluate(model, tours, "solve")
    frame = report.to_frame()
    assert frame["cost"].mean() == pytest.approx(report.cost)
    assert list(frame.columns)[:4] == ["name", "variant", "nodes", "cost"]
    assert "3 problems" in repr(report)


@pytest.mark.parametrize(
    "references", ["guess", [1.0], {"nobody": 1.0}, [1.0, -2.0, 3.0], [float("nan")] * 3, ["1"] * 3]
)
def test_references_that_cannot_be_are_refused(references, model, tours):
    with pytest.raises(radar.InputError):
        radar.evaluate(model, tours, references)


@pytest.mark.parametrize("options", [{"temperature": -1.0}, {"starts": 0}, {"augment": 0}])
def test_an_option_that_means_nothing_is_raised(model, tours, options):
    with pytest.raises(radar.InputError) as refused:
        radar.evaluate(model, tours, **options)
    assert refused.value.code == "bad-option"
