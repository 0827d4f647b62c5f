"""The open question: which documents left and came between A and B, what is judged of them, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import Comparison
from docgraph.domain.evaluation import Outcome
from docgraph.views.query_sets.part import Part, documents_between
from docgraph.views.words.changes import departure_brief
from docgraph.views.words.counts import ordinal, plural
from docgraph.views.words.sections import to_sections

SHOWN = 3
"""Lines of each kind; the rest is counted."""

_GRADES = {0: "judged not relevant", 1: "judged partly relevant", 2: "judged relevant"}


@dataclass(frozen=True)
class Line:
    """One document that left or came: its id and title, and the words on it. Plain text."""

    sign: Literal["left", "added"]
    document_id: str
    title: str
    words: str


@dataclass(frozen=True)
class Opened:
    """What left, then what came, judged ones first; ``more`` lines are not shown; ``note`` = what is to be known."""

    lines: tuple[Line, ...] = ()
    more: int = 0
    note: str = ""


def opened(
    part: Part,
    outcome: Outcome,
    *,
    grades: Mapping[str, int],
    titles: Mapping[str, str],
    comparison: Comparison | None,
) -> Opened:
    """What there is to say of one question.

    ``grades`` = document_id → grade as it is known now; ``comparison`` of its two plans, where they are those that the
    evaluation made.
    """
    failures = [
        f"{each.label} gave no answer: {answer.failure}"
        for each in (part.a, part.b)
        if (answer := outcome.answers.get(each.name)) is not None and answer.failure
    ]
    if failures:
        return Opened(note="; ".join(failures))
    came, went = documents_between(part, outcome)
    if not came and not went:
        return Opened(note="Both read the same documents.")
    read = outcome.answers[part.a.name].documents

    def line(sign: Literal["left", "added"], document_id: str) -> Line:
        judged = _GRADES.get(grades[document_id], "") if document_id in grades else ""
        was = f"was {ordinal(read.index(document_id) + 1)}" if sign == "left" else ""
        why = _left_because(comparison, document_id) if sign == "left" else _came_over(comparison, document_id)
        return Line(
            sign, document_id, titles.get(document_id, ""), ", ".join(each for each in (judged, was, why) if each)
        )

    def first(document_id: str) -> int:
        return -grades.get(document_id, -1)

    gone = [line("left", each) for each in sorted(went or (), key=first)]
    new = [line("added", each) for each in sorted(came or (), key=first)]
    return Opened(
        (*gone[:SHOWN], *new[:SHOWN]),
        max(len(gone) - SHOWN, 0) + max(len(new) - SHOWN, 0),
        ""
        if comparison is not None
        else "The reason is no longer known, because the data or the configuration changed.",
    )


def more_words(n: int) -> str:
    """``and 3 more documents``; empty for none."""
    return f"and {plural(n, 'more document', 'more documents')}" if n else ""


def _left_because(comparison: Comparison | None, document_id: str) -> str:
    """``left: limit 2 related``; of a document that is planned without a chunk that is read, why its chunks left."""
    if comparison is None:
        return ""
    found = comparison.document(document_id)
    why = found.left_because if found is not None else None
    if why is None:
        chunks = (each for each in comparison.chunks_with("left") if each.document_id == document_id)
        why = next((each.left_because for each in chunks if each.left_because is not None), None)
    return "" if why is None else f"removed: {departure_brief(why)}"


def _came_over(comparison: Comparison | None, document_id: str) -> str:
    """``came in over explains, from ADR-014``; ``came in by its own similarity`` for a seed."""
    found = comparison.document(document_id) if comparison is not None else None
    if found is None:
        return ""
    if found.role_b == "expanded" and found.reasons:
        first = found.reasons[0]
        others = len(found.reasons) - 1
        more = f" and {plural(others, 'other relationship')}" if others else ""
        return f"added by {first.via} from {first.from_document_id}{to_sections(first)}{more}"
    return "added as a match" if found.role_b == "seed" else "added"
