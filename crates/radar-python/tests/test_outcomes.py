"""The folder of a batch: what counts as done, and for which problem."""

import json
import pickle

import numpy as np
import pytest

import radar
from radar._outcomes import Outcomes, digest, file_name

SQUARE = [[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]
OPTIONS = {"seed": 0, "time_limit": None}


@pytest.fixture
def outcomes(tmp_path):
    made = Outcomes(tmp_path / "out")
    made.open(OPTIONS)
    return made


def refused():
    with pytest.raises(radar.InputError) as caught:
        radar.solve([[0, -1], [1, 0]])
    return caught.value


def test_every_part_of_a_problem_tells_it_from_others():
    told = [
        digest(radar.Problem(SQUARE, **parts))
        for parts in (
            {},
            {"kind": "vrp"},
            {"demand": [0, 3, 4], "capacity": 9},
            {"demand": [0, 3, 5], "capacity": 9},
            {"demand": [0, 3, 4], "capacity": 9, "duration": SQUARE},
            {"demand": [0, 3, float("nan")], "capacity": 9},
            {"windows": [(0, None), (0, 5), (0, 5)]},
            {"vehicles": 2},
        )
    ]
    told += [digest(radar.Problem(matrix)) for matrix in ([[0, 1], [2]], [[0, float("nan")], [1, 0]])]
    told += [digest(refused())]
    assert len(set(told)) == len(told)


def test_how_a_problem_came_does_not_tell_it_from_itself():
    problem = radar.Problem(SQUARE, demand=[0, 3, 4], capacity=9, name="one")
    single = radar.Problem(np.array(SQUARE, dtype=np.float32), demand=[0, 3, 4], capacity=9)
    for one in (problem, single):
        assert digest(pickle.loads(pickle.dumps(one))) == digest(one)
    assert digest(radar.Problem.from_json(problem.to_json())) == digest(problem)
    assert digest(single) != digest(problem)


def test_outcomes_are_of_the_problem_they_were_kept_for(outcomes):
    one, other = digest(radar.Problem(SQUARE)), digest(radar.Problem(SQUARE, vehicles=1))
    answer = radar.solve(SQUARE).to_json()
    outcomes.keep("solved", one, answer)
    outcomes.keep("refused", one, refused())
    for key in ("solved", "refused"):
        assert outcomes.has(key, one)
        with pytest.raises(radar.InputError) as caught:
            outcomes.has(key, other)
        assert caught.value.code == "other-problem" and f"{key}.json" in caught.value.cause
        with pytest.raises(radar.InputError, match="other-problem"):
            outcomes.keep(key, other, answer)
    assert outcomes.answer("solved") == json.loads(answer)
    assert outcomes.failure("refused") == refused().messages


@pytest.mark.parametrize("content", ["", '{"cost": 1, "r', "null", "[]", "{}", '{"messages": []}', '{"messages": [1]}'])
@pytest.mark.parametrize("kind", ["answers", "failures"])
def test_what_a_loss_of_power_leaves_is_no_outcome(content, kind, outcomes):
    one = digest(radar.Problem(SQUARE))
    outcomes.keep("a", one, radar.solve(SQUARE).to_json() if kind == "answers" else refused())
    (outcomes.folder / kind / "a.json").write_text(content)
    assert not outcomes.has("a", one)
    assert not outcomes.is_there("a")
    outcomes.keep("a", one, refused())
    assert outcomes.has("a", one)


@pytest.mark.parametrize("left", ["", "0" * 63, None])
def test_an_outcome_of_nobody_knows_what_is_none(left, outcomes):
    one = digest(radar.Problem(SQUARE))
    outcomes.keep("a", one, radar.solve(SQUARE).to_json())
    path = outcomes.folder / "problems" / "a.sha256"
    path.unlink() if left is None else path.write_text(left)
    assert not outcomes.has("a", one)


def test_keys_are_apart_where_capitals_do_not_count():
    keys = ["a", "A", "ab", "aB", "Ab", "a%", "a@43f853bb", "north", "North", "é", "É", "a/b", "a%2fb"]
    assert len({file_name(key).lower() for key in keys}) == len(keys)
    assert all("/" not in file_name(key) for key in keys)


def test_a_network_is_known_by_its_weights(outcomes, tmp_path):
    small = {"preset": "small-atsp", "layers": 1}
    one, other = radar.Model.new(small, seed=1), radar.Model.new(small, seed=2)
    folder = Outcomes(tmp_path / "neural")
    folder.open({**OPTIONS, "model": one})
    folder.open({**OPTIONS, "model": pickle.loads(pickle.dumps(one))})
    assert one.name == other.name
    with pytest.raises(radar.InputError, match="other-options"):
        folder.open({**OPTIONS, "model": other})


def test_options_are_kept_and_compared(outcomes):
    outcomes.open({**OPTIONS, "workers": 7, "seed": np.int64(0)})
    with pytest.raises(radar.InputError, match="other-options"):
        outcomes.open({**OPTIONS, "seed": 1})
    (outcomes.folder / "run.json").write_text("")
    outcomes.open(OPTIONS)
    assert json.loads((outcomes.folder / "run.json").read_text())["options"] == OPTIONS
