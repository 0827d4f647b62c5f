"""docgraph as a Haystack component: ``pipeline.add_component("docgraph", DocgraphRetriever(dg))``."""
# annotations stand as they are: Haystack reads them as types to connect components by

import asyncio
from typing import Any

from docgraph.adapters.passages import Request, passages, request_fields
from docgraph.bootstrap import connect
from docgraph.orchestration.docgraph import Docgraph

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{__name__} needs Haystack: pip install haystack-ai", name=error.name) from error


@component
class DocgraphRetriever:
    """A component over one workspace: a ``Document`` for each passage, best first, its reasons in ``meta``.

    ``request`` (a RetrievalRequest, or its fields as a mapping) and named fields are the options of every question.
    ``top_k`` is another name of ``max_chunks``. Without ``dg`` it opens ``workspace`` itself, with the settings of the
    environment, when it is warmed up or first run, and ``close`` closes it. That is what a pipeline that was saved and
    loaded does: the connection, its address and its password are never written. Raises RequestError for a field that no
    request has.
    """

    def __init__(
        self,
        dg: Docgraph | None = None,
        request: Request | None = None,
        *,
        workspace: str | None = None,
        **named: Any,
    ) -> None:
        self._dg = dg
        self._opened = False
        self._workspace = dg.workspace_name if dg is not None else workspace
        self._fields = request_fields(request, named, limit="top_k")

    def warm_up(self) -> None:
        """Open the workspace where none was given. Raises EnvironmentProblem."""
        if self._dg is None:
            self._dg, self._opened = connect(workspace=self._workspace), True

    def close(self) -> None:
        """Close what the component opened itself; the next run opens it again."""
        if self._opened and self._dg is not None:
            self._dg.close()
            self._dg, self._opened = None, False

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, Any]:
        """``{"documents": [...]}`` for a question; ``top_k`` bounds the passages of this call."""
        self.warm_up()
        assert self._dg is not None
        fields = request_fields(self._fields, {"top_k": top_k}, limit="top_k")
        found = passages(self._dg, fields, query)
        return {
            "documents": [Document(id=p.chunk_id, content=p.text, meta=p.metadata, score=p.score) for p in found],
        }

    @component.output_types(documents=list[Document])
    async def run_async(self, query: str, top_k: int | None = None) -> dict[str, Any]:
        """The same in an event loop; the work is done in a thread."""
        return await asyncio.to_thread(self.run, query, top_k)

    def to_dict(self) -> dict[str, Any]:
        """The workspace's name and the fields of the request, as a pipeline is saved."""
        made: dict[str, Any] = default_to_dict(self, workspace=self._workspace, request=self._fields)
        return made

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "DocgraphRetriever":
        """The component that ``to_dict`` wrote. Raises RequestError."""
        made: DocgraphRetriever = default_from_dict(cls, data)
        return made
