"""Ways in which the ranking can be asked for: exact, and whatever bounded mode docgraph has, found by its fields.

A mode is a field of the request, or a setting of the workspace, whose values include the name of a bounded mode; so the
same benchmark runs before and after such a mode is there.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from docgraph.domain.graph import Vector
from docgraph.domain.plan import RetrievalPlan
from docgraph.domain.request import RetrievalRequest
from docgraph.planning.planner import make_plan
from docgraph.ports import Probe, Store

BOUNDED = ("quantized", "approximate", "bounded")
"""Names of modes that do not look at every vector in full."""


def each(store: Store, *, left_aside: Sequence[str] = ()) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(mode, fields of a request that ask for it), one after the other.

    ``left_aside`` = modes that cost too much to make. Where the workspace has the mode it is set before it is yielded,
    and as it was in the end.
    """
    choices, setter = dict(_choices(RetrievalRequest)), settable(store)
    if choices:
        name, values = next(iter(choices.items()))
        yield from ((value, {name: value}) for value in values)
    elif setter:
        name, values = setter
        before = default_mode(store)
        for value in (each for each in values if each not in left_aside):
            getattr(store, name)(value)
            yield value, {}
        getattr(store, name)(before)
    else:
        yield default_mode(store), {}


def default_mode(store: Store) -> str:
    """What a workspace says of its ranking; ``exact`` where it says nothing: there is no other then."""
    with store.reading() as snapshot:
        workspace = snapshot.workspace
    for name in type(workspace).model_fields:
        value = getattr(workspace, name)
        if value in (*BOUNDED, "exact"):
            return str(value)
    return "exact"


def plan(store: Store, request: RetrievalRequest, vector: Vector) -> RetrievalPlan:
    """A plan on a snapshot of its own, as every question gets one."""
    with store.reading() as snapshot:
        return make_plan(request, Probe(vector, request.query), snapshot)


def settable(store: Store) -> tuple[str, tuple[str, ...]] | None:
    """(name of the store's method that sets a mode of the workspace, the modes); None where there is none."""
    for name, method in inspect.getmembers(type(store), inspect.isfunction):
        if name.startswith("set_"):
            for parameter in inspect.signature(method, eval_str=True).parameters.values():
                values = _values(parameter.annotation)
                if set(values) & set(BOUNDED):
                    return name, values
    return None


def _choices(model: type[RetrievalRequest]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, field in model.model_fields.items():
        values = _values(field.annotation)
        if set(values) & set(BOUNDED):
            yield name, values


def _values(annotation: Any) -> tuple[str, ...]:
    """The texts of a Literal, also inside a union."""
    found: list[str] = []
    for part in get_args(annotation):
        found += [part] if isinstance(part, str) else _values(part)
    return tuple(found)
