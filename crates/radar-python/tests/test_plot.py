"""Pictures."""

import math
import pickle
import subprocess
import sys

import pytest

import radar

pytest.importorskip("matplotlib").use("Agg")
plt = pytest.importorskip("matplotlib.pyplot")

LINE = [[abs(a - b) for b in range(4)] for a in range(4)]


@pytest.fixture(autouse=True)
def no_figures_left():
    yield
    plt.close("all")


def test_a_map_has_a_line_per_route(city):
    solution = radar.solve(city, time_limit=None, steps=100)
    axes = solution.plot()
    labels = [line.get_label() for line in axes.get_lines()]
    counted = [f"route #{at}: {len(visits)} stop" for at, visits in enumerate(solution.routes, start=1)]
    assert [label.rstrip("s") for label in labels] == [*counted, "depot"]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == labels
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


def test_every_leg_has_an_arrow_that_goes_its_way(city):
    solution = radar.solve(city, time_limit=None, steps=100)
    axes = solution.plot()
    arrows = axes.collections
    assert [arrow.N for arrow in arrows] == [len(visits) + 1 for visits in solution.routes]
    (north, east), (to_north, to_east) = city.points[0], city.points[solution.routes[0][0]]
    length = math.hypot(to_east - east, to_north - north)
    assert (arrows[0].U[0], arrows[0].V[0]) == pytest.approx(((to_east - east) / length, (to_north - north) / length))


def test_places_that_are_the_same_have_no_arrow_between_them():
    axes = radar.solve(LINE, points=[(0, 0), (0, 0), (1, 1), (1, 1)]).plot()
    assert axes.collections[0].N == 2
    plt.gcf().canvas.draw()


def test_nodes_are_named_where_there_is_room(city):
    solution = radar.solve(city, time_limit=None, steps=100)
    names = [city.label(node) for node in range(city.nodes)]
    for labels, shown in (("auto", names), (True, names), (False, [])):
        assert [text.get_text() for text in solution.plot(labels=labels).texts] == shown
        plt.close("all")
    many = radar.solve(radar.generate("acvrp", 61), time_limit=None, steps=1)
    assert not many.plot().texts
    plt.close("all")
    assert len(many.plot(labels=True).texts) == 62
    for labels in ("some", 1, None):
        with pytest.raises(radar.InputError, match="bad-option"):
            solution.plot(labels=labels)


def test_what_are_no_axes_is_refused():
    figure, grid = plt.subplots(1, 2)
    for ax in (3, "axes", grid, figure, plt, plt.Axes):
        with pytest.raises(radar.InputError, match="wrong-type") as caught:
            radar.solve(LINE).plot(ax=ax)
        assert caught.value.cause.startswith("ax is ")
    assert radar.solve(LINE).plot(ax=grid[1]) is grid[1]


@pytest.mark.parametrize(("package", "call"), [("matplotlib", "plot"), ("pandas", "to_frame")])
def test_a_missing_package_is_named(package, call, monkeypatch):
    from radar import _optional

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(_optional, "import_module", missing)
    with pytest.raises(ImportError, match=f"pip install {package}") as raised:
        getattr(radar.solve(LINE), call)()
    assert isinstance(raised.value, radar.MissingPackageError)
    assert raised.value.code == "missing-package" and raised.value.cause == f"{call} needs {package}"
    assert pickle.loads(pickle.dumps(raised.value)).messages == raised.value.messages


def test_optional_packages_are_imported_only_when_used():
    program = "import radar, sys; print({'pandas', 'matplotlib', 'pyvrp', 'vrplib', 'ray'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert printed.strip() == "set()"
