"""What stores of judgments share: judgments as they can be kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from docgraph.domain.judgment import Judgment, PassageJudgment
from docgraph.plugins.stores._rows.writing import cleaned

Key = tuple[str, str]
"""(query, document_id)."""


def ready_judgments(judgments: Sequence[Judgment]) -> dict[Key, Judgment]:
    """Key → judgment by key, without what no database holds; of two with the same key the last one."""
    ready = [Judgment.model_validate(cleaned(each.model_dump())) for each in judgments]
    by_key = {(each.query, each.document_id): each for each in ready}
    return {key: by_key[key] for key in sorted(by_key)}


PassageKey = tuple[str, str, str, str]
"""(query, document_id, text_hash, by)."""


def ready_passages(judgments: Sequence[PassageJudgment]) -> dict[PassageKey, PassageJudgment]:
    """The same of judgments of passages."""
    ready = [PassageJudgment.model_validate(cleaned(each.model_dump())) for each in judgments]
    by_key = {passage_key(each): each for each in ready}
    return {key: by_key[key] for key in sorted(by_key)}


def passage_key(judgment: PassageJudgment) -> PassageKey:
    """What a judgment of a passage is kept under."""
    return judgment.query, judgment.document_id, judgment.text_hash, judgment.by


def moved_passage(judgment: PassageJudgment, new: str) -> PassageJudgment:
    """The judgment after its document got the id ``new``; the passage is called after it."""
    old, chunk_id = judgment.document_id, judgment.chunk_id
    named = f"{new}{chunk_id.removeprefix(old)}" if chunk_id.startswith(f"{old}#") else chunk_id
    return judgment.model_copy(update={"document_id": new, "chunk_id": named})


def query_hash(query: str) -> str:
    """SHA-256 (hex) of a question's text, which an index holds however long the question is."""
    return hashlib.sha256(query.encode("utf-8")).hexdigest()
