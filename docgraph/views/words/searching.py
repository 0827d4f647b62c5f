"""How a workspace finds similar chunks, in the words that every screen has for it."""

from __future__ import annotations

from collections.abc import Mapping

from docgraph.domain.workspace import VectorSearch

SEARCHES: Mapping[VectorSearch, str] = {
    "exact": "exact vector search",
    "quantized": "quantized candidates, exact scores (switched on for this workspace)",
}
"""Mode → what to say of it."""
