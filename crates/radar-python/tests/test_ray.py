"""Batches over Ray: a local cluster of two cores, whose processes are killed while they are busy."""

from __future__ import annotations

import contextlib
import doctest
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import numpy as np
import pytest

import radar
import radar.ray
from radar import _workers

ray = pytest.importorskip("ray")
data = pytest.importorskip("ray.data")

# Enough work for a kill to come in the middle of it, and no clock: answers follow from the seed.
STEPS: dict[str, Any] = {"steps": 8000, "time_limit": None}
# One worker is enough for little: each takes a second to start.
QUICK: dict[str, Any] = {"steps": 200, "time_limit": None, "actors": 1}


def problem(number: int, stops: int = 50) -> radar.Problem:
    """Routes that are too many for a proof, so that all steps are taken."""
    random = np.random.default_rng(number)
    distance = random.integers(10, 100, (stops + 1, stops + 1))
    return radar.Problem(distance, demand=[0] + [1] * stops, capacity=10)


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[str]:
    context = ray.init(
        num_cpus=2, object_store_memory=100_000_000, include_dashboard=False, log_to_driver=False, logging_level="ERROR"
    )
    yield context.address_info["address"]
    ray.shutdown()


def descendants(parent: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            stat = Path("/proc", entry, "stat").read_text()
        except OSError:
            continue
        children.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry))
    found, ahead = [], [parent]
    while ahead:
        below = children.get(ahead.pop(), [])
        found += below
        ahead += below
    return found


def does(process: int, what: str) -> bool:
    """Ray writes into the title of a process what it does."""
    try:
        return Path("/proc", str(process), "cmdline").read_text().startswith(f"ray::Worker{what}")
    except OSError:
        return False


def workers(doing: str = "") -> list[int]:
    """Our own processes that solve."""
    return [process for process in descendants(os.getpid()) if does(process, doing)]


def kill_a_busy_worker(seconds: float = 60) -> list[int]:
    """Kills one with SIGKILL, as soon as there is one; none if nobody is busy for so long."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for process in workers(doing=".solve")[:1]:
            # It is stopped first, so that it cannot have finished between the look at it and its death.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGSTOP)
                if does(process, ".solve"):
                    os.kill(process, signal.SIGKILL)
                    return [process]
                os.kill(process, signal.SIGCONT)
        time.sleep(0.005)
    return []


def in_background(work: Callable[[], Any]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_nothing_is_lost_and_nothing_doubled_when_a_busy_worker_is_killed(tmp_path: Path) -> None:
    problems = {f"city {number}/north": problem(number) for number in range(30)}
    heard: list[tuple[str, int]] = []
    killed: list[int] = []
    killers: list[threading.Thread] = []

    def on_done(key: str, done: int) -> None:
        heard.append((key, done))
        if done in (2, 10):
            # Not here: while this is heard nobody gets new work, and soon nobody would be busy.
            killers.append(in_background(lambda: killed.extend(kill_a_busy_worker(seconds=5))))

    summary = radar.ray.solve(problems, tmp_path / "out", actors=2, on_done=on_done, **STEPS)

    for killer in killers:
        killer.join()
    # On a machine with much else to do the second may come when all is done.
    assert killed and summary.replaced == len(killed)
    assert (summary.solved, summary.refused, summary.skipped) == (30, 0, 0)
    assert sorted(key for key, _ in heard) == sorted(problems)
    assert [done for _, done in heard] == list(range(1, 31))
    assert len(list((tmp_path / "out" / "answers").iterdir())) == 30
    answers = dict(summary.answers())
    assert list(answers) == list(problems)
    for key, answer in answers.items():
        verdict = radar.check(problems[key], answer["routes"])
        assert verdict.feasible and verdict.cost == answer["cost"]
    # Who died and who did the work instead changes no answer.
    some = list(problems)[:4]
    for key, alone in zip(some, radar.solve_many([problems[key] for key in some], **STEPS)):
        assert answers[key]["routes"] == alone.routes


DRIVER = """
import sys, time, ray, radar, radar.ray
sys.path.insert(0, sys.argv[1])
from test_ray import STEPS, problem
ray.init(address=sys.argv[2], log_to_driver=False, logging_level="ERROR")
def source():
    for number in range(16):
        if number == 8:
            time.sleep(600)  # It never gets here: it is killed when there are four answers.
        yield problem(number)
radar.ray.solve(source(), sys.argv[3], actors=2, **STEPS)
"""


def test_a_killed_driver_is_gone_on_from(cluster: str, tmp_path: Path) -> None:
    answers = tmp_path / "answers"
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, str(Path(__file__).parent), cluster, str(tmp_path)])
    try:
        deadline = time.monotonic() + 300
        while len(list(answers.glob("*.json"))) < 4 and driver.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
    finally:
        driver.kill()
        driver.wait()
    before = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in answers.glob("*.json")}
    assert 4 <= len(before) <= 8
    # What a loss of power leaves behind is no answer, and no failure.
    (answers / "000015.json").write_text("")
    (tmp_path / "failures" / "000014.json").write_text("")

    summary = radar.ray.solve((problem(number) for number in range(16)), tmp_path, actors=2, **STEPS)

    assert (summary.solved, summary.skipped) == (16 - len(before), len(before))
    after = {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in answers.glob("*.json")}
    assert {name: after[name] for name in before} == before
    assert [key for key, _ in summary.answers()] == [f"{number:06}" for number in range(16)]
    again = radar.ray.solve((problem(number) for number in range(16)), tmp_path, **STEPS)
    assert (again.solved, again.refused, again.skipped) == (0, 0, 16)


def test_what_is_refused_is_a_result_and_said_once(tmp_path: Path) -> None:
    sound = problem(0, stops=8)
    too_much = radar.Problem(sound.distance, demand=[0] + [20] * 8, capacity=10)
    wrong = radar.Problem([[0, -1], [1, 0]])
    pairs = [("sound", sound), ("too much", too_much), ("wrong", wrong)]

    summary = radar.ray.solve(pairs, tmp_path, batch=3, **QUICK)

    assert (summary.solved, summary.refused, summary.replaced) == (1, 2, 0)
    assert [key for key, _ in summary.answers()] == ["sound"]
    failures = dict(summary.failures())
    assert failures["too much"][0].code == "demand-above-capacity"
    assert failures["wrong"][0].code == "negative-value"
    kept = json.loads((tmp_path / "failures" / "wrong.json").read_text())
    assert kept["code"] == "negative-value" and kept["cause"] and kept["action"]
    again = radar.ray.solve(pairs, tmp_path, **QUICK)
    assert (again.solved, again.refused, again.skipped) == (0, 0, 3)
    assert dict(again.failures()) == failures


def test_a_problem_that_kills_every_worker_is_named_and_costs_no_other_its_answer(tmp_path: Path) -> None:
    # Nothing kills a worker by itself, so whoever is busy after the others are done is killed from outside.
    finished = threading.Event()

    def killer() -> None:
        finished.wait(300)
        for _ in range(2):
            for victim in kill_a_busy_worker():
                while victim in descendants(os.getpid()):
                    time.sleep(0.01)

    thread = in_background(killer)
    problems = [("large", problem(1, stops=300)), *((f"small {number}", problem(number, 8)) for number in range(3))]
    done = lambda key, done: finished.set() if done == 3 else None  # noqa: E731

    with pytest.raises(radar.ray.Incomplete) as raised:
        radar.ray.solve(problems, tmp_path, actors=2, retries=1, on_done=done, time_limit=300.0)

    thread.join()
    assert raised.value.code == "workers-died" and raised.value.keys == ["large"]
    assert pickle.loads(pickle.dumps(raised.value)).keys == ["large"]
    assert sorted(path.stem for path in (tmp_path / "answers").glob("*.json")) == ["small 0", "small 1", "small 2"]


def test_a_source_is_asked_only_when_somebody_is_free(tmp_path: Path) -> None:
    drawn, ahead = 0, []

    def source() -> Iterator[radar.Problem]:
        nonlocal drawn
        for number in range(24):
            drawn += 1
            yield problem(number, stops=30)

    two = {**QUICK, "actors": 2, "batch": 2}
    radar.ray.solve(source(), tmp_path, on_done=lambda _, done: ahead.append(drawn - done), **two)

    # Two batches at work, one in hand; the answer that is told of is done already.
    assert max(ahead) <= 5
    assert len(ahead) == 24


def test_the_pool_grows_while_problems_wait_and_shrinks_when_they_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("radar._workers._IDLE_SECONDS", 0.2)
    while workers():
        time.sleep(0.01)
    sizes: list[int] = []

    def until(size: int, stops: int, pause: float) -> Iterator[radar.Problem]:
        """Problems of so many stops, until there are so many workers."""
        deadline = time.monotonic() + 120
        while len(workers()) != size and time.monotonic() < deadline:
            yield problem(0, stops)
            time.sleep(pause)
        sizes.append(len(workers()))

    def source() -> Iterator[radar.Problem]:
        sizes.append(len(workers()))
        # As many as are taken, of which one worker alone makes a second grow; then such as one is more than enough for.
        yield from until(2, stops=50, pause=0)
        yield from until(1, stops=8, pause=0.5)

    summary = radar.ray.solve(source(), tmp_path, actors=(1, 2), **STEPS)

    assert summary.solved == len(summary.keys) and summary.replaced == 0
    assert sizes == [0, 2, 1]


def test_the_example_in_the_docstring_holds() -> None:
    # It is passed over where examples are run, because it needs a cluster.
    text = (radar.ray.solve.__doc__ or "").replace("# doctest: +SKIP", "")
    example = doctest.DocTestParser().get_doctest(text, {}, "radar.ray.solve", None, None)
    told = doctest.DocTestRunner().run(example)
    assert (told.attempted, told.failed) == (4, 0)


def test_files_are_read_by_path_folder_and_pattern(tmp_path: Path) -> None:
    sets = tmp_path / "sets"
    sets.mkdir()
    radar.write(sets / "one.json", problem(1, stops=8))
    radar.write(sets / "several.jsonl", [problem(number, stops=8) for number in (2, 3)])
    (sets / "torn.json").write_text('{"version": 1, "kind": "vrp", "dist')

    summary = radar.ray.solve(sets, tmp_path / "out", **QUICK)

    assert [key for key, _ in summary.answers()] == ["one", "several#0", "several#1"]
    [(key, messages)] = summary.failures()
    assert key == "torn" and "torn.json" in messages[0].cause
    by_pattern = radar.ray.solve([str(sets / "o*.json"), sets / "several.jsonl"], tmp_path / "out", **QUICK)
    assert (by_pattern.solved, by_pattern.skipped) == (0, 3)


def test_a_dataset_is_read_while_workers_solve(tmp_path: Path) -> None:
    data.DataContext.get_current().enable_progress_bars = False
    problems = [problem(number) for number in range(6)]
    rows = [
        {"name": f"n{number}", "distance": one.distance, "demand": one.demand, "capacity": 10}
        for number, one in enumerate(problems)
    ]
    dataset = data.from_items(rows, override_num_blocks=3).map(lambda row: row)
    sizes: list[int] = []

    def on_done(key: str, done: int) -> None:
        sizes.append(len(workers()))

    summary = radar.ray.solve(dataset, tmp_path, key="name", actors=2, on_done=on_done, **STEPS)

    # Reading takes a core: two workers would hold both there are, and wait forever for what nobody can read.
    assert max(sizes) == 1
    alone = radar.solve_many(problems, **STEPS)
    expected = {f"n{number}": solution.routes for number, solution in enumerate(alone)}
    assert {key: answer["routes"] for key, answer in summary.answers()} == expected


class Rows:
    """As much of a Dataset as is asked for."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        self.rows = rows

    def iter_rows(self) -> Iterator[dict[str, Any]]:
        return iter([dict(row) for row in self.rows])

    def map_batches(self) -> None:
        raise AssertionError("the pool is our own")


def test_rows_of_a_dataset_state_a_problem_in_one_column_or_in_several(tmp_path: Path) -> None:
    one = problem(1, stops=8)
    rows = Rows(
        {"key": 1, "problem": one.to_json()},
        {"key": 2, "problem": one},
        {"key": 3, "problem": one.to_json().encode()},
        {"key": 4, "distance": one.distance, "demand": np.array(one.demand), "capacity": 10, "limit": None},
        {"key": 5, "problem": "{"},
    )
    summary = radar.ray.solve(rows, tmp_path / "out", **QUICK)
    routes = [answer["routes"] for _, answer in summary.answers()]
    assert routes == [routes[0]] * 4
    assert [key for key, _ in summary.failures()] == ["5"]
    by_size = radar.ray.solve(Rows({"problem": one}), tmp_path / "named", key=lambda one: one.nodes, **QUICK)
    assert by_size.keys == ("9",)
    for row, code in (({"problem": one}, "key-missing"), ({"key": 1, "matrix": one.distance}, "wrong-type")):
        with pytest.raises(radar.InputError) as raised:
            radar.ray.solve(Rows(row), tmp_path / code, **QUICK)
        assert raised.value.code == code


@pytest.mark.parametrize(
    ("source", "options", "code"),
    [
        (lambda: [("a", problem(1, 8)), ("a", problem(2, 8))], {}, "duplicate-key"),
        (lambda: [("", problem(1, 8))], {}, "bad-key"),
        (lambda: [problem(1, 8).distance], {}, "wrong-type"),
        (lambda: "no-such-file.json", {}, "cannot-read"),
        (lambda: [problem(1, 8)], {"key": "name"}, "bad-option"),
        (lambda: [problem(1, 8)], {"actors": (2, 1)}, "bad-option"),
        (lambda: [problem(1, 8)], {"method": "magic"}, "bad-option"),
    ],
)
def test_what_cannot_be_meant_is_refused(source: Any, options: dict[str, Any], code: str, tmp_path: Path) -> None:
    with pytest.raises(radar.InputError) as raised:
        radar.ray.solve(source(), tmp_path, **{**QUICK, **options})
    assert raised.value.code == code


@pytest.mark.parametrize("option", ["on_progress", "warm", "errors", "problems"])
def test_an_option_that_there_is_not_is_one_of_what_was_called(option: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=rf"^radar\.ray\.solve\(\) .* '{option}'$"):
        radar.ray.solve([], tmp_path / "answers", **{option: None})
    assert not (tmp_path / "answers").exists()


def test_a_folder_holds_answers_to_the_same_questions(tmp_path: Path) -> None:
    radar.ray.solve([problem(1, stops=8)], tmp_path, **QUICK)
    with pytest.raises(radar.InputError) as raised:
        radar.ray.solve([problem(1, stops=8)], tmp_path, seed=7, **QUICK)
    assert raised.value.code == "other-options"
    same = problem(1, stops=8)
    other_demands = radar.Problem(same.distance, demand=[0] + [2] * 8, capacity=10)
    for other in (problem(2, stops=8), other_demands):
        with pytest.raises(radar.InputError) as raised:
            radar.ray.solve([other], tmp_path, **QUICK)
        assert raised.value.code == "other-problem"


def test_a_refused_problem_that_was_mended_is_not_passed_over(tmp_path: Path) -> None:
    wrong = radar.Problem([[0, -1], [1, 0]])
    assert radar.ray.solve({"one": wrong}, tmp_path, **QUICK).refused == 1
    mended = {"one": radar.Problem([[0, 1], [1, 0]])}
    with pytest.raises(radar.InputError) as raised:
        radar.ray.solve(mended, tmp_path, **QUICK)
    assert raised.value.code == "other-problem" and "delete" in raised.value.action
    (tmp_path / "failures" / "one.json").unlink()
    assert radar.ray.solve(mended, tmp_path, **QUICK).solved == 1


def test_a_network_goes_to_the_workers_by_its_weights(tmp_path: Path) -> None:
    tour, options = radar.generate("tmat", 8), {"actors": 1, "time_limit": None, "method": "neural"}
    path = tmp_path / "model.safetensors"
    radar.Model.new({"preset": "small-atsp", "layers": 1}, seed=1).save(path)
    summary = radar.ray.solve([tour], tmp_path / "out", model=path, **options)
    [(_, answer)] = summary.answers()
    assert answer["routes"] == radar.solve(tour, model=path, method="neural", time_limit=None).routes
    again = radar.ray.solve([tour], tmp_path / "out", model=radar.Model.load(path), **options)
    assert again.skipped == 1
    radar.Model.new({"preset": "small-atsp", "layers": 1}, seed=2).save(path)
    with pytest.raises(radar.InputError) as raised:
        radar.ray.solve([tour], tmp_path / "out", model=path, **options)
    assert raised.value.code == "other-options"


@pytest.mark.parametrize(
    "mistaken",
    [
        {"actors": None},
        {"actors": (1,)},
        {"actors": 1.5},
        {"actors": (2, 1)},
        {"batch": 1.5},
        {"retries": None},
        {"cpus_per_actor": float("inf")},
        {"key": 3},
        {"on_done": 5},
        {"dataset": 5},
        {"dataset": "nowhere.json"},
        {"output": 3},
        {"output": "a\0b"},
    ],
    ids=repr,
)
def test_what_is_refused_leaves_no_folder(mistaken: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(radar.InputError) as caught:
        radar.ray.solve(**{"dataset": [], "output": tmp_path / "out", **mistaken})
    assert caught.value.code and caught.value.action
    assert not (tmp_path / "out").exists()


def test_without_ray_no_folder_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"pip install 'ray\[data\]'"):
        radar.ray.solve([], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written_is_said_with_a_code(tmp_path: Path) -> None:
    answers = tmp_path / "answers"

    def spoilt() -> Iterator[radar.Problem]:
        # In the place of the folder there is a file when the first answer comes.
        answers.rmdir()
        answers.write_text("")
        yield problem(1, stops=8)

    with pytest.raises(radar.InputError) as raised:
        radar.ray.solve(spoilt(), tmp_path, **QUICK)
    assert raised.value.code in ("cannot-read", "cannot-write") and str(answers) in raised.value.cause


def test_workers_that_cannot_start_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, options: Any) -> None:
            raise RuntimeError("nothing here")

        def ready(self) -> None:
            pass

    monkeypatch.setattr(_workers, "Worker", Broken)
    with pytest.raises(radar.InputError) as raised:
        radar.ray.solve([problem(1, stops=8)], tmp_path, retries=0, **QUICK)
    assert raised.value.code == "no-worker"


def test_a_defect_in_a_worker_is_an_error_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def __init__(self, options: Any) -> None:
            pass

        def ready(self) -> None:
            pass

        def solve(self, problems: Any) -> Any:
            raise RuntimeError("a defect")

    monkeypatch.setattr(_workers, "Worker", Failing)
    with pytest.raises(radar.InternalError) as raised:
        radar.ray.solve([problem(1, stops=8)], tmp_path, **QUICK)
    assert (raised.value.code, raised.value.cause) == ("worker-failed", "a defect")


def test_more_cores_than_any_machine_has_are_warned_of(cluster: str) -> None:
    with pytest.warns(UserWarning, match="a worker asks for 9999 cores"):
        _workers.Workers({"workers": 1}, 1, 1, 9999, 0, lambda key, outcome: None, reading=False)
