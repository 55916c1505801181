"""Training: runs, their folders, and what a caller hears."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import radar
from radar import _toml

TINY = {
    "name": "tiny",
    "batch": 4,
    "log_every": 1,
    "save_every": 2,
    "model": {"preset": "small-atsp", "layers": 1, "width": 16, "heads": 2, "hidden": 16},
    "data": {"distribution": "tmat", "nodes": 8},
    "validation": {"count": 4, "every": 2, "search_steps": 100},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return radar.train(TINY, tmp_path_factory.mktemp("runs") / "tiny", budget="steps=4")


def test_a_run_says_what_it_took(run):
    assert (run.ending, run.steps, run.instances) == ("done", 4, 16)
    assert run.seconds > 0 and run.cpu_seconds >= 0
    assert run.best.cost > 0 and run.best.unsolved == 0
    assert run.references == 4 >= run.proved
    assert run.score > 0 and run.score_name


def test_a_run_keeps_its_weights_and_metrics(run):
    tour = radar.generate("tmat", 8)
    assert run.best_model().decode(tour)[0].complete
    assert run.last_model().name == "tiny"
    steps = [line for line in run.metrics() if "loss" in line]
    assert len(steps) == 4
    assert (run.folder / "config.toml").exists()


def test_a_run_goes_on(run):
    more = radar.train(None, run.folder, resume=True, budget="steps=6")
    assert (more.ending, more.steps) == ("done", 6)
    with pytest.raises(radar.InputError) as caught:
        radar.train("quick", run.folder, resume=True, set={"batch": 2})
    assert caught.value.code == "unused-option" and "config, set" in caught.value.cause
    with pytest.raises(radar.InputError, match="run-exists"):
        radar.train(TINY, run.folder, budget="steps=4")


def test_every_event_is_documented_with_its_keys(tmp_path):
    events = []
    radar.train(TINY, tmp_path / "run", budget="steps=2", on_event=events.append)
    docs = (Path(__file__).parents[3] / "docs" / "python.md").read_text()
    rows = [line for line in docs.partition("| event | keys |")[2].split("\n\n")[0].splitlines() if "`" in line]
    for event in events:
        name = event.pop("event")
        [row] = [row for row in rows if f"`{name}`" in row.split("|")[1]]
        assert all(f"`{key}`" in row for key in event)


def test_events_tell_the_story_and_may_end_it(tmp_path):
    events = []

    def hear(event):
        events.append(event)
        return event["event"] != "step"

    run = radar.train(TINY, tmp_path / "run", budget="steps=100000", on_event=hear)
    assert run.ending == "stopped" and run.steps < 100000
    names = [event["event"] for event in events]
    assert names.index("preparing") < names.index("prepared") < names.index("step")
    assert radar.train(None, tmp_path / "run", resume=True, budget=f"steps={run.steps + 1}").ending == "done"


def test_an_exception_of_a_callback_is_raised(tmp_path):
    def fail(event):
        raise LookupError("not today")

    with pytest.raises(LookupError, match="not today"):
        radar.train(TINY, tmp_path / "run", budget="steps=100000", on_event=fail)


def test_ctrl_c_saves_and_returns(tmp_path):
    program = f"""
import radar
def hear(event):
    if event["event"] == "step":
        print("begun", flush=True)
run = radar.train({TINY!r}, {str(tmp_path / "run")!r}, budget="10m", on_event=hear)
print(run.ending, flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=os.environ)
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    printed, _ = process.communicate(timeout=60)
    assert printed.splitlines()[-1] == "stopped"
    assert (tmp_path / "run" / "state.safetensors").exists()


def test_a_configuration_may_be_a_preset_a_file_or_a_dictionary(tmp_path):
    assert "quick" in radar.train_presets()
    whole = radar.train_config("quick")
    path = tmp_path / "quick.toml"
    path.write_text(whole)
    assert radar.train_config(path) == whole
    assert radar.train_config({"preset": "quick"}) == whole
    changed = radar.train_config("quick", set={"optimiser.lr": 3e-5, "name": "mine", "data.nodes": [20, 30]})
    assert 'name = "mine"' in changed and changed != whole


def test_weights_and_roads_may_be_given(run, city, tmp_path):
    init = run.folder / "last.safetensors"
    roads = tmp_path / "roads.npz"
    city.save(roads)
    config = {**TINY, "data": {"distribution": "roads", "nodes": 8, "roads": [str(roads)]}}
    again = radar.train(config, tmp_path / "one", init=init, budget="steps=1")
    assert again.steps == 1
    assert str(roads) in radar.train_config(TINY, data=roads)


@pytest.mark.parametrize(
    "arguments",
    [
        {"config": "quikc"},
        {"config": None},
        {"config": {"batch": None}},
        {"config": {"batch": "many"}},
        {"config": {"speed": 3}},
        {"config": TINY, "set": {"optimiser.speed": 3}},
        {"config": TINY, "budget": "soon"},
        {"config": TINY, "budget": 5},
        {"config": TINY, "init": "nowhere.safetensors"},
        {"config": TINY, "data": "nowhere.npz"},
        {"config": TINY, "memory": 1},
        {"config": None, "resume": True},
    ],
)
def test_what_cannot_be_trained_is_refused(arguments, tmp_path):
    with pytest.raises(radar.InputError) as caught:
        radar.train(out=tmp_path / "run", **arguments)
    assert caught.value.code and caught.value.action


def test_dictionaries_become_toml(tmp_path):
    # The reader of the command is the judge: the same configuration, written by hand.
    by_hand = tmp_path / "by-hand.toml"
    by_hand.write_text(
        '''
preset = "quick"
name = "a \\"quoted\\" name, \\u65E5\\u672C \\\\"
batch = 3
ema = 0.5
[optimiser]
lr = 0.00001
[data]
nodes = [20, 30]
[model]
layers = 2
'''
    )
    table = {
        "preset": "quick",
        "name": 'a "quoted" name, 日本 \\',
        "batch": np.int64(3),
        "ema": 0.5,
        "optimiser": {"lr": 1e-5},
        "data": {"nodes": (20, 30)},
        "model": {"layers": 2},
    }
    assert radar.train_config(table) == radar.train_config(by_hand)
    nested = {"a key": {"b": True, "c": [1, ["x", 2.5]]}}
    assert _toml.document(nested) == '"a key" = { b = true, c = [1, ["x", 2.5]] }\n'
    with pytest.raises(radar.InputError, match=r"table\.in"):
        _toml.document({"table": {"in": None}})


def test_what_is_refused_leaves_no_run(tmp_path):
    for mistaken in ({"on_event": 5}, {"set": 0}, {"data": None}, {"init": ""}):
        with pytest.raises(radar.InputError):
            radar.train(TINY, tmp_path / "run", budget="steps=1", **mistaken)
    assert radar.train(TINY, tmp_path / "run", budget="steps=1").steps == 1


def test_a_line_that_is_cut_off_was_not_measured(run):
    lines, path = run.metrics(), run.folder / "metrics.jsonl"
    whole = path.read_bytes()
    try:
        path.write_bytes(whole[:-5])
        assert run.metrics() == lines[:-1]
        path.write_bytes(b"{\n" + whole)
        with pytest.raises(radar.InputError, match="json-syntax"):
            run.metrics()
    finally:
        path.write_bytes(whole)


def test_a_run_has_a_folder_of_its_own_unless_one_is_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first, second = (radar.train(TINY, budget="steps=1") for _ in range(2))
    assert (first.folder, second.folder) == (Path("runs/tiny"), Path("runs/tiny-2"))
    odd = radar.train({**TINY, "name": "../so what"}, budget="steps=1")
    assert odd.folder == Path("runs/so-what")
    with pytest.raises(radar.InputError) as raised:
        radar.train(None, resume=True)
    assert raised.value.code == "no-run"
