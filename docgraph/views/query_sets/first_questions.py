"""First questions in words: what each is made of, how they were chosen, and why there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from docgraph.domain.own_questions import Proposed, ProposedQuestion, WhyNone
from docgraph.domain.query_set import JudgedQuery, QuerySet
from docgraph.domain.request import MAX_QUERY_LENGTH
from docgraph.views.words.counts import plural

SET_NAME = "First questions"
WHY_NONE: Mapping[WhyNone, tuple[str, str]] = {
    "": ("", ""),
    "no_relationships": (
        "Nothing expands these documents yet",
        "No document leads to another, so a question can be answered by its words alone. Relationships come from links "
        "between the files, fields such as supersedes, and records; they can be added by hand under Relationships.",
    ),
    "no_adding_type": (
        "No relationship type adds documents here",
        "The types that were found only give reasons, or are off: plans read what fits by its words. Under "
        "Relationships a type can be given the role that adds documents.",
    ),
    "no_words": (
        "These texts give no question",
        "No related document has a sentence with words that other documents use as well. Ask a question of your own.",
    ),
}
"""Why no question is proposed: what holds, and what to do."""
NOTHING_CHANGES = (
    "Relationships change none of these plans",
    "What is related is found by the words as well. Questions that name one document and mean another show more: ask "
    "one of your own, or add relationships that the texts do not state.",
)


def made_of(question: ProposedQuestion) -> str:
    """``ADR-006 → depends_on → ADR-011: “The queue is bounded.”``."""
    return f"{question.from_title} → {question.relation_type} → {question.to_title}: “{question.sentence}”"


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
        "Made without a language model: the title of a document, and what a sentence of a related one speaks of. "
        f"{plural(found.n_made, 'question')} {'was' if found.n_made == 1 else 'were'} asked both ways; those "
        "stand first whose related document comes in by relationships alone. They show what relationships do. Whether "
        "that helps, you say."
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
