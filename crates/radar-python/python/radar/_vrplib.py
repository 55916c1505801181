"""From the dictionaries of the `vrplib` package.

Its own reader takes the first column of every section for a number of a node, which loses part of the sections that
have no such column. What may have been lost that way is refused here; `radar.read` reads the file itself.
"""

from __future__ import annotations

import re
from typing import Any, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _parts
from ._errors import InputError, Note, bad_input
from ._problem import Problem

# Keys that describe, or that others have made a matrix of already.
_DESCRIBING = {
    "name",
    "comment",
    "type",
    "dimension",
    "edge_weight_type",
    "edge_weight_format",
    "node_coord_type",
    "display_data_type",
}
_PER_NODE = {"demand": "demand", "backhaul": "backhaul", "time_window": "windows", "priority": "priority"}
_PER_ROUTE = {"capacity": "capacity", "distance": "limit", "max_duration": "max_duration", "vehicles": "vehicles"}
_OTHER = {"edge_weight", "node_coord", "depot", "service_time"}

_TOURS = ("TSP", "ATSP")
_ROUTES = ("CVRP", "ACVRP", "DCVRP", "OVRP", "VRPTW", "CVRPTW", "VRPB", "VRPBTW")


def problem(instance: Mapping[str, Any]) -> Problem:
    """The problem of an instance; the depot becomes node 0, wherever it stood."""
    if not isinstance(instance, Mapping):
        raise bad_input(
            "wrong-type",
            f"instance is {_parts.shown(instance)}",
            "give the dictionary of vrplib.read_instance(path), or read the file itself with radar.read",
        )
    instance = dict(instance)
    unknown = instance.keys() - _DESCRIBING - _PER_NODE.keys() - _PER_ROUTE.keys() - _OTHER
    if unknown:
        raise _inexpressible(f"the instance has {', '.join(sorted(map(str, unknown)))}")
    tour, open_routes = _type(instance.get("type"))
    distance, notes = _rounded(_weights(instance), instance)
    order = _order(instance, len(distance))
    parts: dict[str, Any] = {ours: instance[key] for key, ours in _PER_ROUTE.items() if key in instance}
    for key, ours in _PER_NODE.items():
        if key in instance:
            parts[ours] = _per_node(key, instance[key], len(distance))[order]
    if order[0] != 0:
        distance = distance[np.ix_(order, order)]
        parts["ids"] = [str(node + 1) for node in order]
        notes.append(Note("depot-moved", "the depot became node 0; ids are the file's numbers"))
    if "node_coord" in instance:
        places = _per_node("node_coord", instance["node_coord"], len(distance))[order]
        parts["points"] = places[..., ::-1] if places.ndim == 2 else places
    if "service_time" in instance:
        parts["service"] = _service(instance["service_time"], order)
    if parts.get("limit") is not None and any(parts.get("service", [])):
        notes.append(Note("limit-travel-only", "DISTANCE is taken as a limit of travel, without service"))
    name = instance.get("name")
    made = Problem(
        distance,
        open=open_routes,
        kind="atsp" if tour else "vrp",
        name=None if name is None else str(name),
        **parts,
    )
    return Problem._of(made._native, notes)


def _type(stated: Any) -> tuple[bool, bool]:
    """Whether it is a tour, and whether routes are open. Solomon's instances state no type and have routes."""
    name = "CVRP" if stated is None else str(stated)
    if name not in _TOURS + _ROUTES and not re.fullmatch("AO?VRPB?L?(TW)?", name):
        raise bad_input(
            "unknown-type", f"TYPE is {name}", f"give one of {', '.join(_TOURS + _ROUTES)}, or a name such as AOVRPLTW"
        )
    return name in _TOURS, "OVRP" in name


def _weights(instance: Mapping[str, Any]) -> NDArray[Any]:
    if "edge_weight" not in instance:
        raise bad_input(
            "table-missing",
            "the instance has no edge_weight",
            "read it with vrplib.read_instance(path, compute_edge_weights=True)",
        )
    weights = _parts.matrix("edge_weight", instance["edge_weight"])
    if isinstance(weights, list) or weights.shape[0] != weights.shape[1]:
        raise bad_input(
            "matrix-not-square", "edge_weight is not square", "wrapped rows are lost here: radar.read reads the file"
        )
    return weights


def _rounded(weights: NDArray[Any], instance: Mapping[str, Any]) -> tuple[NDArray[Any], list[Note]]:
    """The weights, and a note where they were rounded: lengths of EUC_2D are whole, but vrplib leaves them as they are.

    They are told by the points they were computed from: weights that somebody else has put there stay.
    """
    if instance.get("edge_weight_type") != "EUC_2D" or "node_coord" not in instance:
        return weights, []
    places = _per_node("node_coord", instance["node_coord"], len(weights))
    if places.shape[1:] != (2,) or places.dtype.kind not in "iuf":
        return weights, []
    lengths = np.hypot(*(np.subtract.outer(along, along) for along in places.T))
    rounded = np.floor(lengths + 0.5)
    if not np.allclose(weights, lengths) or np.array_equal(weights, rounded):
        return weights, []
    return rounded, [Note("lengths-rounded", "EUC_2D: lengths are rounded to whole numbers, as TSPLIB says")]


def _order(instance: Mapping[str, Any], nodes: int) -> list[int]:
    """All nodes, the depot first."""
    depots = [_parts.whole("depot", depot) for depot in np.atleast_1d(instance.get("depot", [0]))]
    if len(depots) != 1:
        raise bad_input("several-depots", f"the instance has {len(depots)} depots", "split the problem by depot")
    depot = depots[0]
    if depot >= nodes:
        raise bad_input("bad-node", f"the depot is node {depot + 1} of {nodes}", "name a node that is there")
    return [depot, *(node for node in range(nodes) if node != depot)]


def _per_node(key: str, section: Any, nodes: int) -> NDArray[Any]:
    rows: NDArray[Any] = np.asarray(section) if _is_even(section) else np.empty(0)
    if rows.ndim == 2 and rows.shape[1] == 0:
        # A list of nodes, such as that of backhauls: leaving it out would be another problem.
        cause = f"vrplib lost the only column of {key.upper()}_SECTION"
        raise bad_input("not-expressible", cause, "read the file itself with radar.read")
    if rows.ndim == 0 or len(rows) != nodes:
        raise _inexpressible(f"{key.upper()}_SECTION does not have one row per node")
    return rows


def _is_even(section: Any) -> bool:
    """Whether all rows are of one length: vrplib gives lists where they are not."""
    return not isinstance(section, list) or len({np.size(row) for row in section}) <= 1


def _service(stated: Any, order: list[int]) -> list[float]:
    """One service time for every stop, or one per node."""
    if np.ndim(stated) == 0:
        return [0.0, *[_parts.number("service_time", stated)] * (len(order) - 1)]
    return _parts.amounts("service_time", _per_node("service_time", stated, len(order))[order])


def _inexpressible(cause: str) -> InputError:
    return bad_input("not-expressible", cause, "leave it out, or read the file itself with radar.read")
