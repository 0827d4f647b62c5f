"""Asks Voyage AI's reranking service, or a server that speaks its protocol; question and texts leave the machine.

Protocol, as documented (docs.voyageai.com/reference/reranker-api): ``POST https://api.voyageai.com/v1/rerank`` with
``Authorization: Bearer KEY`` and ``{"query", "documents": [text], "model", "top_k", "return_documents",
"truncation"}`` answers ``{"object": "list", "data": [{"index", "relevance_score"}], "model", "usage"}``, by descending
score. At most 1,000 documents; with ``truncation`` too long ones are cut. Models: rerank-2.5, rerank-2.5-lite.
"""

from __future__ import annotations

from docgraph.plugins.rerankers._service import service

build = service(
    "voyage",
    "https://api.voyageai.com/v1",
    "rerank-2.5",
    results_field="data",
    body={"return_documents": False, "truncation": True},
)
