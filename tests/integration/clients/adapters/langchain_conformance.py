"""LangChain's own standard tests of retrievers, and what a chain does with one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_tests.integration_tests import RetrieversIntegrationTests

import docgraph
from docgraph.adapters.langchain import DocgraphRetriever
from docgraph.boundary.retrievers import as_retriever
from docgraph.errors import RequestError
from tests.integration.clients.adapters.corpus import HOSTILE, QUERY, checked, examples, workspace

LIMITS = {"max_documents": 4, "max_seeds": 3}


@pytest.fixture(scope="module")
def dg() -> Iterator[docgraph.Docgraph]:
    with workspace() as opened:
        yield opened


class TestStandard(RetrieversIntegrationTests):
    """LangChain's suite: how many, by ``k`` at construction and in a call, documents, and the same awaited."""

    @property
    def retriever_constructor(self) -> type[DocgraphRetriever]:
        return DocgraphRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"dg": workspace()}

    @property
    def retriever_query_example(self) -> str:
        return QUERY


def test_documents_carry_their_reasons_in_docgraphs_order(dg: docgraph.Docgraph) -> None:
    found = DocgraphRetriever(dg, **LIMITS).invoke(QUERY)
    checked([each.metadata for each in found], dg, **LIMITS)
    assert all(each.id == each.metadata["chunk_id"] and each.page_content for each in found)


def test_awaited_batched_and_streamed_documents_are_the_same(dg: docgraph.Docgraph) -> None:
    retriever = DocgraphRetriever(dg, docgraph.RetrievalRequest(query="not this one", **LIMITS))
    found = retriever.invoke(QUERY)
    assert asyncio.run(retriever.ainvoke(QUERY)) == found
    assert retriever.batch([QUERY, "retries"])[0] == found
    assert list(retriever.stream(QUERY)) == [found]
    [first] = asyncio.run(retriever.ainvoke(QUERY, max_chunks=1))
    assert first.id == found[0].id


def test_callbacks_hear_of_start_end_and_failure(dg: docgraph.Docgraph) -> None:
    heard: list[tuple[str, Any]] = []

    class Ear(BaseCallbackHandler):
        def on_retriever_start(self, serialized: Any, query: str, **about: Any) -> None:
            heard.append(("start", (query, about["tags"], about["metadata"]["team"])))

        def on_retriever_end(self, documents: Any, **_: Any) -> None:
            heard.append(("end", len(documents)))

        def on_retriever_error(self, error: BaseException, **_: Any) -> None:
            heard.append(("error", type(error)))

    retriever = DocgraphRetriever(dg, max_chunks=2, tags=["ours"], metadata={"team": "harbor"})
    retriever.invoke(QUERY, {"callbacks": [Ear()]})
    asyncio.run(retriever.ainvoke(QUERY, {"callbacks": [Ear()]}))
    with pytest.raises(RequestError, match="query is empty"):
        retriever.invoke("", {"callbacks": [Ear()]})
    start = ("start", (QUERY, ["ours"], "harbor"))
    assert heard == [start, ("end", 2), start, ("end", 2), ("start", ("", ["ours"], "harbor")), ("error", RequestError)]


def test_it_stands_in_a_chain_and_hostile_titles_are_only_text(dg: docgraph.Docgraph) -> None:
    def texts(found: list[Document]) -> str:
        return "\n".join(f"{each.metadata['title']}: {each.page_content}" for each in found)

    prompt = ChatPromptTemplate.from_template("{context}\n\n{question}")
    asked = {"context": DocgraphRetriever(dg) | RunnableLambda(texts), "question": RunnableLambda(str)}
    said = (asked | prompt).invoke(QUERY).to_string()
    assert HOSTILE in said
    assert QUERY in said


def test_options_may_be_configured_later(dg: docgraph.Docgraph) -> None:
    """LangChain makes a new retriever of an old one's fields."""
    retriever = DocgraphRetriever(dg, max_chunks=1).configurable_fields(options=ConfigurableField(id="options"))
    assert len(retriever.invoke(QUERY)) == 1
    assert len(retriever.invoke(QUERY, {"configurable": {"options": {"max_chunks": 2}}})) == 2


def test_a_field_that_no_request_has_is_refused(dg: docgraph.Docgraph) -> None:
    with pytest.raises(RequestError, match="max_chunk:"):
        DocgraphRetriever(dg, max_chunk=3)
    with pytest.raises(RequestError, match="max_chunk:"):
        DocgraphRetriever(dg).invoke(QUERY, max_chunk=3)


def test_a_comparison_reads_it_as_a_ranking_of_somebodys_own(dg: docgraph.Docgraph) -> None:
    retriever = DocgraphRetriever(dg, **LIMITS)
    assert [i for i, _ in as_retriever(retriever)(QUERY)] == [
        d.metadata["document_id"] for d in retriever.invoke(QUERY)
    ]


@pytest.mark.parametrize("code", examples("langchain"))
def test_the_example_of_the_page_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "docs/adapters.md", "exec"), {"__name__": "__main__"})
    said = [line for line in capsys.readouterr().out.splitlines() if line]
    assert said
    assert [line[2:] for line in code.splitlines() if line.startswith("# ")] in ([], said)
