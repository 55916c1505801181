"""Times of day as numbers, in the unit of a table."""

from __future__ import annotations

import datetime
import re
from typing import Any, Optional

from . import _parts
from ._errors import bad_input

_SECONDS = {
    **dict.fromkeys(("s", "sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
    "ds": 0.1,
    "ms": 0.001,
}
_CLOCK = re.compile(r"\s*(\d{1,4}):([0-5]?\d)(?::([0-5]?\d))?\s*", re.ASCII)


def clock(time: Any, unit: str) -> float:
    """A time of day as a number, counted from midnight in the unit of the travel times.

    `time` is a text such as ``"08:30"`` or ``"8:30:15"`` (hours may go beyond 24), a `datetime.time`, or a
    `datetime.timedelta`; `unit` is ``"s"``, ``"min"`` or ``"h"``.

    >>> clock("08:30", unit="min")
    510.0
    >>> [clock(time, unit="h") for time in ("06:15", "26:00")]
    [6.25, 26.0]
    """
    length = seconds(_parts.text("unit", unit))
    if length is None:
        raise bad_input("unit-unknown", f"the stated unit of time is {_parts.shown(unit)}", "use s, min or h")
    return _since_midnight(time) / length


def seconds(unit: str) -> Optional[float]:
    """How many seconds a unit of time has; None if it is none."""
    return _SECONDS.get(unit.strip().lower())


def _since_midnight(time: Any) -> float:
    if isinstance(time, datetime.timedelta):
        return time.total_seconds()
    if isinstance(time, datetime.time):
        return time.hour * 3600 + time.minute * 60 + time.second + time.microsecond / 1e6
    parts = _CLOCK.fullmatch(time) if isinstance(time, str) else None
    if parts is None:
        raise bad_input("wrong-type", f"{_parts.shown(time)} is no time of day", "give one such as '08:30'")
    hours, minutes, rest = (int(part or 0) for part in parts.groups())
    return hours * 3600 + minutes * 60 + rest
