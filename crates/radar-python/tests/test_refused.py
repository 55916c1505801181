"""What is of another type than belongs there is refused with a code and a remedy, whatever it is."""

import numpy as np
import pytest

import radar

SQUARE = [[0, 2, 9], [4.5, 0, 1], [3, 7, 0]]
HUGE = 10**5000
ARRAY = np.array([1, 2])


def nested(levels):
    deep = []
    for _ in range(levels):
        deep = [deep]
    return deep


async def later(*_):
    """Nobody would await it."""


def yielding(*_):
    yield


class Awaited:
    async def __call__(self, *_):
        """Nobody would await it."""


@pytest.fixture(scope="module")
def model():
    return radar.Model.new({"preset": "small-atsp", "layers": 1})


@pytest.fixture(scope="module")
def tour():
    return radar.Problem(SQUARE)


def refused(call, *codes):
    with pytest.raises(radar.InputError) as caught:
        call()
    assert caught.value.code in codes
    assert caught.value.cause and caught.value.action


@pytest.mark.parametrize("callback", [5, "print", later, Awaited(), yielding])
def test_callbacks(callback, tour, tmp_path):
    for call in (
        lambda: radar.solve(tour, on_progress=callback),
        lambda: radar.solve_many([tour], on_done=callback),
        lambda: radar.train("quick", tmp_path / "run", on_event=callback),
    ):
        refused(call, "wrong-type")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("listed", [5, None, "ab", b"ab", {1, 2}, np.array(3)], ids=repr)
def test_lists(listed, model, tour, tmp_path):
    for call in (
        lambda: radar.solve_many(listed),
        lambda: radar.write(tmp_path / "set.jsonl", listed),
        lambda: radar.evaluate(model, listed),
        lambda: radar.check(tour, [listed]),
    ):
        refused(call, "wrong-type")
    if listed is not None:
        refused(lambda: radar.evaluate(model, [tour], listed), "wrong-type", "bad-references")
    if not isinstance(listed, str):
        refused(lambda: radar.check(tour, listed), "wrong-type")
        refused(lambda: radar.generate("roads", roads=listed), "wrong-type")
        refused(lambda: radar.train_config("quick", data=listed), "wrong-type")
        refused(lambda: radar.solve(tour, freeze=(listed, [1])), "wrong-type")
    if isinstance(listed, (int, np.ndarray)):
        refused(lambda: radar.solve(tour, freeze=listed), "wrong-type")


@pytest.mark.parametrize("table", [0, 5, [], "ab", HUGE], ids=["0", "5", "[]", "text", "huge"])
def test_dictionaries(table):
    refused(lambda: radar.Problem(SQUARE, units=table), "wrong-type")
    refused(lambda: radar.Problem.from_vrplib(table), "wrong-type")
    refused(lambda: radar.train_config("quick", set=table), "wrong-type")
    if not isinstance(table, str):
        refused(lambda: radar.Model.new(table), "wrong-type")


@pytest.mark.parametrize("text", [5, b"x", ARRAY, HUGE], ids=["number", "bytes", "array", "huge"])
def test_texts(text, model, tour, tmp_path):
    path = tmp_path / "tour.json"
    tour.save(path)
    for call, code in (
        (lambda: radar.Model.new("small-atsp", isa=text), "wrong-type"),
        (lambda: tour.save(path, text), "wrong-type"),
        (lambda: radar.solve(tour).save(path, text), "wrong-type"),
        (lambda: radar.read(path, format=text), "wrong-type"),
        (lambda: radar.Problem.from_json(text), "wrong-type"),
        (lambda: radar.Problem(SQUARE, name=text), "wrong-type"),
        (lambda: radar.Problem(SQUARE, units={"distance": text}), "wrong-type"),
        (lambda: radar.read(path, kind=text), "unknown-kind"),
        (lambda: radar.Problem(SQUARE, kind=text), "unknown-kind"),
        (lambda: model.decode(tour, minimise=text), "bad-option"),
        (lambda: radar.evaluate(model, [], minimise=text), "bad-option"),
        (lambda: radar.solve(tour, minimise=text), "bad-option"),
        (lambda: radar.solve(tour, method=text), "bad-option"),
        (lambda: radar.solve_many([tour], errors=text), "bad-option"),
    ):
        refused(call, code)


def test_surrogates_are_no_text():
    for parts in ({"ids": ["a", "b", "\ud800"]}, {"name": "\udcff"}, {"units": {"distance": "\udcff"}}):
        refused(lambda parts=parts: radar.Problem(SQUARE, **parts), "wrong-type")
    refused(lambda: radar.Problem.from_json("\udcff"), "wrong-type")
    refused(lambda: radar.train_config({"\udcff": 1}), "wrong-type")
    refused(lambda: radar.train_config({"name": "\udcff"}), "wrong-type")
    refused(lambda: radar.generate("tmat", preset="\udcff"), "wrong-type")


def test_numbers_too_long_to_be_shown(tour):
    refused(lambda: radar.Problem(SQUARE, vehicles=HUGE), "magnitude-too-large")
    refused(lambda: radar.Problem(SQUARE, vehicles=-HUGE), "negative-value")
    refused(lambda: radar.Problem(SQUARE, capacity=HUGE), "magnitude-too-large")
    refused(lambda: radar.Problem(SQUARE, ids=[1, 2, HUGE]), "wrong-type")
    refused(lambda: radar.check(tour, [[HUGE]]), "magnitude-too-large")
    refused(lambda: radar.explain(tour, stops=["9" * 5000]), "unknown-stop")
    refused(lambda: radar.explain(tour, stops=[HUGE]), "unknown-stop")
    refused(lambda: radar.Model.new({"preset": "small-atsp", "layers": HUGE}), "config")
    refused(lambda: radar.train_config({"batch": HUGE}), "config")


def test_lists_too_deep_to_be_shown(tour):
    deep = nested(3000)
    refused(lambda: radar.Problem([deep]), "wrong-type")
    refused(lambda: radar.Problem(SQUARE, demand=deep), "wrong-type")
    refused(lambda: radar.check(tour, deep), "wrong-type")
    refused(lambda: radar.Model.new({"preset": deep}), "config")


@pytest.mark.parametrize("key", ["batch=2 #", "batch=2\nseed", "", 'a"', 5, None])
def test_keys_that_would_be_read_as_others(key):
    refused(lambda: radar.train_config("quick", set={key: 5}), "config")


def test_keys_of_a_configuration_are_texts():
    refused(lambda: radar.train_config({5: 1}), "config")
    refused(lambda: radar.train_config({"model": {None: 1}}), "config")


@pytest.mark.parametrize("option", ["searches", "augment"])
def test_options_beyond_their_bounds_say_which(option, tour):
    model = {"method": "neural", "model": radar.Model.new("small-atsp")} if option == "augment" else {}
    with pytest.raises(radar.InputError) as caught:
        radar.solve(tour, **{option: 70000}, **model)
    assert (caught.value.code, caught.value.cause) == ("bad-option", f"{option} is 70000")
    assert "from 1 to" in caught.value.action


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 0])
def test_options_of_decoding_are_numbers(number, model, tour):
    for option in ("temperature", "clip"):
        with pytest.raises(radar.InputError) as caught:
            model.decode(tour, **{option: number})
        assert caught.value.code == "bad-option" and option in caught.value.cause


@pytest.mark.parametrize("seconds", [2**64, 1e300, 1e-12, 0, float("inf")])
def test_seconds_that_no_clock_counts(seconds, tour):
    with pytest.raises(radar.InputError, match="time_limit") as caught:
        radar.solve(tour, time_limit=seconds)
    assert "seconds from 1e-9 to 1.8e19" in caught.value.action


def test_parts_beside_a_problem_are_never_unheard(tour):
    for parts in ({"demand": False}, {"kind": False}, {"capacity": 0}, {"open": True}):
        refused(lambda parts=parts: radar.solve(tour, **parts), "given-twice")
    assert radar.solve(tour, open=False).optimal
    refused(lambda: radar.Problem(SQUARE, priority=[1, 1, 1], kind="atsp"), "tour-with-route-feature")
    refused(lambda: radar.generate("tmat", 8, typo=None), "wrong-type")


def test_a_problem_without_nodes_has_no_numbers(tmp_path):
    empty = radar.Problem([])
    for call in (lambda: empty.label(0), lambda: radar.check(empty, [[0]]), lambda: radar.explain(empty, stops=[0])):
        with pytest.raises(radar.InputError) as caught:
            call()
        assert "-1" not in caught.value.action
    refused(lambda: empty.save(tmp_path / "empty.npz"), "cannot-express")
    empty.save(tmp_path / "empty.json")
    assert radar.read(tmp_path / "empty.json") == empty


def test_nothing_is_no_set(tmp_path):
    for ending in ("npz", "jsonl", "json"):
        with pytest.raises(radar.InputError) as caught:
            radar.write(tmp_path / f"empty.{ending}", [])
        assert (caught.value.code, caught.value.action) == ("cannot-express", "give at least one problem")


def test_findings_speak_of_what_there_is_here():
    findings = radar.Problem([[0, float("nan")], [1, 0]], demand=[0, float("inf")], capacity=1).findings
    assert [finding.code for finding in findings] == ["not-a-number", "infinite-value"]
    assert "is inf" in findings[0].action and "key" not in findings[1].action


def test_a_name_that_only_the_command_has():
    with pytest.raises(radar.InputError) as caught:
        radar.generate("flow-shop")
    assert "roads (flow-shop is of the command" in caught.value.cause
