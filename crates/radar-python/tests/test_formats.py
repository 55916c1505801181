"""Every format that is read and written, on small files."""

from pathlib import Path

import pytest

import radar

FIXTURES = Path(__file__).parents[2] / "radar-format" / "tests" / "fixtures"
SQUARE = [[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]

# Format, file, what is said beside it, and what it reads as: how many, variant, nodes, a way and back, capacity.
FILES = [
    ("tsplib", "porto/porto20.atsp", {}, (1, "ATSP", 20, 3049.0, 2223.0, None)),
    ("vrplib", "porto/porto20.vrp", {}, (1, "ACVRP", 20, 3049.0, 2223.0, 40.0)),
    ("solomon", "solomon/small.txt", {}, (1, "AVRPTW", 3, 15.2315, 15.2315, 200.0)),
    ("osrm", "porto/osrm_table_20.json", {"kind": "atsp"}, (1, "ATSP", 20, 2695.6, 2684.4, None)),
    ("valhalla", "porto/valhalla_matrix_compact_20.json", {"kind": "atsp"}, (1, "ATSP", 20, 2.697, 2.466, None)),
    ("google", "engines/google.json", {"vehicles": 2}, (1, "ACVRP", 3, 1200.0, 1300.0, None)),
    ("graphhopper", "engines/graphhopper.json", {"kind": "atsp"}, (1, "ATSP", 3, 1200.0, 1300.0, None)),
    ("openrouteservice", "engines/openrouteservice.json", {"kind": "atsp"}, (1, "ATSP", 3, 0.2, 0.21, None)),
    ("vroom", "vroom/full.json", {}, (1, "AVRPBTW", 4, 50.0, 20.0, 9.0)),
    ("npz", "npz/paper_acvrp20.npz", {}, (3, "ACVRP", 21, 511822.0, 753513.0, 30.0)),
    ("npz", "npz/rrnco_rcvrptw.npz", {}, (2, "AVRPTW", 6, 1.3172544, 8.941535, 1.0)),
    ("npz", "npz/city_m_s.npz", {"kind": "atsp"}, (1, "ATSP", 11, 2195.2, 1881.3, None)),
]


@pytest.mark.parametrize(("format", "file", "stated", "expected"), FILES, ids=[file for _, file, _, _ in FILES])
def test_files_of_others_are_read(format, file, stated, expected):
    problems = radar.read_set(FIXTURES / file, **stated)
    first = problems[0]
    there, back = float(first.distance[0, 1]), float(first.distance[1, 0])
    assert (len(problems), first.variant, first.nodes) == expected[:3]
    assert (there, back, first.capacity) == pytest.approx(expected[3:])
    assert first.is_sound
    assert radar.read_set(FIXTURES / file, format=format, **stated) == problems


OURS = {"json": {}, "json-lines": {}, "csv": {"kind": "atsp"}}


@pytest.mark.parametrize("format", OURS)
def test_files_of_our_own_are_read(format, tmp_path):
    path = tmp_path / "problem"
    radar.write(path, radar.Problem(SQUARE), format=format)
    assert radar.read(path, **OURS[format]).distance.tolist() == SQUARE
    assert radar.read(path, format=format, **OURS[format]).kind == "atsp"


def test_no_format_is_forgotten():
    assert {format for format, *_ in FILES} | OURS.keys() == set(radar.formats()["read"])
    assert WRITTEN.keys() | {"stops"} == set(radar.formats()["write"])


def tour():
    return radar.Problem(SQUARE)


def deliveries():
    return radar.Problem(SQUARE, demand=[0, 3, 4], capacity=9)


# What a format can say, and what is said beside it when it is read.
WRITTEN = {
    "json": (deliveries, {}),
    "json-lines": (deliveries, {}),
    "npz": (deliveries, {}),
    "npz-rrnco": (deliveries, {}),
    "npz-paper": (tour, {"kind": "atsp"}),
    "npz-city": (lambda: radar.read(FIXTURES / "npz/city_km_min.npz", kind="atsp"), {"kind": "atsp"}),
    "csv": (tour, {"kind": "atsp"}),
    "matrix": (tour, {"kind": "atsp"}),
    "tsplib": (tour, {}),
    "vrplib": (deliveries, {}),
    "solomon": (lambda: radar.read(FIXTURES / "solomon/small.txt"), {}),
}


@pytest.mark.parametrize("format", WRITTEN)
def test_what_is_written_says_the_same(format, tmp_path):
    make, stated = WRITTEN[format]
    problem, path = make(), tmp_path / "problem"
    radar.write(path, problem, format=format)
    again = radar.read(path, **stated)
    assert again.variant == problem.variant
    assert (again.distance == problem.distance).all()
    assert (again.demand, again.capacity, again.windows) == (problem.demand, problem.capacity, problem.windows)


def test_a_matrix_and_its_stops_say_it_together(tmp_path):
    problem = deliveries()
    radar.write(tmp_path / "matrix.csv", problem, format="matrix")
    radar.write(tmp_path / "stops.csv", problem, format="stops")
    again = radar.read(tmp_path / "matrix.csv", stops=tmp_path / "stops.csv", capacity=9)
    assert (again.distance.tolist(), again.demand, again.capacity) == (SQUARE, [0, 3, 4], 9)
