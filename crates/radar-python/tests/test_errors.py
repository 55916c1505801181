"""Errors teach, and travel."""

import pickle
import re
from pathlib import Path

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


@pytest.mark.parametrize(
    ("said", "here"),
    [
        ("give --max-duration, not a--b or ---", "give max_duration, not a--b or ---"),
        ("say --kind atsp or --kind vrp, or give stops", "say kind='atsp' or kind='vrp', or give stops"),
        ("leave out --kind and options", "leave out kind and options"),
        ("name the format (--to)", "name the format (format)"),
        ("name it with --from if it is", "name it with format if it is"),
        ("give it more --time", "give it more time_limit"),
        ("lower `starts` or --threads", "lower `starts` or RAYON_NUM_THREADS (in the environment)"),
        ("allow more with --memory", "allow more with memory"),
        ("serve the rest with --allow-unserved", "serve the rest with allow_unserved=True"),
        ("give --vehicles 3 --open", "give vehicles=3 open=True"),
        ("give --minimise duration", "give minimise='duration'"),
        ("go on with it (--resume)", "go on with it (resume=True)"),
        ("--resume --budget steps=30", "resume=True budget='steps=30'"),
        ("(--init RUN/last.safetensors) with another --out", "(init='RUN/last.safetensors') with another out"),
        ("--set optimiser.lr=1e-4", "set={'optimiser.lr': 1e-4}"),
        ("give one with `--model`", "give one with `model`"),
        ("see `radar generate --help`", "see radar.distributions()"),
        ("bring it in with `radar model import`", "bring it in with the command `radar model import`"),
    ],
)
def test_texts_speak_of_what_there_is_here(said, here):
    error = _errors.make("problem", [{**message(cause=said), "action": said}])
    assert (error.cause, error.action) == (here, here)
    assert _errors.note("code", said).text == here


def test_no_error_speaks_of_options_of_the_command(tmp_path):
    for mistaken in (
        lambda: radar.generate("tamt"),
        lambda: radar.train({"data": {"distribution": "tamt"}}, tmp_path / "run"),
        lambda: radar.Problem([[0]]).save(tmp_path / "problem.docx"),
        lambda: radar.solve([[0, 1], [1, 0]], method="neural", model=radar.Model.shipped("vrp")),
    ):
        with pytest.raises(radar.InputError) as caught:
            mistaken()
        assert "--" not in str(caught.value)


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


def test_every_code_is_documented():
    package, docs = Path(radar.__file__).parent, Path(__file__).parents[3] / "docs"
    sources = "".join(path.read_text() for path in package.glob("*.py"))
    said = set(re.findall(r'(?:bad_input\(|Message\("error",|Note\()\s*"([a-z-]+)"', sources))
    listed = set(re.findall(r"`([a-z-]+)`", "".join(path.read_text() for path in docs.glob("*.md"))))
    assert len(said) > 30 and said <= listed


def test_notes_are_readable():
    assert str(radar.Note("clock-times", "times of day")) == "[clock-times] times of day"
