"""Pictures."""

import math
import subprocess
import sys

import matplotlib
import pytest

matplotlib.use("Agg")

import matplotlib.pyplot as plt

import radar

LINE = [[abs(a - b) for b in range(4)] for a in range(4)]


@pytest.fixture(autouse=True)
def no_figures_left():
    yield
    plt.close("all")


def test_a_map_has_a_line_per_route(city):
    solution = radar.solve(city, time_limit=None, steps=100)
    axes = solution.plot()
    labels = [line.get_label() for line in axes.get_lines()]
    assert labels == [f"route #{number + 1}" for number in range(len(solution.routes))] + ["node 0"]
    first = axes.get_lines()[0]
    assert len(first.get_xdata()) == len(solution.routes[0]) + 2
    assert first.get_ydata()[0] == solution.problem.points[0][0]
    assert axes.get_aspect() == pytest.approx(1 / math.cos(math.radians(city.points[0][0])), abs=0.01)
    assert axes.get_title().startswith(f"{city.name}: cost ")


def test_without_points_it_is_a_circle_and_says_so():
    _, axes = plt.subplots()
    assert radar.solve(LINE).plot(axes) is axes
    assert "circle" in axes.get_xlabel()
    [tour, _] = axes.get_lines()
    assert len(tour.get_xdata()) == 5
    assert tour.get_xdata()[0] == tour.get_xdata()[-1]


def test_open_routes_and_stops_left_out():
    _, axes = plt.subplots()
    radar.solve(LINE, open=True, limit=2, allow_unserved=True).plot(axes)
    labels = [line.get_label() for line in axes.get_lines()]
    assert "not served" in labels
    assert len(axes.get_lines()[0].get_xdata()) <= 3


@pytest.mark.parametrize(("package", "call"), [("matplotlib", "plot"), ("pandas", "to_frame")])
def test_a_missing_package_is_named(package, call, monkeypatch):
    from radar import _optional

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(_optional, "import_module", missing)
    with pytest.raises(ImportError, match=f"pip install {package}"):
        getattr(radar.solve(LINE), call)()


def test_optional_packages_are_imported_only_when_used():
    program = "import radar, sys; print({'pandas', 'matplotlib', 'pyvrp', 'vrplib', 'ray'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert printed.strip() == "set()"
