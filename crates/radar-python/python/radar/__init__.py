"""Asymmetric vehicle routing: a matrix in, checked routes out.

>>> import numpy as np
>>> import radar
>>> distance = np.array([[0, 2, 9], [4.5, 0, 1], [3, 7, 0]])
>>> radar.solve(distance).routes
[[0, 1, 2]]
>>> radar.solve(distance, demand=[0, 3, 4], capacity=5).routes
[[1], [2]]

`solve` takes one problem, `solve_many` a batch; `read` and `write` know every format, and `clock` times of day; `check`
judges any plan and `explain` says what would admit it; `generate` draws instances; `Model`, `evaluate` and `train` are
for networks.
Everything that is refused raises a `RadarError` with a code, the cause and what to do.
"""

import atexit as _atexit

from . import _radar
from ._check import Explanation, Verdict, Violation, check, explain
from ._clock import clock
from ._errors import (
    Finding,
    InfeasibleError,
    InputError,
    InternalError,
    Interrupted,
    Message,
    MissingPackageError,
    Note,
    RadarError,
)
from ._evaluate import Evaluation, Result, evaluate
from ._files import formats, read, read_plan, read_set, write
from ._generate import Distribution, Parameter, distributions, generate
from ._model import Model, Trajectory
from ._problem import Problem
from ._radar import __version__
from ._schedule import Route, Stop
from ._solution import Solution, Unserved
from ._solve import solve, solve_many
from ._train import Run, Validation, train, train_config, train_presets

# Calls of daemon threads end before the interpreter does.
_atexit.register(_radar.close)

__all__ = [
    "Distribution",
    "Evaluation",
    "Explanation",
    "Finding",
    "InfeasibleError",
    "InputError",
    "InternalError",
    "Interrupted",
    "Message",
    "MissingPackageError",
    "Model",
    "Note",
    "Parameter",
    "Problem",
    "RadarError",
    "Result",
    "Route",
    "Run",
    "Solution",
    "Stop",
    "Trajectory",
    "Unserved",
    "Validation",
    "Verdict",
    "Violation",
    "__version__",
    "check",
    "clock",
    "distributions",
    "evaluate",
    "explain",
    "formats",
    "generate",
    "read",
    "read_plan",
    "read_set",
    "solve",
    "solve_many",
    "train",
    "train_config",
    "train_presets",
    "write",
]
