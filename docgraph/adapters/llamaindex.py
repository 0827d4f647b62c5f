"""docgraph as a LlamaIndex retriever: ``DocgraphRetriever(dg).retrieve("Why …?")``."""

from __future__ import annotations

import asyncio
from typing import Any

from docgraph.adapters.passages import Passage, Request, passages, request_fields
from docgraph.orchestration.docgraph import Docgraph

try:
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.callbacks import CallbackManager
    from llama_index.core.schema import NodeRelationship, NodeWithScore, QueryBundle, RelatedNodeInfo, TextNode
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{__name__} needs LlamaIndex: pip install llama-index-core", name=error.name) from error

SHOWN = ("title", "heading_path", "source", "standing")
"""Metadata that LlamaIndex writes into the text for a model; the rest is for programs."""


class DocgraphRetriever(BaseRetriever):
    """A retriever over one workspace: a ``NodeWithScore`` for each passage, best first, its reasons in ``metadata``.

    ``request`` (a RetrievalRequest, or its fields as a mapping) and named fields are the options of every question.
    ``similarity_top_k`` is another name of ``max_chunks``. Scores are cosine similarities; the order is docgraph's. An
    embedding in the query bundle is not used: docgraph asks with the embedder of its workspace. Raises RequestError for
    a field that no request has.
    """

    def __init__(
        self,
        dg: Docgraph,
        request: Request | None = None,
        *,
        callback_manager: CallbackManager | None = None,
        verbose: bool = False,
        **named: Any,
    ) -> None:
        self._dg = dg
        self._fields = request_fields(request, named, limit="similarity_top_k")
        super().__init__(callback_manager=callback_manager, verbose=verbose)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [_node(each) for each in passages(self._dg, self._fields, query_bundle.query_str)]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def _node(passage: Passage) -> NodeWithScore:
    hidden = [name for name in passage.metadata if name not in SHOWN]
    node = TextNode(
        id_=passage.chunk_id,
        text=passage.text,
        metadata=passage.metadata,
        excluded_embed_metadata_keys=hidden,
        excluded_llm_metadata_keys=hidden,
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=passage.document_id)},
    )
    return NodeWithScore(node=node, score=passage.score)
