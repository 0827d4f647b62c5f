"""Merges relation types: the edits that give all relationships of some types another one."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from docgraph.curation.locking import nearest_words
from docgraph.domain.edit import Edit
from docgraph.domain.overrides import EdgeKey
from docgraph.errors import UserError
from docgraph.ports import RelationshipReader


def merging(snapshot: RelationshipReader, types: Sequence[str], into: str) -> tuple[Edit, ...]:
    """Every relationship of ``types`` as one of the type ``into``, by key, ready for one ``edit``.

    One that would stand on a relationship of that type, stored or made by an earlier edit, is removed instead.
    ``into`` need not be in use yet. Raises UserError for no types, for an unknown one, for ``into`` among them, and for
    an ``into`` that cannot be a type.
    """
    wanted = tuple(dict.fromkeys(types))
    _check(wanted, into, snapshot.relation_types())
    there = {(e.from_document_id, e.to_document_id) for e in snapshot.relationships(relation_type=into)}
    keys = sorted(edge.key for name in wanted for edge in snapshot.relationships(relation_type=name))
    return tuple(_merged(key, into, there) for key in keys)


def _check(wanted: Sequence[str], into: str, known: dict[str, int]) -> None:
    if not wanted:
        raise UserError("no relationship type to merge was named", hint="name the types to merge")
    if strange := next((name for name in wanted if name not in known), None):
        raise UserError(f"no relationship has the type {strange[:100]!r}", hint=nearest_words(strange, known))
    if into in wanted:
        raise UserError(f"{into[:100]!r} cannot be merged into itself", hint="name another type to merge into")
    try:
        Edit(action="retype", key=("a", "b", "c"), relation_type=into)
    except ValidationError:
        raise UserError(
            f"{into[:120]!r} cannot be a relation type", hint="1 to 100 characters, none of them a control character"
        ) from None


def _merged(key: EdgeKey, into: str, there: set[tuple[str, str]]) -> Edit:
    """The edit of one relationship; ``there`` = pairs that are related by ``into`` by then, and grows with it."""
    pair = (key[0], key[2])
    if pair in there:
        return Edit(action="remove", key=key)
    there.add(pair)
    return Edit(action="retype", key=key, relation_type=into)
