"""Query sets: questions with what is known of their answers, so that one can say on how many of them it helps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from docgraph.domain.frozen import Frozen, fingerprint
from docgraph.domain.graph import Identifier
from docgraph.domain.passages.evidence import GivenEvidence, as_text
from docgraph.domain.report import Adjusted, Rejected
from docgraph.domain.request import MAX_QUERY_LENGTH

Half = Literal["tune", "hold_out"]
"""Which half of a set a question belongs to: settings are chosen on the one and checked on the other."""

Grade = Annotated[int, Field(ge=0, le=2)]
"""How far a document helps to answer a question: 0 not relevant, 1 partly, 2 relevant."""

NOT_RELEVANT, PARTLY, RELEVANT = 0, 1, 2
MAX_SET_NAME, MAX_SET_NOTE = 200, 4_000


class JudgedQuery(Frozen):
    """One question of a set, and what was judged about it.

    ``grades`` = document_id → grade; a document that is not in it was not judged. ``cannot_judge`` = documents that
    somebody looked at and could not judge: they count as not judged. ``evidence`` = the passages that an answer needs,
    all of them; empty where none is known. ``kind`` is the slice it is counted in.
    """

    query_id: Identifier
    query: str = Field(min_length=1, max_length=MAX_QUERY_LENGTH)
    kind: str = Field(default="", max_length=200)
    half: Half = "tune"
    grades: Mapping[Identifier, Grade] = Field(default_factory=dict)
    cannot_judge: tuple[Identifier, ...] = ()
    evidence: GivenEvidence = ()

    @property
    def relevant(self) -> Mapping[str, int]:
        """The documents that help, partly or wholly, with their grades."""
        return {document_id: grade for document_id, grade in self.grades.items() if grade > NOT_RELEVANT}


class QuerySet(Frozen):
    """Questions in their order, each id once.

    ``rejected`` = what their file says and could not be taken; ``adjusted`` = what is read otherwise than it says:
    grades of another scale, fields that are not looked at.
    """

    name: str
    queries: tuple[JudgedQuery, ...]
    rejected: tuple[Rejected, ...] = ()
    adjusted: tuple[Adjusted, ...] = ()

    @property
    def n_judged(self) -> int:
        """Questions to which at least one document is known to be relevant."""
        return sum(bool(each.relevant) for each in self.queries)

    @property
    def knows_passages(self) -> bool:
        """Whether the evidence is known of at least half of the questions of which an answer is known."""
        judged = [each for each in self.queries if each.relevant or each.evidence]
        return 0 < len(judged) <= 2 * sum(bool(each.evidence) for each in judged)

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of the questions with their judgments: equal sets have equal ones, whatever they are called."""
        return fingerprint([_identity(each) for each in self.queries])


def _identity(query: JudgedQuery) -> dict[str, Any]:
    """What a question is told by; evidence that is one text as it always was, so that fingerprints stay."""
    made, text = query.model_dump(mode="json"), as_text(query.evidence)
    return made if text is None else made | {"evidence": text}


class StoredQuerySet(Frozen):
    """A query set that a workspace keeps under a name; ``by`` = who kept it, ``at`` = when (ISO 8601, UTC).

    ``query_set.name`` is the same name.
    """

    name: str = Field(min_length=1, max_length=MAX_SET_NAME)
    note: str = Field(default="", max_length=MAX_SET_NOTE)
    by: str = ""
    at: str
    query_set: QuerySet


class QuerySetSummary(Frozen):
    """A kept query set in a list: everything but its questions.

    ``n`` = questions, ``n_judged`` = those to which at least one document is known to be relevant, ``n_runs`` = kept
    evaluations, whole ones and others. ``fingerprint`` = of the questions as they were given
    (``QuerySet.fingerprint``), so judgments that people add do not change it.
    """

    name: str
    note: str = ""
    by: str = ""
    at: str
    n: int = Field(ge=0)
    n_judged: int = Field(ge=0)
    n_runs: int = Field(default=0, ge=0)
    fingerprint: str


def halves(query_ids: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[Half, ...]:
    """The default split: within each kind every second question is held out, in the order of their ids' hashes.

    It depends on the ids alone, so a question stays in its half when the file is put into another order; both halves
    have each kind, give or take one.
    """
    found: dict[str, Half] = {}
    order = sorted(range(len(query_ids)), key=lambda index: fingerprint(query_ids[index]))
    seen: dict[str, int] = {}
    for index in order:
        place = seen[kinds[index]] = seen.get(kinds[index], -1) + 1
        found[query_ids[index]] = "hold_out" if place % 2 else "tune"
    return tuple(found[query_id] for query_id in query_ids)
