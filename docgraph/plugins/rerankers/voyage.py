"""Asks Voyage AI's reranking service, or a server that speaks its protocol; question and texts leave the machine.

Protocol, as documented (docs.voyageai.com/reference/reranker-api): ``POST https://api.voyageai.com/v1/rerank`` with
``Authorization: Bearer KEY`` and ``{"query", "documents": [text], "model", "top_k", "return_documents",
"truncation"}`` answers ``{"object": "list", "data": [{"index", "relevance_score"}], "model", "usage"}``, by descending
score. At most 1,000 documents; with ``truncation`` too long ones are cut. Models: rerank-2.5, rerank-2.5-lite.
"""

from __future__ import annotations

from docgraph.plugins.rerankers._service import ServiceReranker, service_reranker

URL = "https://api.voyageai.com/v1"


def build(
    *,
    url: str = URL,
    model: str = "rerank-2.5",
    api_key: str = "",
    timeout: float = 8.0,
    attempts: int = 2,
    first_pause: float = 0.2,
) -> ServiceReranker:
    """``url`` ends before ``/rerank``; ``timeout`` in seconds for one answer as a whole. Raises EmbedderError.

    429, 5xx and lost connections are tried ``attempts`` times.
    """
    return service_reranker(
        name="voyage",
        results_field="data",
        url=url,
        model=model,
        api_key=api_key,
        own_url=URL,
        timeout=timeout,
        attempts=attempts,
        first_pause=first_pause,
        body={"return_documents": False, "truncation": True},
    )
