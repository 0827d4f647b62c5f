"""Documents under new ids in the reference store: what was decided follows, in one new content."""

from __future__ import annotations

from collections.abc import Mapping

from docgraph.domain.judgment import Judgment, PassageJudgment
from docgraph.plugins.stores._rows.history import ready_changes
from docgraph.plugins.stores._rows.moving import following
from docgraph.plugins.stores._rows.ready import JudgmentKey, PassageKey, moved_passage, passage_key
from docgraph.plugins.stores.memory.history import changed
from docgraph.plugins.stores.memory.reading import Content
from docgraph.plugins.stores.memory.writing import with_edges


def carried_over(content: Content, moves: Mapping[str, str], *, at: str, by: str) -> Content:
    """The content with what was decided about the old ids under the new ones; the old documents are still there."""
    ends = {*moves, *moves.values()}
    found = following(
        moves,
        [edge for edge in content.edges.values() if ends & {edge.from_document_id, edge.to_document_id}],
        content.history,
        content_hashes={i: prepared.document.content_hash for i, prepared in content.documents.items()},
    )
    cleared = with_edges(content, added=found.put, removed=found.cleared)
    return changed(cleared, ready_changes(found.changes), at=at, by=by, reason="") if found.changes else cleared


def judged_anew(judgments: Mapping[JudgmentKey, Judgment], moves: Mapping[str, str]) -> dict[JudgmentKey, Judgment]:
    """The judgments under the new ids; one that is there already stands, and the old one stays with its id."""
    kept = dict(judgments)
    for (query, document_id), judgment in judgments.items():
        new = moves.get(document_id)
        if new is not None and (query, new) not in kept:
            kept[query, new] = judgment.model_copy(update={"document_id": new})
            del kept[query, document_id]
    return kept


def passages_anew(
    passages: Mapping[PassageKey, PassageJudgment], moves: Mapping[str, str]
) -> dict[PassageKey, PassageJudgment]:
    """The same of judgments of passages."""
    kept = dict(passages)
    for key, judgment in passages.items():
        new = moves.get(judgment.document_id)
        moved = moved_passage(judgment, new) if new is not None else judgment
        if passage_key(moved) not in kept:
            kept[passage_key(moved)] = moved
            del kept[key]
    return kept
