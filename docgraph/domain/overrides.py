"""Overrides of stored relationships and of the ranking for a single request; nothing is written."""

from __future__ import annotations

from functools import cache

from pydantic import Field, TypeAdapter, ValidationError, field_validator, model_validator

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier, RelationType
from docgraph.errors import RequestError

MAX_OVERRIDES = 100
EdgeKey = tuple[Identifier, RelationType, Identifier]
"""(from, via, to): the key of a relationship."""

_Some = Field(default=(), max_length=MAX_OVERRIDES)


class Overrides(Frozen):
    """What a request pretends: relation types and single edges that are not there, documents that are or are no seeds.

    ``without_types`` and ``without_edges`` are read as if they were not stored. ``added_seed_ids`` become seeds before
    all others, in the order given; ``dropped_seed_ids`` become none (a relationship may still add them).
    Lists that are sets are kept sorted, so that equal what-ifs are equal values.
    """

    without_types: tuple[RelationType, ...] = _Some
    without_edges: tuple[EdgeKey, ...] = _Some
    added_seed_ids: tuple[Identifier, ...] = _Some
    dropped_seed_ids: tuple[Identifier, ...] = _Some

    @field_validator("without_types", "without_edges", "dropped_seed_ids")
    @classmethod
    def _as_set(cls, values: tuple[object, ...]) -> tuple[object, ...]:
        return tuple(sorted(set(values), key=str))

    @field_validator("added_seed_ids")
    @classmethod
    def _first_of_each(cls, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ids))

    @model_validator(mode="after")
    def _not_both(self) -> Overrides:
        both = set(self.added_seed_ids) & set(self.dropped_seed_ids)
        if both:
            raise ValueError(f"{sorted(both)[0][:80]!r} is both added and dropped as a seed: choose one")
        return self

    def __bool__(self) -> bool:
        """Whether anything is overridden."""
        return bool(self.without_types or self.without_edges or self.changes_seeds)

    @property
    def changes_seeds(self) -> bool:
        """Whether the seeds are other than those of the ranking."""
        return bool(self.added_seed_ids or self.dropped_seed_ids)

    def hides(self, key: tuple[str, str, str]) -> bool:
        """Whether the relationship (from, via, to) is read as if it were not stored."""
        return key[1] in self.without_types or key in self.without_edges


NONE = Overrides()


def edge_text(key: tuple[str, str, str]) -> str:
    """An edge as one word for links and the command line: ``from|type|to``, ``|`` and ``%`` inside percent-encoded."""
    return "|".join(part.replace("%", "%25").replace("|", "%7C") for part in key)


@cache
def _edge_keys() -> TypeAdapter[tuple[str, str, str]]:
    """Made when it is first used, as the validators of values are."""
    return TypeAdapter(EdgeKey)


def parse_edge(text: str) -> tuple[str, str, str]:
    """The edge of ``edge_text``. Raises RequestError with the text as it was given."""
    parts = text.split("|")
    if "%" in text:
        parts = [part.replace("%7C", "|").replace("%25", "%") for part in parts]
    try:
        if len(parts) == 3:
            return _edge_keys().validate_python(tuple(parts))
    except ValidationError:
        pass
    raise RequestError(
        f"{text[:120]!r} does not name a relationship", hint="write it as FROM|TYPE|TO, for example adr-3|explains|ms5"
    )
