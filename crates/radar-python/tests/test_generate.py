"""Instances: the same as the command's, byte for byte."""

import subprocess

import numpy as np
import pytest

import radar
from radar import _radar


def drawn(command, *arguments):
    return subprocess.run([command, "generate", *arguments], check=True, stdout=subprocess.PIPE).stdout


def written(format, problems):
    return _radar.write(format, [problem._native for problem in problems])


@pytest.mark.parametrize("distribution", radar.distributions(), ids=lambda one: one.name)
def test_every_distribution_is_the_commands_with_all_its_defaults(distribution, command, city, tmp_path):
    said, roads = [], ()
    if distribution.needs_roads:
        roads = tmp_path / "roads.json"
        city.save(roads)
        said = ["--roads", str(roads)]
    expected = drawn(command, distribution.name, "-n", "9", *said, "--seed", "11", "--count", "2")
    problems = radar.generate(distribution.name, 9, seed=11, count=2, roads=roads)
    assert written("json-lines", problems) == expected
    assert all(problem.is_sound for problem in problems)
    assert distribution.summary and all(parameter.summary for parameter in distribution.parameters)


@pytest.mark.parametrize(
    ("arguments", "name", "parameters"),
    [
        (["tmat", "-n", "20"], "tmat", {"n": 20}),
        (["acvrp", "-n", "12"], "acvrp", {"n": 12}),
        (["skewed", "-n", "9", "--set", "skew=large"], "skewed", {"n": 9, "skew": "large"}),
        (["asymmetry", "-n", "9", "--set", "sigma=0.1"], "asymmetry", {"n": 9, "sigma": 0.1}),
        (["city", "-n", "10", "--variant", "AVRPTW"], "city", {"n": 10, "variant": "AVRPTW"}),
        (
            ["multitask", "-n", "10", "--variant", "AVRPBLTW", "--preset", "tight"],
            "multitask",
            {"n": 10, "variant": "AVRPBLTW", "preset": "tight"},
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_instances_are_the_commands_byte_for_byte(arguments, name, parameters, command):
    expected = drawn(command, *arguments, "--seed", "5", "--count", "3")
    problems = radar.generate(name, seed=5, count=3, **parameters)
    assert written("json-lines", problems) == expected
    assert written("json", [radar.generate(name, seed=5, **parameters)]) == drawn(command, *arguments, "--seed", "5")


def test_roads_are_the_commands_too(command, city, tmp_path):
    roads = tmp_path / "roads.json"
    city.save(roads)
    expected = drawn(command, "roads", "-n", "8", "--roads", str(roads), "--seed", "2")
    assert written("json", [radar.generate("roads", 8, roads=roads, seed=2)]) == expected
    assert written("json", [radar.generate("roads", 8, roads=[str(roads)], seed=2)]) == expected
    from_problem = radar.generate("roads", 8, roads=radar.read(roads), seed=2)
    assert written("json", [from_problem]) == expected


def test_instances_of_a_seed_are_numbered():
    every = radar.generate("tmat", 6, seed=1, count=5)
    assert radar.generate("tmat", 6, seed=1, count=2, first=3) == every[3:]
    assert radar.generate("tmat", 6, seed=1) == every[0]
    assert radar.generate("tmat", 6, seed=2) != every[0]
    assert len({problem.distance.tobytes() for problem in every}) == 5
    assert radar.generate("tmat", 6, count=0) == []


def test_every_distribution_is_listed_with_its_parameters():
    names = {distribution.name: distribution for distribution in radar.distributions()}
    assert {"tmat", "acvrp", "asymmetry", "multitask", "city", "roads"} <= names.keys()
    assert names["roads"].needs_roads and not names["tmat"].needs_roads
    sigma = next(parameter for parameter in names["asymmetry"].parameters if parameter.name == "sigma")
    assert sigma.default == "0.2" and sigma.summary


def test_clamped_factors_are_a_warning():
    with pytest.warns(UserWarning, match="negative factors"):
        radar.generate("asymmetry", 30, sigma=5)


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("tamt", {}),
        ("tmat", {"n": 0}),
        ("tmat", {"n": -3}),
        ("tmat", {"n": "many"}),
        ("tmat", {"n": None, "size": 3}),
        ("tmat", {"variant": "VRP"}),
        ("tmat", {"preset": "hard"}),
        ("tmat", {"seed": -1}),
        ("tmat", {"seed": 2**64}),
        ("tmat", {"count": -1}),
        ("tmat", {"first": 1.5}),
        ("tmat", {"first": 2**64 - 1}),
        ("asymmetry", {"sigma": -1}),
        ("asymmetry", {"sigma": [1]}),
        ("roads", {}),
        ("roads", {"roads": "nowhere.npz"}),
        ("roads", {"roads": [5]}),
        (5, {}),
    ],
)
def test_nonsense_is_refused(name, parameters):
    with pytest.raises(radar.InputError) as caught:
        radar.generate(name, **parameters)
    assert caught.value.code and caught.value.action


def test_drawn_matrices_are_sound():
    for problem in radar.generate("multitask", 15, count=8):
        assert problem.is_sound
        assert np.isfinite(problem.distance).all()


def test_numbers_go_as_far_as_those_of_seeds():
    last = radar.generate("tmat", 5, first=2**64 - 30, count=20)
    assert [problem.name for problem in last] == [f"tmat-ATSP-n5-s0-{2**64 - 30 + at}" for at in range(20)]
    assert radar.generate("tmat", 5, first=2**64 - 12) == last[18]
    assert radar.generate("tmat", 5, first=2**64 - 2).nodes == 5


def test_roads_that_are_not_given_are_asked_for():
    with pytest.raises(radar.InputError, match="give roads=") as caught:
        radar.generate("roads", 30)
    assert caught.value.code == "bad-distribution"
