"""First questions in words: what each is made of, how they were chosen, and why there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.domain.own_questions import Proposed, ProposedQuestion, WhyNone
from docgraph.domain.query_set import JudgedQuery, QuerySet
from docgraph.domain.request import MAX_QUERY_LENGTH
from docgraph.views.words.counts import plural
from docgraph.views.words.reading import BULLET, readable_line

SET_NAME = "First questions"
WHY_NONE: Mapping[WhyNone, tuple[str, str]] = {
    "": ("", ""),
    "no_relationships": (
        "No relationships yet",
        "No document leads to another, so plans contain matches only. Relationships come from links "
        "between the files, fields such as supersedes, and records; you can add them under Relationships.",
    ),
    "no_adding_type": (
        "No relationship type adds documents here",
        "The types found are not used to add documents, so plans contain matches only. Under "
        "Relationships you can let a type add documents.",
    ),
    "no_words": (
        "No questions from these texts",
        "No related document shares enough words with another. Ask a question of your own.",
    ),
}
"""Why no question is proposed: what holds, and what to do."""
NOTHING_CHANGES = (
    "Relationships change none of these plans",
    "The related documents are matches already. Questions that name one document and mean another show more: ask "
    "one of your own, or add relationships that the texts do not state.",
)


def made_of(question: ProposedQuestion) -> str:
    """``ADR-006 → depends_on → ADR-011: “The queue is bounded.”``, the sentence as a person reads it."""
    said = readable_line(question.sentence).removeprefix(BULLET)
    return f"{question.from_title} → {question.relation_type} → {question.to_title}: “{said}”"


def effect_of(question: ProposedQuestion) -> str:
    """``relationships add 2 documents and 2 leave``."""
    if not (question.n_added or question.n_left):
        return "relationships change nothing"
    brought = ", the related one among them" if question.brings else ""
    left = f"; {plural(question.n_left, 'document')} {'leaves' if question.n_left == 1 else 'leave'}"
    return f"relationships add {plural(question.n_added, 'document')}{brought}{left if question.n_left else ''}"


def how_made(found: Proposed) -> str:
    """How the questions were made and chosen, or why there are none, as one paragraph of plain text."""
    if not found.questions:
        return ". ".join(WHY_NONE[found.why_none])
    return (
        "Made without a language model, from a title and a sentence of a related document. "
        f"{plural(found.n_made, 'question')} {'was' if found.n_made == 1 else 'were'} asked without and with "
        "relationships. Questions whose related document is added only by relationships come first. "
        "You decide whether that helps."
    )


def first_set(found: Proposed, wording: Sequence[str] = ()) -> QuerySet:
    """The questions as a query set, without judgments; ``wording`` = what a person made of them, in their order."""
    said = [
        " ".join(text.split())[:MAX_QUERY_LENGTH] or each.query
        for each, text in zip(found.questions, wording or [each.query for each in found.questions], strict=True)
    ]
    queries = tuple(
        JudgedQuery(query_id=f"first-{n}", query=text, kind=each.relation_type[:200])
        for n, (each, text) in enumerate(zip(found.questions, said, strict=True), start=1)
    )
    return QuerySet(name=SET_NAME, queries=queries)
