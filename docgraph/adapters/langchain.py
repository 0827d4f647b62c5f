"""docgraph as a LangChain retriever: ``DocgraphRetriever(dg).invoke("Why …?")``."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import Field

from docgraph.adapters.passages import Request, passages, request_fields
from docgraph.orchestration.docgraph import Docgraph

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{__name__} needs LangChain: pip install langchain-core", name=error.name) from error


class DocgraphRetriever(BaseRetriever):
    """A retriever over one workspace: a ``Document`` for each passage, best first, its reasons in ``metadata``.

    ``request`` (a RetrievalRequest, or its fields as a mapping) and named fields are the options of every question;
    a call takes named fields as well. ``k`` is another name of ``max_chunks``. ``tags``, ``metadata`` and ``name`` are
    LangChain's own. Raises RequestError for a field that no request has.
    """

    dg: Docgraph = Field(repr=False)
    options: dict[str, Any] = Field(default_factory=dict)
    """Fields of the request beside its question, as JSON."""

    def __init__(self, dg: Docgraph, request: Request | None = None, **named: Any) -> None:
        own = {name: named.pop(name) for name in type(self).model_fields if name in named}
        options = request_fields(request, {**own.pop("options", {}), **named}, limit="k")
        super().__init__(dg=dg, options=options, **own)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, **named: Any
    ) -> list[Document]:
        return self._documents(query, named)

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, **named: Any
    ) -> list[Document]:
        return await asyncio.to_thread(self._documents, query, named)

    def _documents(self, query: str, named: dict[str, Any]) -> list[Document]:
        fields = request_fields(self.options, named, limit="k") if named else self.options
        found = passages(self.dg, fields, query)
        return [Document(id=each.chunk_id, page_content=each.text, metadata=each.metadata) for each in found]
