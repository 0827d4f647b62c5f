"""Which passages answer a question, as kept query sets and people say: for comparisons, outside of an evaluation."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping

from docgraph.domain.judgment import PassageJudgment, marked_passages
from docgraph.domain.passages.evidence import Evidence, with_marked
from docgraph.domain.query_set import JudgedQuery
from docgraph.errors import NotFoundError
from docgraph.orchestration.judgments import question_as_kept
from docgraph.orchestration.session import Session

MAX_KNOWN = 32
_KNOWN: OrderedDict[str, Mapping[str, tuple[Evidence, ...]]] = OrderedDict()
"""Fingerprint of a set → question → its evidence: a set is read once, however many comparisons ask."""


def evidence_that_counts(session: Session, workspace: str, query: str) -> tuple[Evidence, ...]:
    """The evidence of a question in a workspace of the database; none where the workspace is not there."""
    if not query:
        return ()
    try:
        passages = session.store_of(workspace).said(query)[1]
    except NotFoundError:
        return ()
    return known_evidence(session, query, passages, workspace=workspace)


def known_evidence(
    session: Session, query: str, passages: Iterable[PassageJudgment], *, workspace: str = ""
) -> tuple[Evidence, ...]:
    """What the first kept set by name says that knows it, and what people marked; ``passages`` = their judgments."""
    asked, found = question_as_kept(query), tuple[Evidence, ...]()
    there = workspace or session.workspace
    for summary in session.query_sets.query_sets(there):
        found = found or _of_set(session, there, summary.name, fingerprint=summary.fingerprint).get(asked, ())
    marked = marked_passages(passages).get(asked, {})
    return with_marked(found, marked, marked)


def _placed(query: JudgedQuery) -> tuple[Evidence, ...]:
    """The evidence, in the only relevant document where there is one and nothing else is said."""
    if len(query.relevant) != 1:
        return query.evidence
    (only,) = query.relevant
    return tuple(each if each.document_id else each.model_copy(update={"document_id": only}) for each in query.evidence)


def _of_set(session: Session, workspace: str, name: str, *, fingerprint: str) -> Mapping[str, tuple[Evidence, ...]]:
    known = _KNOWN.get(fingerprint)
    if known is None:
        try:
            stored = session.query_sets.query_set(workspace, name)
        except NotFoundError:  # removed meanwhile
            return {}
        known = {question_as_kept(each.query): _placed(each) for each in stored.query_set.queries if each.evidence}
        _KNOWN[fingerprint] = known
        while len(_KNOWN) > MAX_KNOWN:
            _KNOWN.popitem(last=False)
    return known
