"""Batches."""

import pickle
import time

import pytest

import radar


@pytest.fixture(scope="module")
def tours():
    return radar.generate("tmat", 12, count=20, seed=4)


def test_order_is_kept(tours):
    answers = radar.solve_many(tours)
    assert len(answers) == 20
    assert all(answer.problem is tour for answer, tour in zip(answers, tours))
    assert [answer.cost for answer in answers] == [radar.solve(tour).cost for tour in tours]


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_workers_change_nothing(workers, deliveries):
    problems = [deliveries, *radar.generate("multitask", 20, count=5, seed=2)]
    alone = [radar.solve(problem, time_limit=None, steps=300) for problem in problems]
    assert radar.solve_many(problems, time_limit=None, steps=300, workers=workers) == alone


def test_everybody_is_told_of(tours):
    told = []
    radar.solve_many(tours, on_done=lambda number, done: told.append((number, done)))
    assert sorted(number for number, _ in told) == list(range(20))
    assert [done for _, done in told] == list(range(1, 21))


def test_what_is_refused_stands_in_its_place(tours):
    broken = radar.Problem([[0, -1], [1, 0]])
    blocked = radar.Problem([[0, None], [1, 0]], kind="vrp")
    answers = radar.solve_many([tours[0], broken, blocked, tours[1]], errors="return")
    assert [type(answer) for answer in answers] == [
        radar.Solution,
        radar.InputError,
        radar.InfeasibleError,
        radar.Solution,
    ]
    with pytest.raises(radar.InputError) as caught:
        radar.solve_many([tours[0], broken, blocked])
    assert caught.value.code == "negative-value"
    assert caught.value.cause.startswith("problem 1: ")
    [first, nothing, neither] = caught.value.answers
    assert first == answers[0] and nothing is neither is None
    assert pickle.loads(pickle.dumps(caught.value)).answers == [first, None, None]


def test_a_callback_may_end_it():
    problems = radar.generate("acvrp", 60, count=30)
    began = time.perf_counter()
    answers = radar.solve_many(problems, time_limit=1, workers=1, on_done=lambda *_: False, errors="return")
    assert time.perf_counter() - began < 20
    assert isinstance(answers[0], radar.Solution)
    assert [answer.code for answer in answers[-1:]] == ["interrupted"]
    with pytest.raises(radar.Interrupted, match="the caller ended the work") as caught:
        radar.solve_many(problems, time_limit=1, workers=1, on_done=lambda *_: False)
    assert isinstance(caught.value.answers[0], radar.Solution)
    assert len(caught.value.answers) == 30 and caught.value.answers[-1] is None


def test_a_callback_may_fail(tours):
    def fail(number, done):
        raise LookupError("not today")

    with pytest.raises(LookupError, match="not today"):
        radar.solve_many(tours, on_done=fail)


def test_nothing_is_nothing():
    assert radar.solve_many([]) == []


@pytest.mark.parametrize("options", [{"errors": "ignore"}, {"workers": -1}, {"workers": 0}, {"time_limit": 0}])
def test_options_that_mean_nothing_are_refused(options, tours):
    with pytest.raises(radar.InputError):
        radar.solve_many(tours, **options)


def test_only_problems_are_taken(tours):
    with pytest.raises(radar.InputError, match=r"radar\.Problem"):
        radar.solve_many([[[0, 1], [1, 0]]])


def test_a_thousand_small_ones():
    problems = radar.generate("acvrp", 8, count=1000)
    answers = radar.solve_many(problems, time_limit=None, steps=100)
    assert all(answer.optimal for answer in answers)
