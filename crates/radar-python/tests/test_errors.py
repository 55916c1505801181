"""Errors teach, and travel."""

import pickle

import pytest

import radar
from radar import _errors


def message(code="negative-value", severity="error", cause="distance[1][0] is -1"):
    return {"severity": severity, "code": code, "cause": cause, "action": "give 0 or more", "nodes": [1]}


@pytest.mark.parametrize(
    ("blame", "kind", "also"),
    [
        ("input", radar.InputError, ValueError),
        ("problem", radar.InfeasibleError, radar.RadarError),
        ("program", radar.InternalError, RuntimeError),
        ("interrupted", radar.Interrupted, radar.RadarError),
    ],
)
def test_whose_matter_it_is_is_the_class(blame, kind, also):
    error = _errors.make(blame, [message()])
    assert type(error) is kind
    assert isinstance(error, also) and isinstance(error, radar.RadarError)


def test_an_error_says_code_cause_and_action():
    error = _errors.make("input", [message(), message("not-a-number")])
    assert (error.code, error.cause, error.action) == ("negative-value", "distance[1][0] is -1", "give 0 or more")
    assert [said.code for said in error.messages] == ["negative-value", "not-a-number"]
    assert str(error).splitlines()[:2] == ["error [negative-value]: distance[1][0] is -1", "    -> give 0 or more"]
    assert error.messages[0].nodes == (1,)


def test_a_long_list_is_cut_where_it_is_shown():
    error = _errors.make("input", [message() for _ in range(40)])
    assert len(error.messages) == 40
    assert str(error).endswith("and 35 more in .messages")


def test_options_have_the_names_they_have_here():
    error = _errors.make("problem", [message(cause="give --max-duration, not a--b or ---")])
    assert error.cause == "give max_duration, not a--b or ---"


@pytest.mark.parametrize("blame", ["input", "problem", "program", "interrupted"])
def test_errors_survive_a_journey(blame):
    error = _errors.make(blame, [message(), message("wrong-length")])
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert again.messages == error.messages
    assert str(again) == str(error)


def test_errors_of_the_native_module_are_these():
    with pytest.raises(ValueError, match="negative-value"):
        radar.solve([[0, -1], [1, 0]])


def test_a_place_is_put_before_the_cause():
    error = _errors.make("input", [message(), message()]).within("problem 3")
    assert type(error) is radar.InputError
    assert error.cause == "problem 3: distance[1][0] is -1"
    assert len(error.messages) == 2


def test_notes_are_readable():
    assert str(radar.Note("clock-times", "times of day")) == "[clock-times] times of day"
