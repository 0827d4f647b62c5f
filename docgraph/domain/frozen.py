"""The base of every data object: frozen, closed to unknown fields, written to JSON under its published names."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value: never edited, only copied; unknown fields are refused; NaN and infinity are refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        allow_inf_nan=False,
        defer_build=True,  # a validator is made when it is first used: most commands use few of them
    )

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """The value as a dict under its published names (``from`` rather than ``from_document_id`` …)."""
        options.setdefault("by_alias", True)
        return super().model_dump(**options)

    def model_dump_json(self, **options: Any) -> str:
        """The value as JSON under its published names; fields in declared order, so equal values give equal text."""
        options.setdefault("by_alias", True)
        return super().model_dump_json(**options)


def fingerprint(value: Any) -> str:
    """SHA-256 (hex) of a JSON-able value in canonical form: sorted keys, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
