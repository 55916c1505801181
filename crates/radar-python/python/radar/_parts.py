"""From what people have (numpy, lists, data frames, tensors) to what the native module takes.

Only types and shapes are looked at here. Whether the values make a problem is for validation to say, which finds
everything at once.
"""

from __future__ import annotations

import datetime
import inspect
import math
import operator
import os
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, List, Optional, Union

import numpy as np
from numpy.typing import NDArray

from ._errors import InputError, bad_input

Matrix = Union[NDArray[Any], List[List[float]]]

# What the native module copies straight out of an array's memory.
_NATIVE = (np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.float32), np.dtype(np.int32))
_MOST = 2**64 - 1
_NUMBERS = "a number"
_TIMES = (
    "a number in the unit of the table, such as radar.clock('08:00', unit='min'); "
    "radar.read(..., unit='min') takes times of day in files"
)
# Lists in which 0 says that there is nothing.
_NOTHING_IS_ZERO = ("demand", "backhaul", "service")
# Python would convert these, or leave a part of them out.
_NO_NUMBERS = (str, bytes, bool, np.bool_, complex, np.complexfloating, np.timedelta64)


def matrix(name: str, value: Any) -> Matrix:
    """A matrix, row = from; the array itself where it can be passed on as it is.

    >>> import numpy as np
    >>> square = np.zeros((3, 3))
    >>> matrix("distance", square) is square
    True
    >>> matrix("distance", [[0, None], [2.5, 0]])
    [[0.0, inf], [2.5, 0.0]]
    """
    try:
        if isinstance(value, (list, tuple)):
            return _rows(name, value)
        _refuse_other(name, value)
        array = _array(name, value)
        if array.ndim != 2:
            raise _shape(name, array, "a matrix: one row and one column per node, row = from, column = to")
        return _rows(name, array.tolist()) if array.dtype == object else _numbers(name, array)
    except MemoryError as error:
        cause = f"there is no room for {name}" + (f": {error}" if str(error) else "")
        raise bad_input("too-little-memory", cause, "give a smaller problem, or close other programs") from error


def _numbers(name: str, array: NDArray[Any]) -> NDArray[Any]:
    """A matrix of any real dtype as one that is passed on; the array itself where it is one."""
    if array.dtype in _NATIVE and array.flags.c_contiguous and array.flags.aligned:
        return array
    if array.dtype.type is np.float16:
        return _decimals(array)
    if array.dtype.type is np.longdouble:
        return _doubles(name, array)
    # Single precision stays what it is: it says how many digits mean something.
    own = array.dtype.newbyteorder("=")
    return np.require(array, own if own in _NATIVE else np.float64, ["C", "A"])


def _decimals(array: NDArray[Any]) -> NDArray[np.float64]:
    """Half precision as the decimals that it is written as, of which there are few.

    >>> _decimals(np.array([[0, 1.1], [2.3, np.inf]], dtype=np.float16)).tolist()
    [[0.0, 1.1], [2.3, inf]]
    """
    codes = array.astype(np.float16, order="C").view(np.uint16)
    found = np.unique(codes)
    decimals = np.zeros(2**16)
    decimals[found] = [float(str(half)) for half in found.view(np.float16)]
    return decimals[codes]


def _doubles(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """Long doubles as doubles: one that is beyond them is not infinite."""
    with np.errstate(over="ignore", under="ignore"):
        doubles = np.require(array, np.float64, ["C", "A"])
    beyond = np.argwhere(np.isinf(doubles) & ~np.isinf(array))
    if len(beyond):
        row, column = beyond[0]
        raise _beyond(f"{name}[{row}][{column}]")
    return doubles


def _refuse_other(name: str, value: Any) -> None:
    """Refuses what is no matrix but may become one, with how."""
    remedy = None
    if isinstance(value, (str, bytes, os.PathLike)):
        remedy = "read the file: radar.read(path)"
    elif isinstance(value, (Mapping, Set)):
        remedy = "give rows in the order of the nodes: lists of lists, or an array"
    elif isinstance(value, Iterator):
        remedy = "give a list: list(...)"
    elif hasattr(value, "toarray"):
        remedy = "give it whole: .toarray(), with inf where there is no way"
    elif value is None or (not hasattr(value, "__array__") and not hasattr(value, "__len__") and not np.isscalar(value)):
        remedy = "give a matrix: one row and one column per node, row = from, column = to"
    if remedy is not None:
        raise bad_input("wrong-type", f"{name} is a {_kind(value)}", remedy)


def amounts(name: str, value: Any) -> list[float]:
    """One number per node.

    >>> amounts("demand", (0, 3, 4.5))
    [0.0, 3.0, 4.5]
    """
    return [number(f"{name}[{at}]", entry) for at, entry in enumerate(_entries(name, value, 1))]


def windows(value: Any) -> list[tuple[float, float]]:
    """An opening and a closing time per node; a close of None never closes.

    >>> windows([(0, None), [3, 5]])
    [(0.0, inf), (3.0, 5.0)]
    """

    def closing(place: str, close: Any) -> float:
        return math.inf if close is None or close is np.ma.masked else number(place, close)

    entries = enumerate(_entries("windows", value, 2))
    pairs = ((f"windows[{at}]", *_pair(f"windows[{at}]", entry)) for at, entry in entries)
    return [(number(f"{place}[0]", first), closing(f"{place}[1]", last)) for place, first, last in pairs]


def points(value: Any) -> list[tuple[float, float]]:
    """Two numbers per node, latitude first."""
    entries = enumerate(_entries("points", value, 2))
    pairs = ((f"points[{at}]", *_pair(f"points[{at}]", entry)) for at, entry in entries)
    return [(number(f"{place}[0]", first), number(f"{place}[1]", second)) for place, first, second in pairs]


def ids(value: Any) -> list[str]:
    """A text per node; whole numbers are taken as the texts they are written as.

    >>> ids(["depot", 17])
    ['depot', '17']
    """
    texts = []
    for at, entry in enumerate(_entries("ids", value, 1)):
        if isinstance(entry, (bool, np.bool_)) or not isinstance(entry, (str, int, np.integer)):
            raise _type(f"ids[{at}]", entry, "a text")
        texts.append(_written(f"ids[{at}]", entry))
    return texts


def number(name: str, value: Any) -> float:
    """A number. Texts and truths are none, though Python would convert them."""
    if value is np.ma.masked:
        raise bad_input("wrong-type", f"{name} is masked", f"give {_NUMBERS}")
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, _NO_NUMBERS) or not hasattr(value, "__float__"):
        raise _type(name, value, _TIMES if _is_time(value) else _NUMBERS)
    # A number of single precision means the decimal that it is written as.
    decimal = str(value) if isinstance(value, (np.float16, np.float32)) else value
    try:
        found = float(decimal)
        if math.isinf(found) and found != value:
            raise OverflowError
    except OverflowError:
        raise _beyond(name) from None
    except (TypeError, ValueError):
        raise _type(name, value, _NUMBERS) from None
    return found


def _is_time(value: Any) -> bool:
    if isinstance(value, str):
        return ":" in value
    return isinstance(value, (datetime.time, datetime.date, datetime.timedelta, np.timedelta64, np.datetime64))


def between(name: str, value: Any, least: float, most: float) -> float:
    """A number that an option may be."""
    found = number(name, value)
    if not least <= found <= most:
        raise bad_input("bad-option", f"{name} is {found}", f"give a number from {least:g} to {most:g}")
    return found


def whole(name: str, value: Any) -> int:
    """A whole number of at least 0."""
    if isinstance(value, (bool, np.bool_)):
        raise _type(name, value, "a whole number")
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        value = int(value)
    try:
        count = operator.index(value)
    except TypeError:
        raise _type(name, value, "a whole number") from None
    if count < 0:
        raise bad_input("negative-value", f"{name} is {shown(count)}", "give a whole number of at least 0")
    if count > _MOST:
        raise bad_input("magnitude-too-large", f"{name} is {shown(count)}", f"give at most {_MOST}")
    return count


def count(name: str, value: Any, most: int = _MOST) -> int:
    """A whole number of at least 1, and as many as an option may be."""
    found = whole(name, value)
    if not 1 <= found <= most:
        bounds = "of at least 1" if most == _MOST else f"from 1 to {most}"
        raise bad_input("bad-option", f"{name} is {found}", f"give a whole number {bounds}")
    return found


def truth(name: str, value: Any) -> bool:
    """True or False themselves."""
    if not isinstance(value, (bool, np.bool_)):
        raise _type(name, value, "True or False")
    return bool(value)


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise _type(name, value, "a text")
    return _written(name, value)


def choice(name: str, chosen: Any, choices: Sequence[str]) -> str:
    """One of the texts that an option may be."""
    if not isinstance(chosen, str) or chosen not in choices:
        raise bad_input("bad-option", f"{name} is {shown(chosen)}", f"say one of {', '.join(map(repr, choices))}")
    return str(chosen)


def several(name: str, value: Any, expected: str) -> list[Any]:
    """The entries of a list, or of anything else that has an order.

    >>> several("routes", ((1, 2), (3,)), "routes")
    [(1, 2), (3,)]
    """
    if isinstance(value, (str, bytes, bytearray, Mapping, set, frozenset)):
        raise _type(name, value, f"a list of {expected}")
    try:
        entries = iter(value)
    except TypeError:
        raise _type(name, value, f"a list of {expected}") from None
    return list(entries)


def mapping(name: str, value: Any) -> dict[Any, Any]:
    """A dictionary."""
    if not isinstance(value, Mapping):
        raise _type(name, value, "a dictionary")
    return dict(value)


def callback(name: str, value: Any) -> Any:
    """A function that is called, or None."""
    if value is not None and not callable(value):
        raise _type(name, value, "a function")
    # What calling these gives would have to be awaited or gone through before anything happened.
    later = (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)
    if any(is_later(called) for is_later in later for called in (value, getattr(value, "__call__", None))):
        raise bad_input(
            "wrong-type",
            f"{name} is {shown(value)}, which does nothing when it is called",
            "give a plain function: def, without async and yield",
        )
    return value


def labels(distance: Any, duration: Any) -> dict[str, list[str]]:
    """The names that data frames give to their rows and columns, by matrix: of those that name them at all.

    Rows in another order than columns, or than in the other matrix, would be another problem, and nothing else would
    show it.
    """
    frames = {"distance": _frame_labels("distance", distance), "duration": _frame_labels("duration", duration)}
    named = {name: names for name, names in frames.items() if names is not None}
    plain = [value for name, value in (("distance", distance), ("duration", duration)) if name not in named]
    other_order = any(_is_shuffled(names) and any(map(_is_frame, plain)) for names in named.values())
    if other_order or (len(named) == 2 and named["distance"] != named["duration"]):
        raise bad_input(
            "labels-differ",
            "distance and duration name different nodes, or in another order",
            "reorder one: duration.loc[distance.index, distance.index]; or leave its labels out: duration.to_numpy()",
        )
    if "distance" not in named and _is_shuffled(named.get("duration", [])):
        raise _shuffled("duration", "duration.sort_index().sort_index(axis=1)")
    return named


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and _is_labelled(value)


def _is_labelled(value: Any) -> bool:
    return hasattr(value, "index") and hasattr(value, "to_numpy")


def _frame_labels(name: str, value: Any) -> Optional[list[str]]:
    if not _is_frame(value):
        return None
    # A file gives the names of columns as texts and those of rows as numbers.
    columns, rows = _texts(f"{name}.columns", value.columns), _texts(f"{name}.index", value.index)
    plain_columns, plain_rows = _is_count(value.columns), _is_count(value.index)
    if plain_columns and plain_rows:
        return None
    # Rows without names beside columns with some are usual; the same names in another order are a mistake.
    named = not plain_columns and not plain_rows
    if columns != rows and (named or set(columns) == set(rows)):
        raise bad_input(
            "labels-differ",
            f"rows and columns of {name} name different nodes, or in another order",
            "reorder it: frame.loc[order, order]",
        )
    return rows if plain_columns else columns


def _is_count(labels: Any) -> bool:
    """Whether labels are but 0, 1, 2, ..."""
    return list(labels) == list(range(len(labels)))


def _is_shuffled(labels: Sequence[str]) -> bool:
    """Whether labels are 0, 1, 2, ... in another order: then they mean something, as sorting leaves them.

    >>> _is_shuffled(["0", "2", "1"]), _is_shuffled(["0", "1", "2"]), _is_shuffled(["10", "30", "20"])
    (True, False, False)
    """
    numbers = [str(number) for number in range(len(labels))]
    # Numbers that stood beside gaps are floats.
    found = [label[:-2] if label.endswith(".0") else label for label in labels]
    return found != numbers and set(found) == set(numbers)


def _shuffled(name: str, in_order: str) -> InputError:
    return bad_input(
        "labels-differ",
        f"{name} is labelled with the numbers of the nodes in another order",
        f"put it in order: {in_order}; or, if it is in the order of the nodes, leave its labels out: {name}.to_numpy()",
    )


def refuse_other_order(named: dict[str, list[str]], ids: Optional[list[str]], lists: Mapping[str, Any]) -> None:
    """Refuses lists whose labels are not those of the matrix, or of another list: entries would go to other nodes.

    Labels 0, 1, 2, ... are none, except beside the same ones in another order. Stated ids may call nodes by other
    names than the labels do, but not by the same ones in another order.
    """
    known = dict(named)
    for name, value in lists.items():
        if not _is_labelled(value):
            continue
        here = _texts(f"{name}.index", value.index)
        is_count = _is_count(value.index)
        for other, there in known.items():
            if here != there and (not is_count or (_is_shuffled(there) and len(here) == len(there))):
                raise _other_labels(name, here, other, there, f"{other}.index")
        if is_count:
            continue
        if not named and _is_shuffled(here) and here != ids:
            raise _shuffled(name, f"{name}.sort_index()")
        known[name] = here
    for name, here in known.items():
        if ids is not None and here != ids and not set(here).isdisjoint(ids):
            raise _other_labels(name, here, "ids", ids, "ids")


def _other_labels(name: str, here: list[str], other: str, there: list[str], order: str) -> InputError:
    cause, action = f"{name} and {other} name different nodes, or in another order", f"reorder it: {name}.loc[{order}]"
    known = set(here)
    missing = [label for label in there if label not in known]
    if missing:
        # No order can be made of labels that are not there.
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        cause = f"{name} has no entry for {shown(missing[0])}{more}, which {other} has"
        action = "give an entry for every node, the depot included"
        if name in _NOTHING_IS_ZERO:
            action += f": {name}.reindex({order}, fill_value=0)"
    if len(here) == len(there):
        action += f"; or leave its labels out: {name}.to_numpy()"
    return bad_input("labels-differ", cause, action)


def _rows(name: str, rows: Sequence[Any]) -> Matrix:
    """Nested lists. Those of plain numbers become an array at once; anything else is looked at one by one."""
    rows = [_unmasked(row) for row in rows]
    for at, row in enumerate(rows):
        if isinstance(row, (str, bytes, Mapping, Set)) or not hasattr(row, "__len__") or getattr(row, "ndim", 1) == 0:
            raise _type(f"{name}[{at}]", row, "a row of numbers")
    # Uneven rows are for validation to name, and old versions of numpy complain of them aloud.
    if len({len(row) for row in rows}) == 1:
        if _is_one_dtype(rows):
            return _numbers(name, np.array(rows))
        array = np.array(rows) if _is_plain(rows) else None
        if array is not None and array.ndim == 2 and array.dtype in _NATIVE:
            return array
    return [[_cell(f"{name}[{at}][{to}]", cell) for to, cell in enumerate(row)] for at, row in enumerate(rows)]


def _unmasked(value: Any) -> Any:
    """What is masked is not there: no way, or no number."""
    if not isinstance(value, np.ma.MaskedArray) or value.ndim == 0 or value.dtype.kind not in "iufOUT":
        return value
    mask = np.ma.getmaskarray(value)
    if value.dtype.kind in "iuf":
        return np.where(mask, np.inf, np.ma.getdata(value))
    entries = np.ma.getdata(value).astype(object)
    entries[mask] = None
    return entries


def _is_one_dtype(rows: Sequence[Any]) -> bool:
    """Whether rows are arrays that are one matrix together."""
    if not all(isinstance(row, np.ndarray) and row.ndim == 1 for row in rows):
        return False
    return len({row.dtype for row in rows}) == 1 and rows[0].dtype.kind in "iuf"


def _is_plain(rows: Sequence[Any]) -> bool:
    """Whether numpy would take every cell for the number that it is."""
    kinds: set[type] = set()
    for row in rows:
        kinds |= {row.dtype.type} if isinstance(row, np.ndarray) and row.ndim == 1 else set(map(type, row))
    return kinds <= {int, float, np.int32, np.int64, np.float64} or kinds == {np.float32}


def _cell(place: str, cell: Any) -> float:
    return math.inf if cell is None else number(place, cell)


def _entries(name: str, value: Any, axes: int) -> Sequence[Any]:
    """The entries of a list: one per node, each a value (one axis) or a row (two)."""
    if isinstance(value, (list, tuple)):
        return value
    array = _array(name, value, "iufOUT")
    if array.ndim != axes:
        what = "one value" if axes == 1 else "two values"
        raise _shape(name, array, f"{what} per node, the depot (node 0) included")
    if isinstance(value, np.ma.MaskedArray):
        # No entry of a list may be missing, whatever it hides.
        return list(value)
    # Going through objects would turn single precision into doubles that nobody meant.
    return list(array) if array.dtype.kind == "f" else array.tolist()


def _pair(place: str, entry: Any) -> tuple[Any, Any]:
    try:
        if isinstance(entry, (Mapping, Set)):
            raise TypeError
        first, second = entry
    except (TypeError, ValueError):
        raise _type(place, entry, "a pair of numbers") from None
    return first, second


def _array(name: str, value: Any, kinds: str = "iufO") -> NDArray[Any]:
    """Anything that can be an array, of numbers or of whatever a list may hold."""
    value = _unmasked(value)
    try:
        array = np.asarray(value)
    except MemoryError:
        raise
    except Exception as error:
        raise bad_input(
            "wrong-type",
            f"{name} is a {_kind(value)} that numpy cannot take: {error}",
            "give a numpy array or lists (a tensor: .detach().cpu().numpy())",
        ) from error
    if array.dtype.kind not in kinds:
        remedy = _TIMES if array.dtype.kind in "mM" else "numbers: float64 or int64"
        raise bad_input("wrong-type", f"{name} is an array of {array.dtype}", f"give {remedy}")
    return array


def _beyond(name: str) -> InputError:
    return bad_input("magnitude-too-large", f"{name} is beyond the range of a double", "use a larger unit")


def _shape(name: str, array: NDArray[Any], expected: str) -> InputError:
    found = "a single value" if array.ndim == 0 else f"of shape {array.shape}"
    return bad_input("wrong-shape", f"{name} is {found}", f"give {expected}")


def _type(name: str, value: Any, expected: str) -> InputError:
    return bad_input("wrong-type", f"{name} is {shown(value)} ({_kind(value)})", f"give {expected}")


def shown(value: Any) -> str:
    """A value as errors show it: in short, whatever it is."""
    try:
        said = repr(value)
    except Exception:
        # Numbers of thousands of digits have no text, nor have lists of thousands of levels.
        return "too long to be shown"
    return said if len(said) <= 40 else said[:37] + "..."


def _written(name: str, value: Any) -> str:
    """A text, or a number as one, that files can hold."""
    try:
        said = str(value)
        said.encode()
    except ValueError:
        raise bad_input("wrong-type", f"{name} is {shown(value)}", "give a text that UTF-8 can hold") from None
    return said


def _texts(name: str, labels: Any) -> list[str]:
    return [_written(f"{name}[{at}]", label) for at, label in enumerate(labels)]


def _kind(value: Any) -> str:
    return type(value).__name__
