"""Reads the rules of checks from a TOML file: which checks run, how severe they are, and with which parameters."""

from __future__ import annotations

import tomllib
from typing import Any

from pydantic import ValidationError

from docgraph.domain.finding import Rule
from docgraph.errors import UserError

TABLE = "checks"
EXAMPLE = '[checks.orphan] with on = false, severity = "info" or parameters = {…} under it'
MAX_BYTES = 1_000_000


def read_rules(data: bytes, *, name: str = "the rules") -> dict[str, Rule]:
    """Check → rule from TOML bytes: one table ``[checks.<id>]`` a check, with ``on``, ``severity``, ``parameters``.

    ``name`` names the file in errors. Raises UserError for what is no TOML, for other tables and for other keys;
    whether there is such a check and such a parameter is found out when the rules are used.
    """
    if len(data) > MAX_BYTES:
        raise UserError(f"{name} has {len(data):,} bytes, more than {MAX_BYTES:,}", hint=f"give rules alone: {EXAMPLE}")
    try:
        given = tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"{name} is not UTF-8 (byte {error.start:,})", hint="save it as UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UserError(f"{name} is not TOML: {reason[:200]}", hint=f"write {EXAMPLE}") from None
    if strangers := sorted(set(given) - {TABLE}):
        raise UserError(f"{name} has {strangers[0][:60]!r} beside the table {TABLE!r}", hint=f"write {EXAMPLE}")
    tables = given.get(TABLE, {})
    if not isinstance(tables, dict):
        raise UserError(f"{TABLE!r} of {name} is no table", hint=f"write {EXAMPLE}")
    return {check_id: _rule(check_id, table, name) for check_id, table in tables.items()}


def _rule(check_id: str, table: Any, name: str) -> Rule:
    if not isinstance(table, dict):
        raise UserError(f"{check_id[:60]!r} of {name} is no table", hint=f"write {EXAMPLE}")
    try:
        return Rule.model_validate(table, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part)[:60] for part in first["loc"])
        known = ", ".join(Rule.model_fields)
        what = f"{place!r} is no key of a rule" if first["type"] == "extra_forbidden" else f"{place}: {first['msg']}"
        raise UserError(f"[{TABLE}.{check_id[:60]}] of {name}: {what}", hint=f"a rule has {known}") from None
