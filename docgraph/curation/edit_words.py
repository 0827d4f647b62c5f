"""Edits in words, where a comparison with the data as they would make it has to name them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.domain.anchors import section_name
from docgraph.domain.edit import Edit

MAX_NAMED = 3
"""Edits that are named; further ones are counted."""

MAX_TITLE = 80
"""Characters of a title."""


def edits_label(edits: Sequence[Edit]) -> str:
    """How a verdict names the data as the edits would make it."""
    return "this edit" if len(edits) == 1 else f"this set of {len(edits):,} edits"


def edits_note(edits: Sequence[Edit], titles: Mapping[str, str]) -> str:
    """``B = the data with this edit (not saved): remove A —explains→ B``; ``titles`` = document_id → title."""
    named = [edit_words(edit, titles) for edit in edits[:MAX_NAMED]]
    more = [f"and {len(edits) - MAX_NAMED:,} more"] if len(edits) > MAX_NAMED else []
    return f"B = the data with {edits_label(edits)} (not saved): {'; '.join([*named, *more]) or 'none'}"


def edits_untouched(edits: Sequence[Edit]) -> str:
    """Why a question's plan is the same with the edits."""
    changes = "changes" if len(edits) == 1 else "change"
    label = edits_label(edits)
    return f"{label[:1].upper()}{label[1:]} {changes} no relationship that this plan follows."


def edit_words(edit: Edit, titles: Mapping[str, str]) -> str:
    """What one edit does, with titles: ``retype A —explains→ B to implements``. Hostile data."""

    def named(document_id: str) -> str:
        title = titles.get(document_id) or document_id
        return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1] + "…"

    start, via, end = edit.key
    edge = f"{named(start)} —{via}→ {named(end)}"
    match edit.action:
        case "retype":
            return f"change the type of {edge} to {edit.relation_type}"
        case "retarget":
            return f"change the target of {edge} to {named(edit.to_document_id or end)}"
        case "reanchor":
            return f"change the section of {edge} to {section_name(edit.heading or '')}"
        case "flip":
            return f"reverse {edge}" + (f" as {edit.relation_type}" if edit.relation_type else "")
    return f"{edit.action} {edge}"
