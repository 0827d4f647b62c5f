"""Short forms of the schemas that a list of tools repeats to an assistant each time it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DEPTH = 2
"""Levels of objects that an output schema names the fields of; deeper ones are objects."""

_UNSAID = ("title", "$defs", "pattern")
"""The one pattern there is refuses control characters, and the refusal says so."""

_SHAPE = ("type", "enum", "const")


def input_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same arguments without titles and empty defaults; no argument beside them."""
    short: dict[str, Any] = _told(schema, schema.get("$defs", {}))
    return {**short, "additionalProperties": False}


def output_schema(schema: Mapping[str, Any], *, depth: int = DEPTH) -> dict[str, Any]:
    """Names and types of the fields, ``depth`` levels deep; every result that fits the long form fits this one."""
    short: dict[str, Any] = _shaped(schema, schema.get("$defs", {}), depth)
    return {**short, "additionalProperties": False}


def _told(schema: Any, defs: Mapping[str, Any]) -> Any:
    """A schema in which every reference stands written out: no input refers to itself."""
    found = _given(_meant(schema, defs))
    short: dict[str, Any] = {}
    for key, value in found.items():
        if key in _UNSAID or (key == "default" and value in (None, [], "")):
            continue
        if key == "properties":
            short[key] = {name: _told(each, defs) for name, each in value.items()}
        elif key in ("items", "additionalProperties") and isinstance(value, Mapping):
            short[key] = _told(value, defs)
        elif key in ("anyOf", "oneOf", "prefixItems"):
            short[key] = [_told(each, defs) for each in value]
        else:
            short[key] = value
    return short


def _shaped(schema: Any, defs: Mapping[str, Any], depth: int) -> Any:
    found = _meant(schema, defs)
    short = {key: found[key] for key in _SHAPE if key in found}
    if "const" in short or "enum" in short:
        short.pop("type", None)
    if "anyOf" in found:
        return _either([_shaped(each, defs, depth) for each in found["anyOf"]])
    if "properties" in found and depth:
        short["properties"] = {name: _shaped(each, defs, depth - 1) for name, each in found["properties"].items()}
    if isinstance(found.get("items"), Mapping) and (inner := _shaped(found["items"], defs, depth)):
        short["items"] = inner
    return short


def _either(kinds: list[dict[str, Any]]) -> dict[str, Any]:
    """One of several: a list of types where nothing else tells them apart, which is shorter."""
    if all(set(each) == {"type"} for each in kinds):
        return {"type": [each["type"] for each in kinds]}
    return {"anyOf": kinds}


def _meant(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> dict[str, Any]:
    """A reference as what it refers to, with what is said beside it."""
    found = dict(schema)
    while "$ref" in found:
        name = found.pop("$ref").rpartition("/")[2]
        found = {**defs[name], **found}
    return found


def _given(schema: dict[str, Any]) -> dict[str, Any]:
    """An argument that may be left out, as what it is when it is given."""
    kinds = [each for each in schema.get("anyOf", ()) if each != {"type": "null"}]
    if len(kinds) != 1 or schema.get("default", ...) is not None:
        return schema
    return {**kinds[0], **{key: value for key, value in schema.items() if key != "anyOf"}}
