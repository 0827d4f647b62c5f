"""Asks Cohere's reranking service, or a server that speaks its protocol; question and texts leave the machine.

Protocol, as documented (docs.cohere.com/reference/rerank): ``POST https://api.cohere.com/v2/rerank`` with
``Authorization: Bearer KEY`` and ``{"model", "query", "documents": [text], "top_n", "max_tokens_per_doc"}`` answers
``{"results": [{"index", "relevance_score"}], "id", "meta"}``, by descending score, 0 to 1. Without ``top_n`` all are
answered; more than 1,000 documents are advised against; long ones are cut to ``max_tokens_per_doc`` (4,096).
"""

from __future__ import annotations

from docgraph.plugins.rerankers._service import ServiceReranker, service_reranker

URL = "https://api.cohere.com/v2"


def build(
    *,
    url: str = URL,
    model: str = "rerank-v3.5",
    api_key: str = "",
    timeout: float = 8.0,
    attempts: int = 2,
    first_pause: float = 0.2,
) -> ServiceReranker:
    """``url`` ends before ``/rerank``; ``timeout`` in seconds for one answer as a whole. Raises EmbedderError.

    429, 5xx and lost connections are tried ``attempts`` times.
    """
    return service_reranker(
        name="cohere",
        results_field="results",
        url=url,
        model=model,
        api_key=api_key,
        own_url=URL,
        timeout=timeout,
        attempts=attempts,
        first_pause=first_pause,
        body={},
    )
