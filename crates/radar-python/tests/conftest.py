"""Problems that many tests speak of."""

import os

import pytest

import radar


@pytest.fixture
def routes() -> radar.Problem:
    """Two stops and a depot: one route [1, 2] of cost 6 is best, and proved to be."""
    return radar.Problem([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]], demand=[0, 3, 4], capacity=9, name="two stops")


@pytest.fixture(scope="session")
def deliveries() -> radar.Problem:
    """A hundred stops, which no search of a few seconds proves anything about."""
    return radar.generate("acvrp", 100, seed=3)


@pytest.fixture(scope="session")
def city() -> radar.Problem:
    """Thirty stops on the streets of a made city, with points, units, durations and windows."""
    return radar.generate("city", 30, variant="AVRPTW", seed=1)


@pytest.fixture(scope="session")
def command() -> str:
    """The command `radar`, whose path the script of these tests gives."""
    return os.environ["RADAR"]
