"""Networks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Union, get_args

import numpy as np
from numpy.typing import NDArray

from . import _parts, _radar
from ._errors import RadarError, bad_input
from ._files import PathLike, content_of, put, shown_path
from ._problem import Problem, known_kind, problem_of
from ._wishes import Minimise


@dataclass(frozen=True)
class Trajectory:
    """A plan that a network built: from which sketch of the matrix and which start, and how likely it was.

    `cost` is in the unit of the matrix, and None where the plan is not complete; every complete one has been checked.
    """

    sketch: int
    start: int
    complete: bool
    cost: Optional[float]
    log_probability: float
    routes: list[list[int]]


class Model:
    """A network: weights, and a card that says what they are.

    >>> model = Model.new({"preset": "small-atsp", "layers": 1}, seed=1)
    >>> model.card["config"]["layers"]
    1
    >>> import radar
    >>> [tour] = model.decode(radar.generate("tmat", 8), starts=1)
    >>> sorted(tour.routes[0]), tour.complete
    ([0, 1, 2, 3, 4, 5, 6, 7], True)
    """

    __slots__ = ("_isa", "_native")
    _native: _radar.Model
    _isa: Optional[str]

    def __init__(self) -> None:
        raise TypeError("models come from radar.Model.shipped, radar.Model.load or radar.Model.new")

    @classmethod
    def load(cls, path: PathLike, isa: Optional[str] = None) -> Model:
        """Reads a model file. `isa` forces an instruction set; unless said, it is the machine's best.

        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/small.safetensors"
        >>> Model.new("small-atsp").save(path)
        >>> Model.load(path).width
        128
        """
        content, named = content_of(path), _isa(isa)
        try:
            return cls._of(_radar.Model.from_bytes(content, named), named)
        except RadarError as error:
            raise error.within(shown_path(path)) from None

    @classmethod
    def new(cls, config: Union[str, Mapping[str, Any]], seed: int = 0, isa: Optional[str] = None) -> Model:
        """A network with random weights, as training begins: of a preset, or of a dictionary of its keys."""
        keys = {"preset": config} if isinstance(config, str) else _parts.mapping("config", config)
        try:
            stated = json.dumps(keys, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise bad_input("config", str(error), "give texts, numbers and lists of Python's own") from None
        named = _isa(isa)
        return cls._of(_radar.Model.new(stated, _parts.whole("seed", seed), named), named)

    @classmethod
    def shipped(cls, kind: str = "atsp", isa: Optional[str] = None) -> Model:
        """The network that comes along: for tours (``"atsp"``) or for routes (``"vrp"``).

        >>> Model.shipped().card["config"]["task"]
        'atsp'
        """
        named = _isa(isa)
        native = _radar.Model.shipped(known_kind(kind) == "atsp", named)
        if native is None:
            raise bad_input("model", f"no network for {kind!r} comes along", "load one, or train one")
        return cls._of(native, named)

    @classmethod
    def _of(cls, native: _radar.Model, isa: Optional[str]) -> Model:
        made = cls.__new__(cls)
        made._native, made._isa = native, isa
        return made

    @property
    def card(self) -> dict[str, Any]:
        """What the weights are: name, configuration, what they were trained on, figures."""
        card: dict[str, Any] = json.loads(self._native.card())
        return card

    @property
    def name(self) -> str:
        """What the weights are called."""
        return self._native.name

    @property
    def isa(self) -> str:
        """The instruction set in use."""
        return self._native.isa

    @property
    def width(self) -> int:
        """How many numbers a node is embedded in."""
        return self._native.width

    def save(self, path: PathLike, half: bool = True) -> None:
        """Writes the model file, in half precision (bfloat16) or single. What stood there is whole until it is."""
        put(path, self._native.to_bytes(_parts.truth("half", half)))

    def encode(self, problem: Problem, seed: int = 0, sketch: int = 0) -> NDArray[np.float32]:
        """The embeddings of all nodes, (nodes, width), of one sketch of the matrix.

        >>> import radar
        >>> Model.shipped().encode(radar.generate("tmat", 8)).shape
        (8, 128)
        """
        native = problem_of(problem)._native
        return self._native.encode(native, _parts.whole("seed", seed), _parts.whole("sketch", sketch))

    def decode(
        self,
        problem: Problem,
        temperature: Optional[float] = None,
        starts: Optional[int] = None,
        augment: int = 1,
        clip: Optional[float] = None,
        seed: int = 0,
        minimise: str = "distance",
    ) -> list[Trajectory]:
        """Builds plans from every start of every sketch: greedily, or by sampling.

        `starts` is how many starts there are if not all: of routes the likeliest first stops, of a tour spread evenly.

        `temperature` None is greedy, and else from 0.001 (all but greedy) to 1,000,000 (all but blind); `clip`, in the
        same range, bounds the scores (unless said, as the network was trained); `augment`, from 1 to 1024, is how many
        sketches of the matrix there are. Plans come in the order of sketches and starts.

        >>> import radar
        >>> tours = Model.shipped().decode(radar.generate("tmat", 8))
        >>> len(tours), min(tour.cost for tour in tours) > 0, max(tour.log_probability for tour in tours) <= 0
        (8, True, True)
        """
        options = _options(temperature, starts, augment, clip, seed, minimise, False)
        trajectories, _ = self._native.decode(problem_of(problem)._native, options)
        return [Trajectory(*trajectory) for trajectory in trajectories]

    def confidence(
        self,
        problem: Problem,
        temperature: Optional[float] = None,
        starts: Optional[int] = None,
        augment: int = 1,
        clip: Optional[float] = None,
        seed: int = 0,
        minimise: str = "distance",
    ) -> NDArray[np.float32]:
        """With what probability the network goes from one node straight on to another, (nodes, nodes).

        Each row is the mean over all visits of its node, from all starts and sketches.

        >>> import radar
        >>> Model.shipped().confidence(radar.generate("tmat", 8)).argmax(axis=1).shape
        (8,)
        """
        options = _options(temperature, starts, augment, clip, seed, minimise, True)
        _, confidence = self._native.decode(problem_of(problem)._native, options)
        assert confidence is not None
        return confidence

    def doubts(self, problem: Problem) -> list[str]:
        """How a problem is unlike what the network has learned from; empty when it is not.

        >>> import radar
        >>> Model.shipped().doubts(radar.generate("tmat", 100))
        []
        """
        return self._native.doubts(problem_of(problem)._native)

    def __reduce__(self) -> tuple[Any, ...]:
        # Single precision keeps every digit.
        # What a class of others has beside is in its dictionary.
        content = self._native.to_bytes(False)
        return _restored, (content, self._isa, type(self)), getattr(self, "__dict__", None)

    def __repr__(self) -> str:
        return f"Model({self.name!r}, {self.card['config']['task']}, width {self.width}, {self.isa})"


def given(model: Any) -> Optional[_radar.Model]:
    """The network that a caller names: a `Model`, the path of one, or none."""
    if model is None or isinstance(model, Model):
        return None if model is None else model._native
    return Model.load(model)._native


def _isa(name: Any) -> Optional[str]:
    return None if name is None else _parts.text("isa", name)


def _restored(content: bytes, isa: Optional[str], made: type[Model] = Model) -> Model:
    return made._of(_radar.Model.from_bytes(content, isa), isa)


def _options(
    temperature: Optional[float],
    starts: Optional[int],
    augment: int,
    clip: Optional[float],
    seed: int,
    minimise: str,
    confidence: bool,
) -> str:
    options = {
        "temperature": None if temperature is None else _parts.between("temperature", temperature, 1e-3, 1e6),
        "starts": None if starts is None else _parts.count("starts", starts, 2**32 - 1),
        "augment": _parts.count("augment", augment, 1024),
        "clip": None if clip is None else _parts.between("clip", clip, 1e-3, 1e6),
        "seed": _parts.whole("seed", seed),
        "minimise": _parts.choice("minimise", minimise, get_args(Minimise)),
        "confidence": confidence,
    }
    return json.dumps(options)
