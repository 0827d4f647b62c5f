"""Reads and writes the rules of checks as TOML: which run, how severe they are, and with which parameters."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from docgraph.boundary.limits import MAX_RULES_BYTES as MAX_BYTES
from docgraph.boundary.shape import check_toml
from docgraph.domain.finding import Rule
from docgraph.errors import UserError

TABLE = "checks"
EXAMPLE = '[checks.orphan] with on = false, severity = "info" or parameters = {…} under it'
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def read_rules(data: bytes, *, name: str = "the rules") -> dict[str, Rule]:
    """Check → rule from TOML bytes: one table ``[checks.<id>]`` a check, with ``on``, ``severity``, ``parameters``.

    ``name`` names the file in errors. Raises UserError for what is no TOML, for other tables and for other keys;
    whether there is such a check and such a parameter is found out when the rules are used.
    """
    given = read_toml(data, name=name, hint=f"write {EXAMPLE}", too_large=f"give rules alone: {EXAMPLE}")
    if strangers := sorted(set(given) - {TABLE}):
        raise UserError(f"{name} has {strangers[0][:60]!r} beside the table {TABLE!r}", hint=f"write {EXAMPLE}")
    tables = given.get(TABLE, {})
    if not isinstance(tables, dict):
        raise UserError(f"{TABLE!r} of {name} is no table", hint=f"write {EXAMPLE}")
    return {check_id: _rule(check_id, table, name) for check_id, table in tables.items()}


def read_toml(data: bytes, *, name: str, hint: str, too_large: str = "") -> dict[str, Any]:
    """What TOML of a person's own says, within limits. ``name`` = whose it is, ``hint`` = what it should look like.

    Raises UserError for more than 200,000 bytes (with the hint ``too_large``), and for what is no UTF-8 or no TOML.
    """
    if len(data) > MAX_BYTES:
        raise UserError(f"{name} has {len(data):,} bytes, more than {MAX_BYTES:,}", hint=too_large or hint)
    try:
        text = data.decode("utf-8-sig")
        check_toml(text)
        return tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise UserError(f"{name} is not UTF-8 (byte {error.start:,})", hint="save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{name} is not TOML: {str(error)[:200]}", hint=hint) from None
    except ValueError as error:
        raise UserError(f"{name} cannot be read: {error}", hint=hint) from None


def write_rules(rules: Mapping[str, Rule]) -> str:
    """The rules as TOML that ``read_rules`` reads back, by name; what is at its default is left out."""
    blocks = []
    for check_id, rule in sorted(rules.items()):
        name = f"{TABLE}.{toml_key(check_id)}"
        lines = [f"[{name}]", *([] if rule.on else ["on = false"])]
        lines += [f"severity = {toml_text(rule.severity)}"] if rule.severity else []
        if rule.parameters:
            lines += [
                "",
                f"[{name}.parameters]",
                *(f"{toml_key(k)} = {_value(v)}" for k, v in sorted(rule.parameters.items())),
            ]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def toml_key(name: str) -> str:
    """A TOML key: bare where it may be."""
    return name if _BARE.fullmatch(name) else toml_text(name)


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(each) for each in value)}]"
    if value == float("inf"):
        return "inf"
    return toml_text(value) if isinstance(value, str) else json.dumps(value)


def toml_text(text: str) -> str:
    """A TOML string: JSON's, with one more character escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _rule(check_id: str, table: Any, name: str) -> Rule:
    if not isinstance(table, dict):
        raise UserError(f"{check_id[:60]!r} of {name} is no table", hint=f"write {EXAMPLE}")
    try:
        return Rule.model_validate(table, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part)[:60] for part in first["loc"])
        known = ", ".join(Rule.model_fields)
        what = f"{place!r} is not a key of a rule" if first["type"] == "extra_forbidden" else f"{place}: {first['msg']}"
        raise UserError(f"[{TABLE}.{check_id[:60]}] of {name}: {what}", hint=f"a rule has {known}") from None
