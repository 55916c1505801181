"""Times of day."""

import datetime

import numpy as np
import pytest

import radar

pd = pytest.importorskip("pandas")

SQUARE = [[0, 2], [4, 0]]
TABLE = "id,depot,shop\ndepot,0,12\nshop,15,0\n"
STOPS = "id,open,close,service\ndepot,08:00,18:00,\nshop,9:30,10:00,00:10\n"


@pytest.fixture
def files(tmp_path):
    table, stops = tmp_path / "minutes.csv", tmp_path / "stops.csv"
    table.write_text(TABLE)
    stops.write_text(STOPS)
    return table, stops


@pytest.mark.parametrize(
    ("time", "unit", "number"),
    [
        ("08:30", "min", 510),
        ("8:30:15", "s", 30615),
        (" 26:00 ", "h", 26),
        (datetime.time(8, 30), "min", 510),
        (datetime.time(0, 0, 1, 500000), "s", 1.5),
        (datetime.timedelta(hours=1, minutes=30), "hours", 1.5),
        (pd.Timedelta("90min"), "min", 90),
    ],
)
def test_a_time_is_a_number_of_the_unit(time, unit, number):
    assert radar.clock(time, unit=unit) == number


@pytest.mark.parametrize("time", ["8", "08:60", "-1:00", "1:2:3:4", "99999:00", ":30", "\u0668:00", 8, None, b"08:00"])
def test_what_is_no_time_is_refused(time):
    with pytest.raises(radar.InputError) as caught:
        radar.clock(time, unit="min")
    assert caught.value.code == "wrong-type"


@pytest.mark.parametrize(("unit", "code"), [("km", "unit-unknown"), ("", "unit-unknown"), (60, "wrong-type")])
def test_what_is_no_unit_is_refused(unit, code):
    with pytest.raises(radar.InputError) as caught:
        radar.clock("08:00", unit=unit)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "part",
    [
        {"windows": [("08:00", "09:00")] * 2},
        {"windows": [(datetime.time(8), None)] * 2},
        {"windows": [(0, pd.Timedelta("8h"))] * 2},
        {"windows": pd.DataFrame({"open": pd.to_timedelta(["8h", "9h"]), "close": pd.to_timedelta(["9h", "9h"])})},
        {"windows": np.array([["08:00", "09:00"]] * 2)},
        {"service": [0, datetime.timedelta(minutes=10)]},
        {"service": np.array([0, 10], "timedelta64[m]")},
        {"max_duration": "04:00"},
    ],
    ids=str,
)
def test_times_that_are_no_numbers_are_told_how_to_be(part):
    with pytest.raises(radar.InputError) as caught:
        radar.Problem(SQUARE, **part)
    assert caught.value.code == "wrong-type"
    assert "radar.clock('08:00', unit='min')" in caught.value.action
    assert "radar.read(..., unit='min')" in caught.value.action


def test_a_file_with_times_of_day_needs_the_unit_of_its_table(files):
    table, stops = files
    problem = radar.read(table, stops=stops, unit="min")
    assert problem.windows == [(480, 1080), (570, 600)]
    assert problem.service == [0, 10]
    assert problem.units == {"distance": "min", "duration": "min"}
    assert radar.read_set(table, stops=stops, unit="min") == [problem]
    with pytest.raises(radar.InputError) as caught:
        radar.read(table, stops=stops)
    assert caught.value.code == "clock-without-unit"
    assert caught.value.action == "say it with unit='s', unit='min' or unit='h'"


def test_a_unit_that_cannot_be_is_refused(files, tmp_path):
    table, stops = files
    named = tmp_path / "seconds.json"
    radar.write(named, radar.Problem(SQUARE, kind="vrp", units={"distance": "s"}))
    for call, code in (
        (lambda: radar.read(named, unit="min"), "unit-contradicts"),
        (lambda: radar.read(table, stops=stops, unit="km"), "unit-unknown"),
        (lambda: radar.read(table, stops=stops, unit=60), "wrong-type"),
    ):
        with pytest.raises(radar.InputError) as caught:
            call()
        assert caught.value.code == code
