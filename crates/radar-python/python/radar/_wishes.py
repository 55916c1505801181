"""How a problem is to be solved, in the words of the native module. Options that would not be heard are refused."""

from __future__ import annotations

import json
from typing import Any, Literal, Optional, get_args

from . import _parts
from ._errors import bad_input

Method = Literal["auto", "search", "construct", "neural"]
Minimise = Literal["distance", "duration"]


def wishes(
    time_limit: Optional[float],
    steps: Optional[int],
    searches: Optional[int],
    seed: int,
    method: str,
    model: Any,
    starts: Optional[int],
    augment: Optional[int],
    minimise: str,
    allow_unserved: bool,
    freeze: Any = None,
) -> str:
    """The options as JSON, without what is not said."""
    _parts.choice("method", method, get_args(Method))
    if method == "auto" and model is None and (augment is not None or starts is not None):
        name = "starts" if augment is None else "augment"
        raise bad_input("unused-option", f"{name} would not be heard without a network", "leave it out, or give a model")
    if method == "auto" and model is not None and freeze is not None:
        cause = "model would not be heard: a network begins every route anew and cannot keep frozen beginnings"
        raise bad_input("unused-option", cause, "leave it or freeze out")
    _refuse_unheard(method, model=model, augment=augment, starts=starts, searches=searches, steps=steps, freeze=freeze)
    said = {
        "time": None if time_limit is None else _seconds(time_limit),
        "steps": None if steps is None else _parts.count("steps", steps),
        "searches": None if searches is None else _parts.count("searches", searches, 256),
        "seed": _parts.whole("seed", seed),
        "method": method,
        "starts": None if starts is None else _parts.count("starts", starts, 2**32 - 1),
        "augment": None if augment is None else _parts.count("augment", augment, 1024),
        "minimise": _parts.choice("minimise", minimise, get_args(Minimise)),
        "allow_unserved": _parts.truth("allow_unserved", allow_unserved),
    }
    return json.dumps({key: wish for key, wish in said.items() if wish is not None})


# Which methods hear of an option that not all of them hear of.
_HEARD = {
    "model": ("neural", "auto"),
    "augment": ("neural", "auto"),
    "starts": ("construct", "neural", "auto"),
    "searches": ("auto", "search"),
    "steps": ("auto", "search", "construct"),
    "freeze": ("auto", "search"),
}


def _refuse_unheard(method: str, **options: Any) -> None:
    """Who gives an option expects it to do something."""
    for name, option in options.items():
        if option is not None and method not in _HEARD[name]:
            methods = " or ".join(f"method={heard!r}" for heard in _HEARD[name])
            cause = f"{name} would not be heard with method={method!r}"
            raise bad_input("unused-option", cause, f"leave it out, or give {methods}")


def _seconds(time_limit: float) -> float:
    seconds = _parts.number("time_limit", time_limit)
    # Clocks count nanoseconds, and as many seconds as 64 bits hold.
    if not 1e-9 <= seconds < 2**64:
        raise bad_input(
            "bad-option", f"time_limit is {seconds}", "give seconds from 1e-9 to 1.8e19, or None for no clock"
        )
    return seconds
