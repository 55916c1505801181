"""Dictionaries of the `vrplib` package."""

import numpy as np
import pytest

import radar

vrplib = pytest.importorskip("vrplib")

ROUTES = """NAME : three
TYPE : {type}
DIMENSION : 4
CAPACITY : 10
{more}EDGE_WEIGHT_TYPE : EXPLICIT
EDGE_WEIGHT_FORMAT : FULL_MATRIX
EDGE_WEIGHT_SECTION
0 5 9 4
6 0 3 8
7 2 0 5
4 8 6 0
DEMAND_SECTION
1 0
2 4
3 5
4 6
TIME_WINDOW_SECTION
1 0 100
2 0 50
3 0 60
4 0 70
DEPOT_SECTION
1
-1
EOF
"""

SOLOMON = """C1

VEHICLE
NUMBER     CAPACITY
  3         20

CUSTOMER
CUST NO.  XCOORD.   YCOORD.    DEMAND   READY TIME  DUE DATE   SERVICE   TIME

    0      0         0          0          0        100          0
    1      3         4          5          0         50          2
    2      6         8          7         10         60          2
"""


def read(text, tmp_path, **options):
    path = tmp_path / "instance.vrp"
    path.write_text(text)
    return vrplib.read_instance(path, **options), path


@pytest.mark.parametrize("kind", ["CVRPTW", "VRPTW", "ACVRP", "OVRP", "AOVRPLTW"])
def test_an_instance_is_what_our_own_reader_reads(kind, tmp_path):
    more = "DISTANCE : 90\nVEHICLES : 3\nSERVICE_TIME : 2\n"
    instance, path = read(ROUTES.format(type=kind, more=more), tmp_path)
    problem = radar.Problem.from_vrplib(instance)
    assert problem == radar.read(path)
    assert problem.open == ("O" in kind)
    assert "limit-travel-only" in [note.code for note in problem.notes]


PLANE = """NAME : plane
TYPE : CVRP
DIMENSION : 4
CAPACITY : 9
EDGE_WEIGHT_TYPE : {weights}
NODE_COORD_SECTION
1 0 0
2 3 5
3 7.5 8
4 1 9
DEMAND_SECTION
1 0
2 3
3 3
4 4
DEPOT_SECTION
1
-1
EOF
"""


@pytest.mark.parametrize(("weights", "notes"), [("EUC_2D", ["lengths-rounded"]), ("CEIL_2D", [])])
def test_lengths_are_whole_as_in_our_own_reader(weights, notes, tmp_path):
    instance, path = read(PLANE.format(weights=weights), tmp_path)
    problem = radar.Problem.from_vrplib(instance)
    assert problem == radar.read(path)
    assert [note.code for note in problem.notes] == notes
    assert problem.distance[0, 1] == 6


def test_weights_of_others_stay_as_they_are(tmp_path):
    instance, _ = read(PLANE.format(weights="EUC_2D"), tmp_path)
    instance["edge_weight"] = instance["edge_weight"] * 1.5
    problem = radar.Problem.from_vrplib(instance)
    assert problem.distance.tolist() == instance["edge_weight"].tolist()
    assert problem.notes == []


def test_backhauls_that_were_lost_are_said_to_be(tmp_path):
    path = tmp_path / "backhauls.vrp"
    problem = radar.Problem(
        [[0, 5, 9], [6, 0, 3], [7, 2, 0]], demand=[0, 4, 0], backhaul=[0, 0, 5], capacity=9, name="backhauls"
    )
    radar.write(path, problem)
    with pytest.raises(radar.InputError, match="vrplib lost the only column of BACKHAUL_SECTION") as caught:
        radar.Problem.from_vrplib(vrplib.read_instance(path))
    assert caught.value.code == "not-expressible"
    assert radar.read(path) == problem


@pytest.mark.parametrize("instance", ["p.vrp", None, [1]])
def test_what_is_no_dictionary_is_told_how_to_read_it(instance):
    with pytest.raises(radar.InputError, match="vrplib.read_instance") as caught:
        radar.Problem.from_vrplib(instance)
    assert caught.value.code == "wrong-type"


def test_a_tour_and_solomon(tmp_path):
    tour = (
        "NAME : t\nTYPE : ATSP\nDIMENSION : 2\nEDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : FULL_MATRIX\n"
        "EDGE_WEIGHT_SECTION\n0 1\n2 0\nEOF\n"
    )
    assert radar.Problem.from_vrplib(read(tour, tmp_path)[0]).kind == "atsp"
    instance, _ = read(SOLOMON, tmp_path, instance_format="solomon")
    problem = radar.Problem.from_vrplib(instance)
    assert (problem.variant, problem.vehicles, problem.service) == ("AVRPTW", 3, [0, 2, 2])
    assert problem.points == [(0, 0), (4, 3), (8, 6)]
    assert problem.distance[0, 1] == pytest.approx(5)


def test_the_depot_may_stand_anywhere(tmp_path):
    instance, _ = read(ROUTES.format(type="CVRPTW", more="").replace("\n1\n-1", "\n2\n-1"), tmp_path)
    instance["demand"] = np.array([4, 0, 5, 6])
    problem = radar.Problem.from_vrplib(instance)
    assert problem.ids == ["2", "1", "3", "4"]
    assert problem.demand == [0, 4, 5, 6]
    assert problem.distance[0].tolist() == [0, 6, 3, 8]
    assert problem.windows[0] == (0, 50)
    assert [note.code for note in problem.notes] == ["depot-moved"]


def test_backhauls_by_amount(tmp_path):
    instance, _ = read(ROUTES.format(type="VRPBTW", more=""), tmp_path)
    instance["demand"], instance["backhaul"] = np.array([0, 4, 5, 0]), np.array([0, 0, 0, 6])
    assert radar.Problem.from_vrplib(instance).backhaul == [0, 0, 0, 6]


@pytest.mark.parametrize(
    ("change", "code", "named"),
    [
        ({"mutually_exclusive_group": [[1, 2]]}, "not-expressible", "mutually_exclusive_group"),
        ({"release_time": np.zeros(4)}, "not-expressible", "release_time"),
        ({"backhaul": [[3], [-1]]}, "not-expressible", "BACKHAUL_SECTION"),
        ({"backhaul": [[3, 4], [-1]]}, "not-expressible", "BACKHAUL_SECTION"),
        ({"demand": np.zeros(3)}, "not-expressible", "DEMAND_SECTION"),
        ({"type": "VRPSPD"}, "unknown-type", "VRPSPD"),
        ({"depot": np.array([0, 1])}, "several-depots", "2 depots"),
        ({"depot": np.array([9])}, "bad-node", "10"),
        ({"edge_weight": np.zeros((2, 8))}, "matrix-not-square", "edge_weight"),
        ({"edge_weight": None}, "wrong-type", "edge_weight"),
    ],
)
def test_what_cannot_be_said_is_refused_by_name(change, code, named, tmp_path):
    instance, _ = read(ROUTES.format(type="CVRPTW", more=""), tmp_path)
    with pytest.raises(radar.InputError) as caught:
        radar.Problem.from_vrplib({**instance, **change})
    assert caught.value.code == code
    assert named in caught.value.cause


def test_an_instance_without_weights_is_told_how():
    with pytest.raises(radar.InputError, match="compute_edge_weights"):
        radar.Problem.from_vrplib({"name": "x", "type": "CVRP"})


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"depot": 1.7}, "wrong-type"),
        ({"depot": None}, "wrong-type"),
        ({"depot": "x"}, "wrong-type"),
        ({"depot": [0, 1]}, "several-depots"),
        ({"depot": 9}, "bad-node"),
        ({"node_coord": [0, 0]}, "wrong-shape"),
        ({7: 1}, "not-expressible"),
    ],
)
def test_nonsense_in_a_dictionary_is_refused(parts, code):
    with pytest.raises(radar.InputError) as caught:
        radar.Problem.from_vrplib({"type": "CVRP", "edge_weight": [[0, 5], [6, 0]], **parts})
    assert caught.value.code == code
