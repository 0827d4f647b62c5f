"""The base of every data object: frozen, closed to unknown fields, written to JSON under its published names."""

from __future__ import annotations

import hashlib
import json
from typing import Any, ClassVar, Self

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
    _names: ClassVar[tuple[str, ...]] = ()
    _all_set: ClassVar[set[str]] = set()
    """The names of all fields: one set for every trusted value, which would take more memory than the value itself."""

    @classmethod
    def __pydantic_init_subclass__(cls, **_: Any) -> None:
        """Remember the fields in their order."""
        cls._names = tuple(cls.model_fields)
        cls._all_set = set(cls._names)

    @classmethod
    def trusted(cls, values: dict[str, Any]) -> Self:
        """A value of what a store has kept, or what was worked out from it: nothing is checked again.

        ``values`` holds every field, in declared order and of its declared type, and belongs to the value from now on.
        Never for what was given from outside: that is validated. Raises TypeError for other fields, or another order.
        """
        if tuple(values) != cls._names:
            raise TypeError(f"{cls.__name__} takes the fields {cls._names} in this order, not {tuple(values)}")
        made = cls.__new__(cls)
        object.__setattr__(made, "__dict__", values)
        object.__setattr__(made, "__pydantic_fields_set__", cls._all_set)
        object.__setattr__(made, "__pydantic_extra__", None)
        object.__setattr__(made, "__pydantic_private__", None)
        return made

    def model_dump(self, **options: Any) -> dict[str, Any]:
        """The value as a dict under its published names (``from`` rather than ``from_document_id`` …)."""
        options.setdefault("by_alias", True)
        return super().model_dump(**options)

    def model_dump_json(self, **options: Any) -> str:
        """The value as JSON under its published names; fields in declared order, so equal values give equal text."""
        options.setdefault("by_alias", True)
        return super().model_dump_json(**options)


def is_none(value: object) -> bool:
    """Leaves a field out of what is written where it has no value (``exclude_if``)."""
    return value is None


def is_empty(value: object) -> bool:
    """Leaves a field out of what is written where nothing is in it (``exclude_if``)."""
    return not value


def fingerprint(value: Any) -> str:
    """SHA-256 (hex) of a JSON-able value in canonical form: sorted keys, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
