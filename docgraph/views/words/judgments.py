"""Judgments and saved questions in words: what was judged, by whom, and how many."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from docgraph.domain.comparison import Comparison
from docgraph.domain.judgment import Judgment
from docgraph.orchestration.questions import QuestionsSaved
from docgraph.views.words.counts import UNKNOWN, n_of_m, plural
from docgraph.views.words.moments import moment, person

Judged = Mapping[str, Judgment]
"""document_id → its judgment, of one question."""


JudgedTag = Literal["", "relevant", "gained", "lost", "missing"]
"""A document judged relevant: both sides read it, only B, only A, neither; empty: nobody judged it so."""

TAG_WORDS: Mapping[JudgedTag, str] = {
    "": "",
    "relevant": "relevant",
    "gained": "relevant, gained",
    "lost": "relevant, lost",
    "missing": "relevant, not read",
}


def tag_of(comparison: Comparison, document_id: str) -> JudgedTag:
    """What a judgment says of one document of a comparison."""
    found = next((d for d in comparison.relevant if d.document_id == document_id), None)
    if found is None:
        return ""
    if found.in_b:
        return "relevant" if found.in_a else "gained"
    return "lost" if found.in_a else "missing"


def by_document(judgments: Iterable[Judgment]) -> dict[str, Judgment]:
    """The judgments of one question by document."""
    return {judgment.document_id: judgment for judgment in judgments}


def verdict_words(judgment: Judgment) -> str:
    """``relevant`` or ``not relevant``."""
    return "relevant" if judgment.relevant else "not relevant"


def signature_words(judgment: Judgment) -> str:
    """``judged relevant by Mira Holt, 22 Nov 2026, 02:04 UTC``."""
    return f"judged {verdict_words(judgment)} by {person(judgment.by)}, {moment(judgment.at)}"


def counted_words(judged: Judged | None, document_ids: Collection[str]) -> str:
    """``3 of 6 documents are judged for this question``; ``--`` while nobody knows (``judged`` is None)."""
    n = len(document_ids)
    documents = plural(n, "document")
    if judged is None:
        return f"{UNKNOWN} of {documents} judged: the judgments could not be read"
    known = sum(document_id in judged for document_id in document_ids)
    if not known:
        return f"None of {documents} is judged for this question" if n > 1 else "The document is not judged yet"
    return f"{known:,} of {documents} {'is' if known == 1 else 'are'} judged for this question"


def elsewhere_words(n: int) -> str:
    """``1 more judged relevant is not in this plan``; empty when every relevant document is in it."""
    return f"{n:,} more judged relevant {'is' if n == 1 else 'are'} not in this plan" if n else ""


def ended_words(saved: QuestionsSaved) -> str:
    """``12 of 32 questions are saved, 10 of them before; 25 judgments are new; stopped: what is finished stays``."""
    n = len(saved.kept)
    what = f"{n_of_m(n, saved.n)} questions" if n < saved.n else plural(n, "question")
    said = f"{what} {'is' if n == 1 else 'are'} saved"
    known = n - saved.n_new
    said += f", {known:,} of them before" if known else ""
    if saved.n_judgments:
        said += f"; {plural(saved.n_judgments, 'judgment')} {'is' if saved.n_judgments == 1 else 'are'} new"
    if saved.not_judged:
        said += f"; {len(saved.not_judged):,} could not be judged"
    return f"{said}; stopped: what is finished stays" if saved.stopped else said
