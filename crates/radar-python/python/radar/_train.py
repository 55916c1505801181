"""Training networks."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Union

from . import _parts, _radar, _toml
from ._errors import bad_input
from ._files import PathLike, content_of, native_path, paths, shown_path, text_path
from ._model import Model
from ._words import in_python

Config = Union[str, PathLike, Mapping[str, Any]]


@dataclass(frozen=True)
class Validation:
    """How greedy plans did on the validation set: mean cost, mean gap to the references, and how many were none."""

    cost: Optional[float]
    gap: Optional[float]
    unsolved: int


@dataclass(frozen=True)
class Run:
    """A run: how it ended (``"done"`` or ``"stopped"``), what it took, and its best validation, after `best_step`.

    `references` and `proved` count the references of the validation set; `score` is the last one of training, and
    `score_name` says of what.
    """

    folder: Path
    ending: str
    steps: int
    instances: int
    seconds: float
    cpu_seconds: float
    best: Optional[Validation]
    best_step: int
    references: int
    proved: int
    score: Optional[float]
    score_name: Optional[str]

    def best_model(self) -> Model:
        """The weights that did best on the validation set."""
        return Model.load(self.folder / "best.safetensors")

    def last_model(self) -> Model:
        """The weights as they are now."""
        return Model.load(self.folder / "last.safetensors")

    def metrics(self) -> list[dict[str, Any]]:
        """Everything that was measured, a dictionary per line of ``metrics.jsonl``. A last line that is not whole yet,
        or was cut off with the run, is left out, as it is when the run goes on."""
        path = self.folder / "metrics.jsonl"
        *whole, _ = content_of(path).split(b"\n")
        try:
            return [json.loads(line) for line in whole]
        except ValueError as error:
            raise bad_input("json-syntax", f"{path}: {error}", "mend it, or train again") from None


def train(
    config: Optional[Config],
    out: Optional[PathLike] = None,
    *,
    set: Optional[Mapping[str, Any]] = None,
    resume: bool = False,
    budget: Optional[str] = None,
    init: Optional[PathLike] = None,
    data: Any = (),
    memory: Optional[int] = None,
    on_event: Optional[Callable[[dict[str, Any]], object]] = None,
) -> Run:
    """Trains a network and keeps everything in the folder `out`: unless said, a new one in ``runs``, which is called
    after the configuration and is the `folder` of what comes back.

    - `config`: a preset (see `train_presets`), the path of a TOML file, or a dictionary. `set` lays single keys over
      it, such as ``{"optimiser.lr": 3e-4}``.
    - `budget`: ``"2h"`` of wall time, ``"cpu=2h"``, ``"steps=500"`` or ``"instances=1e6"``, over all sessions.
    - `resume`: go on with the run in the folder, bit for bit; then `config` is None and only the budget may change.
    - `init`: begin with these weights. `data`: files or folders of road matrices to learn on.
    - `memory`: the most bytes to use; unless said, what is free.
    - `on_event`: called on this thread with a dictionary for every event (``"preparing"``, ``"prepared"``,
      ``"step"``, ``"validated"``, ``"saved"``, ``"note"``). Returning False ends the run, which is saved.

    Ctrl-C saves the run, ends it and returns.

    >>> import tempfile
    >>> small = {"preset": "small-atsp", "layers": 1, "width": 16, "heads": 2, "hidden": 16}
    >>> config = {"batch": 4, "model": small, "data": {"nodes": 8}, "validation": {"count": 2, "search_steps": 50}}
    >>> run = train(config, tempfile.mkdtemp() + "/run", budget="steps=2")
    >>> run.ending, run.steps, run.best_model().width
    ('done', 2, 16)
    """
    single = [] if set is None else _toml.settings(_parts.mapping("set", set))
    roads = [native_path(path) for path in paths("data", data)]
    heard = _parts.callback("on_event", on_event)
    if _parts.truth("resume", resume):
        if out is None:
            raise bad_input("no-run", "resume without a folder: there may be several runs", "say which: out=run.folder")
        unheard = {"config": config is not None, "set": single, "init": init is not None, "data": roads}
        _refuse([name for name, given in unheard.items() if given])
    elif config is None:
        raise bad_input("config", "there is no configuration", "name a preset, a TOML file or a dictionary")
    folder = _fresh(config) if out is None else out
    told = _radar.train(
        native_path(folder),
        None if config is None else _text(config),
        single,
        resume,
        None if budget is None else _parts.text("budget", budget),
        None if init is None else native_path(init),
        roads,
        None if memory is None else _parts.whole("memory", memory),
        None if heard is None else _told(heard),
    )
    best = told.pop("best")
    return Run(folder=Path(folder), best=None if best is None else Validation(**best), **told)


def train_config(
    config: Config, *, set: Optional[Mapping[str, Any]] = None, init: Optional[PathLike] = None, data: Any = ()
) -> str:
    """The whole configuration that `train` would use, every key of it, as TOML.

    >>> text = train_config("quick", set={"batch": 16})
    >>> "batch = 16" in text
    True
    """
    single = [] if set is None else _toml.settings(_parts.mapping("set", set))
    roads = [native_path(path) for path in paths("data", data)]
    return _radar.train_config(_text(config), single, None if init is None else native_path(init), roads)


def train_presets() -> list[str]:
    """The configurations that have a name.

    >>> "quick" in train_presets()
    True
    """
    return _radar.train_presets()


def _fresh(config: Optional[Config]) -> Path:
    """A folder in ``runs`` that is not there yet: ``runs/quick``, then ``runs/quick-2`` and so on."""
    name = config.get("name", "unnamed") if isinstance(config, Mapping) else Path(text_path(config)).stem
    plain = re.sub(r"[^\w.-]+", "-", str(name)).strip(".-") or "unnamed"
    folders = (Path("runs") / (plain if number == 1 else f"{plain}-{number}") for number in itertools.count(1))
    return next(folder for folder in folders if not folder.exists())


def _text(config: Config) -> str:
    """The name of a preset, or TOML."""
    if isinstance(config, Mapping):
        return _toml.document(config)
    name = text_path(config)
    if name in _radar.train_presets():
        return name
    if not Path(name).exists():
        presets = ", ".join(_radar.train_presets())
        cause = f"`{shown_path(name)}` is no preset and no file"
        raise bad_input("config", cause, f"name a TOML file or one of {presets}")
    try:
        return content_of(name).decode()
    except UnicodeDecodeError:
        raise bad_input("config", f"{shown_path(name)} is not UTF-8", "give a TOML file") from None


def _told(on_event: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], object]:
    """The callback, with notes that speak of what there is here."""

    def tell(event: dict[str, Any]) -> object:
        return on_event({**event, "text": in_python(event["text"])} if "text" in event else event)

    return tell


def _refuse(unheard: list[str]) -> None:
    if unheard:
        raise bad_input(
            "unused-option",
            f"with resume, {', '.join(unheard)} would not be heard",
            "a run goes on as it was configured: give at most another budget",
        )
