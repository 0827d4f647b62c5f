"""What stores of judgments share: judgments as they can be kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from docgraph.domain.judgment import Judgment
from docgraph.plugins.stores._rows.writing import cleaned

Key = tuple[str, str]
"""(query, document_id)."""


def ready_judgments(judgments: Sequence[Judgment]) -> dict[Key, Judgment]:
    """Key → judgment by key, without what no database holds; of two with the same key the last one."""
    ready = [Judgment.model_validate(cleaned(each.model_dump())) for each in judgments]
    by_key = {(each.query, each.document_id): each for each in ready}
    return {key: by_key[key] for key in sorted(by_key)}


def query_hash(query: str) -> str:
    """SHA-256 (hex) of a question's text, which an index holds however long the question is."""
    return hashlib.sha256(query.encode("utf-8")).hexdigest()
