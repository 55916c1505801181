"""What people have is taken as it is meant, and passed on without a copy where that is possible."""

import io
import math
import pickle
import tracemalloc
import warnings
from decimal import Decimal

import numpy as np
import pytest

import radar
from radar import _parts

pd = pytest.importorskip("pandas")

SQUARE = [[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]


@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.float32, np.int32])
def test_an_array_that_can_be_passed_on_is_the_same_object(dtype):
    array = np.arange(9, dtype=dtype).reshape(3, 3)
    assert _parts.matrix("distance", array) is array


def test_a_large_matrix_is_copied_once_and_not_in_python():
    array = np.random.default_rng(1).uniform(1, 9, (1000, 1000))
    tracemalloc.start()
    problem = radar.Problem(array)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < array.nbytes / 10
    assert np.array_equal(problem.distance, array)


@pytest.mark.parametrize(
    "given",
    [
        SQUARE,
        tuple(map(tuple, SQUARE)),
        [np.array(row) for row in SQUARE],
        np.array(SQUARE),
        np.asfortranarray(SQUARE),
        np.array(SQUARE).T.copy().T,
        np.array(SQUARE, dtype=">f8"),
        np.array(SQUARE, dtype=object),
        np.array(SQUARE, dtype=np.float16),
        np.array(SQUARE, dtype=np.longdouble),
        np.repeat(np.array(SQUARE), 2, axis=1)[:, ::2],
        pd.DataFrame(SQUARE),
    ],
    ids=lambda given: type(given).__name__,
)
def test_every_form_of_a_matrix_is_the_same_problem(given):
    assert radar.Problem(given) == radar.Problem(SQUARE)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_whole_numbers_of_any_size_are_taken(dtype):
    array = np.array([[0, 5], [7, 0]], dtype=dtype)
    assert radar.solve(array).cost == 12


def test_anything_with_an_array_is_a_matrix():
    class Tensor:
        def __array__(self, dtype=None, copy=None):
            return np.array(SQUARE, dtype=dtype)

    assert radar.Problem(Tensor()) == radar.Problem(SQUARE)


def test_a_tensor_that_gives_no_array_is_told_how():
    class Tensor:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("can't convert cuda:0 device type tensor to numpy")

    with pytest.raises(radar.InputError) as caught:
        radar.Problem(Tensor())
    assert caught.value.code == "wrong-type"
    assert "cuda:0" in caught.value.cause and ".cpu()" in caught.value.action


@pytest.mark.parametrize(
    "given",
    [
        [[0, None], [2, 0]],
        [[0, math.inf], [2, 0]],
        np.array([[0, None], [2, 0]], dtype=object),
        np.ma.array([[0, 7], [2, 0]], mask=[[0, 1], [0, 0]]),
    ],
)
def test_none_infinity_and_a_mask_are_no_way(given):
    assert radar.Problem(given).distance[0, 1] == math.inf


def test_labels_of_a_data_frame_are_ids_and_must_agree():
    names = ["depot", "shop", "farm"]
    assert radar.Problem(pd.DataFrame(SQUARE, index=names, columns=names)).ids == names
    assert radar.Problem(pd.DataFrame(SQUARE, columns=names)).ids == names
    assert radar.Problem(pd.DataFrame(SQUARE, index=names)).ids == names
    assert radar.Problem(pd.DataFrame(SQUARE, index=[1.5, 2, 3])).ids == ["1.5", "2.0", "3.0"]
    assert radar.Problem(pd.DataFrame(SQUARE)).ids is None
    assert radar.Problem(pd.DataFrame(SQUARE, index=names), ids=["a", "b", "c"]).ids == ["a", "b", "c"]
    numbered = pd.DataFrame(SQUARE, index=[7, 8, 9], columns=[7, 8, 9])
    assert radar.Problem(numbered).ids == ["7", "8", "9"]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (["depot", "shop", "farm"], ["farm", "shop", "depot"]),
        (["depot", "shop", "farm"], ["depot", "shop", "mill"]),
        ([0, 2, 1], [0, 1, 2]),
        (None, [2, 1, 0]),
        ([0, 2, 1], None),
        ([7, 8, 9], [7, 9, 8]),
    ],
)
def test_rows_in_another_order_than_columns_are_refused(rows, columns):
    frame = pd.DataFrame(SQUARE, index=rows, columns=columns)
    for parts in ({}, {"ids": ["a", "b", "c"]}):
        with pytest.raises(radar.InputError, match="labels-differ"):
            radar.Problem(frame, **parts)
        with pytest.raises(radar.InputError, match="labels-differ"):
            radar.Problem(SQUARE, duration=frame, **parts)


def test_two_frames_must_agree_too():
    names = ["depot", "shop", "farm"]
    distance = pd.DataFrame(SQUARE, index=names, columns=names)
    assert radar.Problem(distance, duration=distance).ids == names
    assert radar.Problem(SQUARE, duration=distance).ids == names
    with pytest.raises(radar.InputError, match="labels-differ"):
        radar.Problem(distance, duration=distance.loc[names[::-1], names[::-1]])


def test_uneven_rows_are_found_and_nothing_is_printed():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for uneven in ([[0, 1], [2]], [[0], [1, 0]], [np.array([0.0, 1.0]), np.array([2.0])]):
            problem = radar.Problem(uneven)
            assert not problem.is_sound
        with pytest.raises(radar.InputError, match="wrong-type"):
            radar.Problem([[0, [1, 2]], [1, 0]])


def test_single_precision_stays_single():
    matrix = np.array(SQUARE, dtype=np.float32) * np.float32(0.1)
    problem = radar.Problem(matrix, duration=matrix)
    assert problem.distance.dtype == problem.duration.dtype == np.float32
    assert radar.Problem(problem.distance, duration=problem.duration) == problem
    assert pickle.loads(pickle.dumps(problem)) == problem
    assert radar.Problem(list(matrix)).distance.dtype == np.float32
    assert radar.Problem(matrix.astype(np.float64)) != radar.Problem(matrix)
    for wide in (np.array(SQUARE), np.array(SQUARE, dtype=np.int32)):
        assert radar.Problem(wide).distance.dtype == np.float64


def test_lists_come_from_arrays_and_series():
    frame = pd.DataFrame({"demand": [0, 3, 4], "open": [0, 1, 2], "close": [90.0, 80, np.inf]})
    problem = radar.Problem(
        SQUARE, demand=frame["demand"], capacity=np.int64(9), windows=frame[["open", "close"]], ids=np.array([5, 6, 7])
    )
    assert problem.demand == [0, 3, 4]
    assert problem.windows == [(0, 90), (1, 80), (2, math.inf)]
    assert problem.ids == ["5", "6", "7"]
    assert problem.capacity == 9


def test_single_precision_means_the_decimal_it_is_written_as():
    problem = radar.Problem(SQUARE, demand=np.array([0, 0.1, 0.2], dtype=np.float32), capacity=1)
    assert problem.demand == [0, 0.1, 0.2]


@pytest.mark.parametrize(
    ("parts", "code", "place"),
    [
        ({"distance": "matrix.csv"}, "wrong-type", "distance"),
        ({"distance": 5}, "wrong-shape", "distance"),
        ({"distance": None}, "wrong-type", "distance"),
        ({"distance": [0, 1]}, "wrong-type", "distance[0]"),
        ({"distance": ["ab", "cd"]}, "wrong-type", "distance[0]"),
        ({"distance": np.zeros(4)}, "wrong-shape", "(4,)"),
        ({"distance": np.zeros((2, 2, 2))}, "wrong-shape", "(2, 2, 2)"),
        ({"distance": np.zeros((2, 2), dtype=complex)}, "wrong-type", "complex128"),
        ({"distance": np.zeros((2, 2), dtype=bool)}, "wrong-type", "bool"),
        ({"distance": np.zeros((2, 2), dtype="datetime64[s]")}, "wrong-type", "datetime64"),
        ({"distance": np.array([["0", "1"], ["2", "0"]])}, "wrong-type", "<U1"),
        ({"distance": [[0, "1"], [2, 0]]}, "wrong-type", "distance[0]"),
        ({"distance": [[0, [1]], [2, 0]]}, "wrong-type", "distance[0][1]"),
        ({"distance": [[0, 10**400], [2, 0]]}, "magnitude-too-large", "distance[0][1]"),
        ({"demand": 3}, "wrong-shape", "demand"),
        ({"demand": "123"}, "wrong-shape", "demand"),
        ({"demand": {1, 2}}, "wrong-shape", "demand"),
        ({"demand": [0, "3", 4]}, "wrong-type", "demand[1]"),
        ({"demand": [0, None, 4]}, "wrong-type", "demand[1]"),
        ({"demand": [0, True, 4]}, "wrong-type", "demand[1]"),
        ({"demand": [0, np.timedelta64(3, "s"), 4]}, "wrong-type", "demand[1]"),
        ({"demand": [[0], [3], [4]]}, "wrong-type", "demand[0]"),
        ({"windows": [0, 1, 2]}, "wrong-type", "windows[0]"),
        ({"windows": [(0, 1, 2)] * 3}, "wrong-type", "windows[0]"),
        ({"windows": [(None, 1)] * 3}, "wrong-type", "windows[0][0]"),
        ({"points": [(0, None)] * 3}, "wrong-type", "points[0][1]"),
        ({"capacity": "9"}, "wrong-type", "capacity"),
        ({"limit": [1]}, "wrong-type", "limit"),
        ({"max_duration": 1j}, "wrong-type", "max_duration"),
        ({"vehicles": 1.5}, "wrong-type", "vehicles"),
        ({"vehicles": True}, "wrong-type", "vehicles"),
        ({"vehicles": -1}, "negative-value", "vehicles"),
        ({"vehicles": 2**64}, "magnitude-too-large", "vehicles"),
        ({"open": 1}, "wrong-type", "open"),
        ({"ids": [1.5, 2, 3]}, "wrong-type", "ids[0]"),
        ({"kind": "tsp"}, "unknown-kind", "'tsp'"),
        ({"name": 7}, "wrong-type", "name"),
        ({"units": {"weight": "kg"}}, "unknown-key", "'weight'"),
    ],
)
def test_what_is_no_problem_at_all_is_refused_with_its_place(parts, code, place):
    with pytest.raises(radar.InputError) as caught:
        radar.Problem(**{"distance": SQUARE, **parts})
    assert caught.value.code == code
    assert place in caught.value.cause
    assert caught.value.action


def test_a_float_that_is_whole_counts():
    assert radar.Problem(SQUARE, vehicles=2.0).vehicles == 2


def test_lists_with_other_labels_than_the_matrix_are_refused():
    frame = pd.DataFrame([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]], index=list("abc"), columns=list("abc"))
    in_order = pd.Series({"a": 0, "b": 3, "c": 4})
    assert radar.Problem(frame, demand=in_order, capacity=9).demand == [0, 3, 4]
    with pytest.raises(radar.InputError) as refused:
        radar.Problem(frame, demand=in_order[["a", "c", "b"]], capacity=9)
    assert refused.value.code == "labels-differ"


def test_numbers_as_labels_may_be_texts_on_one_side():
    table = io.StringIO("id,101,102\n101,0,2\n102,4.5,0\n")
    assert radar.Problem(pd.read_csv(table, index_col=0)).ids == ["101", "102"]


@pytest.mark.parametrize(
    "matrix",
    [
        [{0: 1, 1: 7}, {0: 1, 1: 7}],
        [{0, 1}, {1, 0}],
        (row for row in [[0, 1], [1, 0]]),
        {"a": [0, 1]},
        "porto.json",
        None,
        [[0, np.ma.masked], [1, 0]],
    ],
)
def test_what_only_looks_like_a_matrix_is_refused(matrix):
    with pytest.raises(radar.InputError) as refused:
        radar.Problem(matrix)
    assert refused.value.code == "wrong-type"


def test_what_is_masked_is_no_way():
    rows = [np.ma.masked_equal(row, 1.0) for row in np.array([[0.0, 2, 9], [4.5, 0, 1], [3, 7, 0]])]
    assert radar.Problem(rows).distance[1, 2] == np.inf


LABELLED = pd.DataFrame(SQUARE, index=list("abc"), columns=list("abc"))
# The same entries, given to the nodes in another order.
SHUFFLED = list("acb")


@pytest.mark.parametrize(
    "parts",
    [
        {"windows": pd.DataFrame({"open": [0, 0, 50], "close": [99, 9, 60]}, index=SHUFFLED)},
        {"points": pd.DataFrame({"lat": [0, 1, 2], "lon": [3, 4, 5]}, index=SHUFFLED)},
        {"ids": pd.Series(["x", "y", "z"], index=SHUFFLED)},
        {"ids": SHUFFLED},
        {"service": pd.Series([0, 1, 2], index=SHUFFLED)},
    ],
    ids=lambda parts: "".join(parts),
)
def test_every_list_has_the_labels_of_the_matrix(parts):
    with pytest.raises(radar.InputError) as caught:
        radar.Problem(LABELLED, **parts)
    assert caught.value.code == "labels-differ"
    assert next(iter(parts)) in caught.value.cause


def test_labels_are_those_of_stated_ids_and_of_each_other():
    shuffled = pd.Series([0, 3, 4], index=SHUFFLED)
    for parts in (
        {"ids": ["a", "b", "c"], "demand": shuffled},
        {"ids": ["a", "b", "c"], "duration": LABELLED.loc[SHUFFLED, SHUFFLED]},
        {"ids": ["a", "c", "d"], "demand": shuffled},
        {"demand": shuffled, "service": pd.Series([0, 1, 1], index=list("abc"))},
    ):
        with pytest.raises(radar.InputError, match="labels-differ"):
            radar.Problem(SQUARE, **parts)
    assert radar.Problem(SQUARE, ids=SHUFFLED, demand=shuffled).demand == [0, 3, 4]
    # Rows of a larger frame keep the numbers that they had there.
    some = pd.DataFrame({"name": list("xyz"), "demand": [0, 3, 4], "open": 0, "close": 9}, index=[3, 7, 9])
    problem = radar.Problem(SQUARE, demand=some["demand"], windows=some[["open", "close"]], ids=some["name"])
    assert problem.ids == ["x", "y", "z"] and problem.demand == [0, 3, 4]


@pytest.mark.parametrize(
    "cell",
    [np.complex64(1 + 2j), np.clongdouble(1 + 2j), 1j],
    ids=lambda cell: type(cell).__name__,
)
def test_no_imaginary_part_is_lost(cell):
    for given in ([[0, cell], [1, 0]], [np.array([0, cell]), np.array([1, 0])], [np.full(2, cell), np.full(2, cell)]):
        with pytest.raises(radar.InputError, match="wrong-type"):
            radar.Problem(given)


def test_what_is_masked_is_no_way_among_objects_either():
    entries = np.ma.array([[0, 7], [2, 0]], mask=[[0, 1], [0, 0]], dtype=object)
    assert radar.Problem(entries).distance.tolist() == [[0, np.inf], [2, 0]]
    with pytest.raises(radar.InputError, match="wrong-type"):
        radar.Problem([[0, 7], [2, 0]], ids=np.ma.array(["a", "b"], mask=[0, 1]))


@pytest.mark.skipif(np.longdouble("1e400") == np.inf, reason="no longer than a double here")
def test_what_is_beyond_a_double_is_not_infinite():
    long = np.longdouble("1e400")
    for given in ([[0, long], [1, 0]], np.array([[0, long], [1, 0]]), [[0, Decimal("1e400")], [1, 0]]):
        with pytest.raises(radar.InputError, match="magnitude-too-large"):
            radar.Problem(given)
    assert radar.Problem(np.array([[0, np.inf], [1, 0]], dtype=np.longdouble)).distance[0, 1] == np.inf


@pytest.mark.parametrize(
    ("part", "action"),
    [
        (pd.Series([3, 4], ["b", "c"]), ".reindex(distance.index, fill_value=0)"),
        (pd.Series([0, 3, 4], ["a", "b", "x"]), ".to_numpy()"),
    ],
)
def test_labels_that_are_not_there_are_added_not_reordered(part, action):
    for name in ("demand", "priority"):
        with pytest.raises(radar.InputError) as caught:
            radar.Problem(LABELLED, **{name: part})
        assert caught.value.code == "labels-differ"
        assert f"{name} has no entry for" in caught.value.cause
        assert ".loc[" not in caught.value.action
        assert name == "priority" or action in caught.value.action


def test_half_precision_means_the_decimal_it_is_written_as():
    half = np.array([[0, 1.1], [2.3, 0]], dtype=np.float16)
    assert radar.Problem(half).distance.tolist() == radar.Problem(list(half)).distance.tolist() == [[0, 1.1], [2.3, 0]]


@pytest.mark.parametrize("dtype", [np.float16, np.longdouble, np.uint8, np.int16, np.uint64, ">f8", ">f2"])
def test_arrays_of_every_real_dtype_are_converted_at_once(dtype):
    array = np.array(SQUARE, dtype=dtype)
    for given in (array, list(array), array[::-1, ::-1]):
        made = _parts.matrix("distance", given)
        assert isinstance(made, np.ndarray) and made.dtype == np.float64 and made.flags.c_contiguous
        assert made.tolist() == np.array(given).tolist()


def test_half_precision_is_written_as_each_of_its_numbers_is():
    half = np.arange(2**16, dtype=np.uint16).view(np.float16).reshape(256, 256)
    written = [[float(str(cell)) for cell in row] for row in half]
    assert np.array_equal(_parts.matrix("distance", half), written, equal_nan=True)


@pytest.mark.skipif(np.longdouble("1e400") == np.inf, reason="no longer than a double here")
def test_the_place_of_what_is_beyond_a_double_is_said():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(radar.InputError, match=r"distance\[1\]\[0\] is beyond") as caught:
            radar.Problem(np.array([[0, np.inf], ["1e400", 0]], dtype=np.longdouble))
    assert caught.value.code == "magnitude-too-large"


# 0, 1, 2 in another order, as sorting by something else leaves an index.
SORTED = [0, 2, 1]


@pytest.mark.parametrize("index", [SORTED, ["0", "2", "1"], [0.0, 2.0, 1.0]], ids=["whole", "texts", "floats"])
@pytest.mark.parametrize("matrix", [SQUARE, np.array(SQUARE), pd.DataFrame(SQUARE)], ids=["lists", "array", "frame"])
def test_numbers_of_nodes_in_another_order_are_labels(matrix, index):
    pairs = pd.DataFrame({"first": [0, 1, 2], "second": [9, 9, 9]}, index=index)
    for parts in (
        {"demand": pd.Series([0, 4, 3], index=index)},
        {"priority": pd.Series([1, 4, 3], index=index)},
        {"windows": pairs},
        {"points": pairs},
        {"ids": pd.Series(["a", "b", "c"], index=index)},
        {"duration": pd.DataFrame(SQUARE, index=index, columns=index)},
    ):
        [name] = parts
        with pytest.raises(radar.InputError) as caught:
            radar.Problem(matrix, **parts)
        assert caught.value.code == "labels-differ" and name in caught.value.cause
        assert f"{name}.to_numpy()" in caught.value.action
        if name != "duration":
            assert f"{name}.sort_index()" in caught.value.action
        radar.Problem(matrix, **{name: parts[name].to_numpy()})
        in_order = parts[name].sort_index()
        radar.Problem(matrix, **{name: in_order.sort_index(axis=1) if name == "duration" else in_order})


def test_numbers_as_labels_of_the_matrix_are_its_ids():
    frame = pd.DataFrame(SQUARE, index=SORTED, columns=SORTED)
    demand = pd.Series([0, 4, 3], index=SORTED)
    problem = radar.Problem(frame, demand=demand, capacity=9)
    assert (problem.ids, problem.demand) == (["0", "2", "1"], [0, 4, 3])
    # Whole numbers are places, texts are ids.
    first = [radar.solve(problem, freeze=([[stop]], [1])).routes[0][0] for stop in (2, "2")]
    assert first == [2, 1]
    assert radar.Problem(frame, demand=[0, 4, 3], duration=np.array(SQUARE)).demand == [0, 4, 3]
    assert radar.Problem(SQUARE, ids=["0", "2", "1"], demand=demand).demand == [0, 4, 3]
    # The same numbers in their own order are another order.
    for parts in ({"demand": demand.sort_index()}, {"duration": pd.DataFrame(SQUARE)}):
        with pytest.raises(radar.InputError, match="labels-differ"):
            radar.Problem(frame, **parts)


@pytest.mark.parametrize("dtype", [float, np.float32, int, object])
def test_what_is_masked_is_no_entry_of_a_list(dtype):
    demand = np.ma.array([0, 3, 4], mask=[0, 1, 0], dtype=dtype)
    with pytest.raises(radar.InputError) as caught:
        radar.Problem(SQUARE, demand=demand, capacity=9)
    assert (caught.value.code, caught.value.cause) == ("wrong-type", "demand[1] is masked")
    windows = np.ma.array([[0, 9], [1, 8], [2, 7]], mask=[[0, 0], [0, 1], [0, 0]], dtype=dtype)
    assert radar.Problem(SQUARE, windows=windows).windows[1] == (1, math.inf)
    with pytest.raises(radar.InputError, match=r"windows\[1\]\[0\] is masked"):
        radar.Problem(SQUARE, windows=windows[:, ::-1])


def test_a_matrix_that_has_no_room_is_refused_with_a_code():
    with pytest.raises(radar.InputError) as caught:
        radar.Problem(np.broadcast_to(1.0, (1 << 24, 1 << 24)))
    assert caught.value.code == "too-little-memory" and "distance" in caught.value.cause
