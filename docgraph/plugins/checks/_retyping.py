"""The fix for a type that should have another name: its relationships under that one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from docgraph.domain.edit import Edit
from docgraph.domain.overrides import EdgeKey

MAX_FIXED = 100
"""A type with more relationships is merged by a person who looks at them."""


def retyped(keys: Sequence[EdgeKey], name: str, *, there: Collection[EdgeKey]) -> tuple[Edit, ...]:
    """The relationships at ``keys`` under the other name; one that is there under it already goes. None for many."""
    if len(keys) > MAX_FIXED:
        return ()
    return tuple(
        Edit(action="remove", key=key)
        if (key[0], name, key[2]) in there
        else Edit(action="retype", key=key, relation_type=name)
        for key in keys
    )
