"""The native module: the same things in the words and keys of the wire form, with nothing made comfortable."""

from typing import Any, Callable, Optional, Sequence, Union, final

import numpy as np
from numpy.typing import NDArray

_Matrix = Union[NDArray[Any], list[list[float]]]
_Pairs = Sequence[tuple[float, float]]
_Routes = list[list[int]]

__version__: str
__all__ = [
    "Model",
    "Problem",
    "Solution",
    "__version__",
    "check",
    "close",
    "distributions",
    "ending",
    "explain",
    "formats",
    "generate",
    "plan",
    "read",
    "render",
    "solve",
    "solve_many",
    "train",
    "train_config",
    "train_presets",
    "write",
]

@final
class Problem:
    def __new__(
        cls,
        kind: str,
        distance: _Matrix,
        *,
        duration: Optional[_Matrix] = None,
        demand: Optional[Sequence[float]] = None,
        backhaul: Optional[Sequence[float]] = None,
        capacity: Optional[float] = None,
        windows: Optional[_Pairs] = None,
        service: Optional[Sequence[float]] = None,
        limit: Optional[float] = None,
        max_duration: Optional[float] = None,
        open: bool = False,
        vehicles: Optional[int] = None,
        priority: Optional[Sequence[float]] = None,
        points: Optional[_Pairs] = None,
        ids: Optional[Sequence[str]] = None,
        name: Optional[str] = None,
        distance_unit: Optional[str] = None,
        duration_unit: Optional[str] = None,
    ) -> Problem: ...
    @property
    def nodes(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def variant(self) -> str: ...
    @property
    def name(self) -> Optional[str]: ...
    @property
    def notes(self) -> list[tuple[str, str]]: ...
    def fields(self) -> dict[str, Any]: ...
    def parts(self) -> dict[str, Any]: ...
    def distance(self) -> _Matrix: ...
    def duration(self) -> Optional[_Matrix]: ...
    def findings(self) -> list[dict[str, Any]]: ...
    def label(self, node: int) -> str: ...

@final
class Solution:
    @property
    def problem(self) -> Problem: ...
    @property
    def routes(self) -> _Routes: ...
    @property
    def cost(self) -> float: ...
    @property
    def bound(self) -> Optional[float]: ...
    @property
    def gap(self) -> Optional[float]: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def method(self) -> str: ...
    @property
    def model(self) -> Optional[str]: ...
    @property
    def seed(self) -> int: ...
    @property
    def interrupted(self) -> bool: ...
    def json(self) -> str: ...
    def to_bytes(self, format: str) -> bytes: ...

@final
class Model:
    @staticmethod
    def from_bytes(data: bytes, isa: Optional[str]) -> Model: ...
    @staticmethod
    def new(config: str, seed: int, isa: Optional[str]) -> Model: ...
    @property
    def name(self) -> str: ...
    @property
    def isa(self) -> str: ...
    @property
    def width(self) -> int: ...
    def card(self) -> str: ...
    def to_bytes(self, half: bool) -> bytes: ...
    def encode(self, problem: Problem, seed: int, sketch: int) -> NDArray[np.float32]: ...
    def decode(
        self, problem: Problem, options: str
    ) -> tuple[list[tuple[int, int, bool, Optional[float], float, _Routes]], Optional[NDArray[np.float32]]]: ...
    def doubts(self, problem: Problem) -> list[str]: ...

def read(data: bytes, name: Optional[str], stated: str) -> list[Problem]: ...
def write(format: str, problems: list[Problem]) -> bytes: ...
def plan(data: bytes, problem: Problem) -> _Routes: ...
def ending(path: str, what: str) -> str: ...
def formats() -> dict[str, list[str]]: ...
def close() -> None: ...
def render(problem: Problem, answer: str, format: str) -> bytes: ...
def solve(
    problem: Problem,
    wishes: str,
    warm: Optional[_Routes],
    freeze: Optional[tuple[_Routes, list[int]]],
    model: Optional[Model],
    on_progress: Optional[Callable[[dict[str, Any]], object]],
) -> Solution: ...
def solve_many(
    problems: list[Problem],
    wishes: str,
    model: Optional[Model],
    workers: Optional[int],
    on_done: Optional[Callable[[int, int], object]],
) -> list[Union[Solution, Exception]]: ...
def check(problem: Problem, routes: _Routes) -> str: ...
def explain(problem: Problem, routes: Optional[_Routes], stops: list[int]) -> str: ...
def generate(
    name: str,
    parameters: list[tuple[str, str]],
    seed: int,
    first: int,
    count: int,
    roads: list[tuple[str, bytes]],
) -> tuple[list[Problem], int]: ...
def distributions() -> str: ...
def train(
    out: str,
    config: Optional[str],
    set: list[str],
    resume: bool,
    budget: Optional[str],
    init: Optional[str],
    data: list[str],
    memory: Optional[int],
    on_event: Optional[Callable[[dict[str, Any]], object]],
) -> dict[str, Any]: ...
def train_config(config: str, set: list[str], init: Optional[str], data: list[str]) -> str: ...
def train_presets() -> list[str]: ...
