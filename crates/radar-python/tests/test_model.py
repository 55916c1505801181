"""Networks: files, embeddings, plans."""

import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import radar


@pytest.fixture(scope="module")
def model():
    return radar.Model.new({"preset": "small-atsp", "layers": 2}, seed=3)


@pytest.fixture(scope="module")
def tour():
    return radar.generate("tmat", 12, seed=9)


def test_the_card_says_what_it_is(model):
    assert model.card["config"]["task"] == "atsp"
    assert model.card["config"]["layers"] == 2
    assert model.card["seed"] == 3
    assert (model.name, model.width) == (model.card["name"], model.card["config"]["width"])
    assert model.isa in repr(model)
    assert radar.Model.new("small-vrp").card["config"]["task"] == "vrp"


def test_a_file_is_the_same_network(model, tour, tmp_path):
    path = tmp_path / "model.safetensors"
    model.save(path, half=False)
    whole = path.stat().st_size
    again = radar.Model.load(path)
    assert again.card == model.card
    assert np.array_equal(again.encode(tour), model.encode(tour))
    model.save(str(path))
    assert path.stat().st_size < 0.6 * whole
    assert radar.Model.load(path).encode(tour) == pytest.approx(model.encode(tour), abs=0.5)


def test_networks_survive_a_journey(model, tour):
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.encode(tour), model.encode(tour))


def test_embeddings_have_a_row_per_node(model, tour):
    embeddings = model.encode(tour)
    assert embeddings.shape == (12, model.width) and embeddings.dtype == np.float32
    assert np.isfinite(embeddings).all()
    assert not np.array_equal(embeddings, model.encode(tour, seed=1))
    assert not np.array_equal(embeddings, model.encode(tour, sketch=1))


def test_plans_are_complete_and_checked(model, tour):
    plans = model.decode(tour, augment=2)
    assert [(plan.sketch, plan.start) for plan in plans] == [(sketch, at) for sketch in range(2) for at in range(12)]
    for plan in plans:
        assert plan.complete and plan.log_probability <= 0
        assert radar.check(tour, plan.routes).cost == pytest.approx(plan.cost)
    assert model.decode(tour, augment=2) == plans
    assert len(model.decode(tour, starts=3)) == 3


def test_sampling_depends_on_the_seed(model, tour):
    one, same, other = (model.decode(tour, temperature=2.0, seed=seed) for seed in (1, 1, 2))
    assert one == same != other


def test_confidence_is_a_distribution_per_row(model, tour):
    confidence = model.confidence(tour)
    assert confidence.shape == (12, 12) and confidence.dtype == np.float32
    assert (confidence >= 0).all() and confidence.sum(axis=1).max() <= 1.001
    assert confidence.sum() > 6


def test_a_network_solves(model, tour, tmp_path):
    best = min(plan.cost for plan in model.decode(tour, augment=2))
    solution = radar.solve(tour, method="neural", model=model, augment=2, time_limit=None)
    assert solution.cost <= best and solution.model == model.name
    path = tmp_path / "model.safetensors"
    model.save(path, half=False)
    assert radar.solve(tour, method="neural", model=path, augment=2, time_limit=None) == solution
    [many] = radar.solve_many([tour], method="neural", model=model, augment=2, time_limit=None)
    assert many.cost == solution.cost


def test_doubts_are_said(model, tour):
    assert model.doubts(tour)


@pytest.mark.parametrize(
    "options", [{"temperature": 0}, {"temperature": -1}, {"starts": 0}, {"augment": 0}, {"clip": -1}, {"minimise": "x"}]
)
def test_options_that_mean_nothing_are_refused(options, model, tour):
    with pytest.raises(radar.InputError):
        model.decode(tour, **options)
    with pytest.raises(radar.InputError):
        model.confidence(tour, **options)


def test_a_network_for_tours_refuses_routes(model, routes):
    for refused in (model.decode, model.encode, model.confidence):
        with pytest.raises(radar.InputError):
            refused(routes)


@pytest.mark.parametrize("content", [b"", b"\x00" * 7, b"\xff" * 64, b"PK\x03\x04"])
def test_damaged_files_are_refused(content, tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(radar.InputError) as caught:
        radar.Model.load(path)
    assert caught.value.cause.startswith(f"{path}: ")


def test_a_file_that_is_cut_off_is_refused(model, tmp_path):
    path = tmp_path / "model.safetensors"
    model.save(path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(radar.InputError, match="truncated"):
        radar.Model.load(path)


@pytest.mark.parametrize(
    "config", ["huge", {"layers": 0}, {"preset": "small-atsp", "depth": 3}, {"heads": 7}, {"mix": {1}}]
)
def test_networks_that_cannot_be_are_refused(config):
    with pytest.raises(radar.InputError) as caught:
        radar.Model.new(config)
    assert caught.value.action


def test_other_refusals(model, tour, tmp_path):
    with pytest.raises(radar.InputError, match="isa-unavailable"):
        radar.Model.new("small-atsp", isa="abacus")
    with pytest.raises(radar.InputError, match="cannot-read"):
        radar.Model.load(tmp_path / "nowhere.safetensors")
    with pytest.raises(radar.InputError, match="cannot-write"):
        model.save(tmp_path / "nowhere" / "model.safetensors")
    (tmp_path / "folder").mkdir()
    with pytest.raises(radar.InputError, match="cannot-write"):
        model.save(tmp_path / "folder")
    with pytest.raises(TypeError, match=r"Model\.load"):
        radar.Model()
    with pytest.raises(radar.InputError, match="Problem"):
        model.decode([[0, 1], [1, 0]])


class Named(radar.Model):
    """A class of somebody else's, with something of its own."""


def test_a_class_of_others_survives_a_journey():
    model = Named.new({"preset": "small-atsp", "layers": 1})
    model.region = "north"
    again = pickle.loads(pickle.dumps(model))
    assert (type(again), again.region, again.card) == (Named, "north", model.card)


def test_every_preset_is_documented():
    with pytest.raises(radar.InputError) as caught:
        radar.Model.new("none of them")
    presets = re.findall(r"[\w-]+", caught.value.action.partition("give one of")[2])
    docs = (Path(__file__).parents[3] / "docs" / "python.md").read_text()
    assert "small-atsp" in presets and all(f"`{preset}`" in docs for preset in presets)


def test_a_network_for_routes_comes_along():
    model = radar.Model.shipped("vrp")
    assert model.name == "vrp" and model.card["cpu_hours"] > 0
    routes = radar.generate("multitask", 40, variant="AVRPTW", seed=5)
    built = radar.solve(routes, method="neural", time_limit=None)
    assert built == radar.solve(routes, method="neural", model=model, time_limit=None)
    assert built.cost < 1.2 * radar.solve(routes, time_limit=None).cost


def test_a_network_for_tours_comes_along():
    model = radar.Model.shipped()
    assert model.name == "atsp" and model.card["cpu_hours"] > 0
    tour = radar.generate("tmat", 60, seed=5)
    built = radar.solve(tour, method="neural", time_limit=None)
    assert built == radar.solve(tour, method="neural", model=model, time_limit=None)
    assert built.cost < 1.05 * radar.solve(tour, time_limit=None).cost
    for kind in ("tsp", 3):
        with pytest.raises(radar.InputError):
            radar.Model.shipped(kind)
