"""The forms that a plan's id was ever the hash of: plans and runs of earlier builds stay what their ids say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Content = Mapping[str, Any]

_FOLLOWING = ("seed_document_ids", "expanded_document_ids", "expansion_metadata")
"""Stated in plans since the form that is written today; they follow from the rest, which is checked."""

_LATER_IN_REASONS: Content = {"extractor": "", "place": "", "text": "", "review": "unreviewed"}
_LATER: Mapping[str, Content] = {
    "seed_documents": {"named": ""},
    "expanded_documents": {},
    "cut": {"linked_by": None, "n_documents": None},
}
_LATER_IN_CONSTRAINTS: Content = {"preset": "balanced", "max_linked_percent": 100}
"""Field → what it says in a plan that was made before it existed. Fields that say anything else are never left out."""


def forms(content: Content) -> Iterator[Content]:
    """A plan's JSON content without its id as each build hashed it, today's first.

    No two plans have a form in common: what is left out of an earlier one is always the same.
    """
    yield content
    yield _before_provenance(content)


def _before_provenance(content: Content) -> Content:
    """Without where reasons come from, names in the question, presets, boilerplate, and what follows from the rest."""
    form = {name: value for name, value in content.items() if name not in _FOLLOWING}
    form["constraints"] = _without(content["constraints"], _LATER_IN_CONSTRAINTS)
    for name, later in _LATER.items():
        form[name] = [_without(each, later) | _reasons(each) for each in content[name]]
    return form


def _reasons(document: Content) -> dict[str, Any]:
    return {"reasons": [_without(reason, _LATER_IN_REASONS) for reason in document["reasons"]]}


def _without(fields: Content, later: Content) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in later or value != later[name]}
