"""Asks Cohere's reranking service, or a server that speaks its protocol; question and texts leave the machine.

Protocol, as documented (docs.cohere.com/reference/rerank): ``POST https://api.cohere.com/v2/rerank`` with
``Authorization: Bearer KEY`` and ``{"model", "query", "documents": [text], "top_n", "max_tokens_per_doc"}`` answers
``{"results": [{"index", "relevance_score"}], "id", "meta"}``, by descending score, 0 to 1. Without ``top_n`` all are
answered; more than 1,000 documents are advised against; long ones are cut to ``max_tokens_per_doc`` (4,096).
"""

from __future__ import annotations

from docgraph.plugins.rerankers._service import service

build = service("cohere", "https://api.cohere.com/v2", "rerank-v3.5", results_field="results", body={})
