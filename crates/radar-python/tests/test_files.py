"""Files of every format, and everything that can be wrong with them."""

import os
import stat
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import radar

SQUARE = [[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]


@pytest.mark.parametrize("ending", ["json", "npz", "vrp", "jsonl"])
def test_what_is_written_is_read_again(ending, tmp_path):
    problem = radar.Problem(SQUARE, demand=[0, 3, 4], capacity=9, windows=[(0, 99)] * 3)
    path = tmp_path / f"problem.{ending}"
    problem.save(path)
    again = radar.read(path)
    assert again.distance.tolist() == SQUARE
    assert (again.demand, again.capacity, again.windows) == (problem.demand, 9, problem.windows)
    radar.write(str(path), problem)
    assert radar.read(str(path)) == again


def test_a_format_can_be_named(tmp_path):
    path = tmp_path / "problem.data"
    radar.write(path, radar.Problem(SQUARE), format="tsplib")
    assert "TYPE : ATSP" in path.read_text()
    assert radar.read(path, format="tsplib").kind == "atsp"
    assert {"json", "vrplib"} <= set(radar.formats()["read"]) & set(radar.formats()["write"])


def test_a_set_is_read_as_a_list(tmp_path):
    problems = radar.generate("tmat", 6, count=3)
    path = tmp_path / "set.npz"
    radar.write(path, problems)
    assert [problem.distance.tolist() for problem in radar.read_set(path)] == [
        problem.distance.tolist() for problem in problems
    ]
    with pytest.raises(radar.InputError) as caught:
        radar.read(path)
    assert caught.value.code == "set-of-problems" and "read_set" in caught.value.action


def test_a_table_of_an_engine_goes_with_its_stops(tmp_path):
    table, stops = tmp_path / "osrm.json", tmp_path / "stops.csv"
    table.write_text('{"code": "Ok", "distances": [[0, 900], [950, 0]], "durations": [[0, 90.5], [99, 0]]}')
    stops.write_text("id,demand,open,close\ndepot,0,08:00,14:00\nshop,3,08:30,09:00\n")
    problem = radar.read(table, stops=stops, capacity=40)
    assert (problem.nodes, problem.variant, problem.capacity) == (2, "AVRPTW", 40)
    assert problem.windows == [(28800, 50400), (30600, 32400)]
    assert problem.units == {"distance": "m", "duration": "s"}
    assert "clock-times" in [note.code for note in problem.notes]
    assert "clock-times" in [warning.code for warning in radar.solve(problem, time_limit=0.05).warnings]


def test_what_a_file_leaves_open_can_be_said(tmp_path):
    path = tmp_path / "matrix.csv"
    path.write_text("0,1\n2,0\n")
    with pytest.raises(radar.InputError) as caught:
        radar.read(path)
    assert caught.value.code == "kind-not-declared"
    assert "--" not in str(caught.value)
    assert radar.read(path, kind="atsp").kind == "atsp"
    problem = radar.read(path, vehicles=2, limit=9, max_duration=8, open=True)
    assert (problem.kind, problem.vehicles, problem.limit, problem.max_duration) == ("vrp", 2, 9, 8)
    assert problem.open


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.json", b""),
        ("cut.json", b'{"version": 1, "kind": "atsp", "distance": [[0, 1], [2'),
        ("nan.json", b'{"version": 1, "kind": "atsp", "distance": [[0, NaN], [2, 0]]}'),
        ("text.json", b'{"version": 1, "kind": "atsp", "distance": [["0", "1"], ["2", "0"]]}'),
        ("future.json", b'{"version": 2, "kind": "atsp", "distance": [[0]]}'),
        ("cut.vrp", b"NAME : x\nTYPE : ACVRP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EXPLICIT\n"),
        ("noise.npz", b"PK\x03\x04" + bytes(40)),
        ("noise.bin", bytes(range(256))),
        ("latin.csv", "0,é\n".encode("latin-1")),
    ],
)
def test_damaged_files_are_refused_with_their_name(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(radar.InputError) as caught:
        radar.read(path)
    assert name in caught.value.cause
    assert caught.value.code and caught.value.action


@pytest.mark.parametrize("ending", ["json", "npz", "vrp"])
def test_no_cut_of_a_file_is_a_problem(ending, tmp_path):
    path = tmp_path / f"whole.{ending}"
    radar.Problem(SQUARE, demand=[0, 3, 4], capacity=9).save(path)
    content = path.read_bytes().rstrip()
    content = content[: -len(b"EOF")].rstrip() if content.endswith(b"EOF") else content
    cut = tmp_path / f"cut.{ending}"
    for length in range(0, len(content) - 20, max(1, len(content) // 50)):
        cut.write_bytes(content[:length])
        with pytest.raises(radar.RadarError):
            radar.solve(radar.read(cut))


def test_files_that_are_not_there_are_said():
    with pytest.raises(radar.InputError) as caught:
        radar.read("nowhere/at-all.json")
    assert caught.value.code == "cannot-read"
    assert isinstance(caught.value.__cause__, FileNotFoundError)
    with pytest.raises(radar.InputError, match="wrong-type"):
        radar.read(5)


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "tsp"},
        {"format": "excel"},
        {"capacity": "9"},
        {"capacity": float("nan")},
        {"limit": float("inf")},
        {"vehicles": -1},
        {"open": 1},
        {"stops": "nowhere.csv"},
    ],
)
def test_options_that_mean_nothing_are_refused(options, routes, tmp_path):
    path = tmp_path / "problem.json"
    routes.save(path)
    with pytest.raises(radar.InputError) as caught:
        radar.read(path, **options)
    assert caught.value.code and caught.value.action


def test_plans_are_read(routes, tmp_path):
    path = tmp_path / "plan"
    for text in ("[[1], [2]]", "Route #1: 1\nRoute #2: 2\nCost 18.5\n", '{"routes": [[1], [2]]}'):
        path.write_text(text)
        assert radar.read_plan(path, routes) == [[1], [2]]
    radar.solve(routes).save(tmp_path / "answer.json")
    assert radar.read_plan(tmp_path / "answer.json", routes) == [[1, 2]]
    path.write_text("[[1], [7]]")
    with pytest.raises(radar.InputError, match="unknown-node"):
        radar.read_plan(path, routes)


def test_nothing_is_written_over_a_folder(routes, tmp_path):
    folder = tmp_path / "folder.json"
    folder.mkdir()
    for save in (routes.save, radar.solve(routes).save):
        with pytest.raises(radar.InputError) as caught:
            save(folder)
        assert caught.value.code == "cannot-write"
    assert folder.is_dir()
    with pytest.raises(radar.InputError, match="cannot-write"):
        routes.save(tmp_path / "nowhere" / "problem.json")


def test_a_file_is_replaced_in_one_piece(routes, tmp_path):
    path = tmp_path / "problem.json"
    path.write_text("old")
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    routes.save(link)
    assert link.is_symlink()
    assert radar.read(path).capacity == 9
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["link.json", "problem.json"]


def test_a_failed_write_leaves_what_was_there(tmp_path):
    path = tmp_path / "problem.csv"
    path.write_text("old")
    with pytest.raises(radar.InputError, match="cannot-express"):
        radar.Problem(SQUARE, demand=[0, 1, 1], capacity=2).save(path)
    assert path.read_text() == "old"
    with pytest.raises(radar.InputError, match="ending-unknown"):
        radar.Problem(SQUARE).save(tmp_path / "problem.docx")


def test_devices_are_written_to_and_not_replaced(routes):
    before = os.stat(os.devnull).st_ino
    routes.save(os.devnull, format="json")
    assert os.stat(os.devnull).st_ino == before


def test_only_problems_are_written(tmp_path):
    with pytest.raises(radar.InputError, match="Problem"):
        radar.write(tmp_path / "set.npz", [np.zeros((2, 2))])


def test_threads_that_write_one_file_leave_it_whole(tmp_path):
    problem, path = radar.generate("tmat", 60), tmp_path / "problem.json"
    with ThreadPoolExecutor(4) as threads:
        for saved in [threads.submit(problem.save, path) for _ in range(80)]:
            saved.result()
            assert radar.read(path).nodes == 60
    assert os.listdir(tmp_path) == ["problem.json"]


def test_a_name_may_be_as_long_as_names_can_be(routes, tmp_path):
    path = tmp_path / ("n" * 240 + ".json")
    routes.save(path)
    assert radar.read(path).capacity == 9


@pytest.mark.parametrize("path", ["", "a\0b", "\ud800.json", 3, None, b"x.json"], ids=repr)
def test_what_is_no_path_is_refused(path, routes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    solution, model = radar.solve(routes), radar.Model.new("small-atsp")
    for call in (
        lambda: radar.read(path),
        lambda: radar.read_plan(path, routes),
        lambda: radar.write(path, routes, "json"),
        lambda: routes.save(path),
        lambda: solution.save(path),
        lambda: model.save(path),
        lambda: radar.Model.load(path),
        lambda: radar.train("quick", path or "", budget="steps=1"),
        lambda: radar.train_config("quick", init=path or ""),
        lambda: radar.generate("roads", roads=[path]),
    ):
        with pytest.raises(radar.InputError) as caught:
            call()
        assert caught.value.code in ("bad-path", "wrong-type")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names are bytes on Linux")
def test_a_name_that_is_no_text_is_a_name(routes, tmp_path):
    folder = tmp_path / "d\udcff"
    folder.mkdir()
    routes.save(folder / "p\udcfe.json")
    assert radar.read(folder / "p\udcfe.json").capacity == 9
    radar.solve(routes).save(folder / "plan.sol")
    assert radar.read_plan(folder / "plan.sol", routes) == [[1, 2]]
    (folder / "bad.json").write_text("{")
    for call in (lambda: radar.read(folder / "bad.json"), lambda: radar.read(folder / "none.json")):
        with pytest.raises(radar.InputError) as caught:
            call()
        str(caught.value).encode()
    with pytest.raises(radar.InputError, match="bad-path"):
        radar.train("quick", folder / "run", budget="steps=1")
    assert not (folder / "run").exists()


def test_a_path_that_names_a_folder_is_no_file(routes, tmp_path):
    with pytest.raises(radar.InputError, match="cannot-write"):
        routes.save(f"{tmp_path}/x/", "json")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("format", ["", "nonsense"])
def test_a_format_that_is_named_is_never_guessed(format, routes, tmp_path):
    for save in (routes.save, radar.solve(routes).save):
        with pytest.raises(radar.InputError, match="format-unknown"):
            save(tmp_path / "x.json", format)
