"""What LlamaIndex itself does with a retriever: retrieve, awaited, events, callbacks, a query engine, fusion."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from llama_index.core import QueryBundle
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager, CBEventType, LlamaDebugHandler
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode

import docgraph
from docgraph.adapters.llamaindex import DocgraphRetriever
from docgraph.boundary.retrievers import as_retriever
from docgraph.errors import RequestError
from tests.integration.clients.adapters.corpus import HOSTILE, QUERY, checked, examples, workspace

LIMITS = {"max_documents": 4, "max_seeds": 3}


@pytest.fixture(scope="module")
def dg() -> Iterator[docgraph.Docgraph]:
    with workspace() as opened:
        yield opened


def test_it_is_a_retriever_whose_nodes_carry_their_reasons(dg: docgraph.Docgraph) -> None:
    retriever = DocgraphRetriever(dg, **LIMITS)
    assert isinstance(retriever, BaseRetriever)
    found = retriever.retrieve(QUERY)
    checked([each.node.metadata for each in found], dg, **LIMITS)
    assert [each.score for each in found] == [each.node.metadata["score"] for each in found]
    assert [each.node.node_id for each in found] == [each.node.metadata["chunk_id"] for each in found]
    assert [each.node.ref_doc_id for each in found] == [each.node.metadata["document_id"] for each in found]


def test_awaited_nodes_are_the_same_and_a_bundle_is_its_text(dg: docgraph.Docgraph) -> None:
    retriever = DocgraphRetriever(dg, docgraph.RetrievalRequest(query="not this one", **LIMITS))
    found = retriever.retrieve(QUERY)
    assert asyncio.run(retriever.aretrieve(QUERY)) == found
    assert retriever.retrieve(QueryBundle(QUERY, embedding=[0.5, 0.5])) == found
    [first] = DocgraphRetriever(dg, similarity_top_k=1, **LIMITS).retrieve(QUERY)
    assert first.node.node_id == found[0].node.node_id


def test_callbacks_hear_of_each_question(dg: docgraph.Docgraph) -> None:
    ear = LlamaDebugHandler(print_trace_on_end=False)
    retriever = DocgraphRetriever(dg, callback_manager=CallbackManager([ear]))
    retriever.retrieve(QUERY)
    asyncio.run(retriever.aretrieve(QUERY))
    assert len(ear.get_event_pairs(CBEventType.RETRIEVE)) == 2


def test_a_model_reads_titles_and_headings_and_no_ids_of_plans(dg: docgraph.Docgraph) -> None:
    for each in DocgraphRetriever(dg).retrieve(QUERY):
        said = each.node.get_content(MetadataMode.LLM)
        assert each.node.metadata["title"] in said
        assert each.node.metadata["plan_id"] not in said


def test_a_query_engine_answers_with_it(dg: docgraph.Docgraph) -> None:
    synthesizer = get_response_synthesizer(llm=MockLLM())
    engine = RetrieverQueryEngine(DocgraphRetriever(dg, **LIMITS), synthesizer)
    answered = engine.query(QUERY)
    assert [each.node.node_id for each in answered.source_nodes] == [
        each.node.node_id for each in DocgraphRetriever(dg, **LIMITS).retrieve(QUERY)
    ]
    assert HOSTILE in str(answered)


def test_a_postprocessor_filters_by_its_scores(dg: docgraph.Docgraph) -> None:
    found = DocgraphRetriever(dg, **LIMITS).retrieve(QUERY)
    best = max(each.score or 0 for each in found)
    kept = SimilarityPostprocessor(similarity_cutoff=best).postprocess_nodes(found)
    assert [each.score for each in kept] == [best]


def test_it_may_be_one_of_several_retrievers(dg: docgraph.Docgraph) -> None:
    class Other(BaseRetriever):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            return [NodeWithScore(node=TextNode(id_="elsewhere", text="Cranes lift boxes."), score=0.1)]

    both = [DocgraphRetriever(dg, **LIMITS), Other()]
    fusion = QueryFusionRetriever(both, llm=MockLLM(), num_queries=1, similarity_top_k=9, mode="reciprocal_rerank")
    fused = {each.node.node_id for each in fusion.retrieve(QUERY)}
    assert fused == {"elsewhere", *(each.node.node_id for each in both[0].retrieve(QUERY))}


def test_a_field_that_no_request_has_is_refused(dg: docgraph.Docgraph) -> None:
    with pytest.raises(RequestError, match="max_chunk:"):
        DocgraphRetriever(dg, max_chunk=3)
    with pytest.raises(RequestError, match="query is empty"):
        DocgraphRetriever(dg).retrieve("")


def test_a_comparison_reads_it_as_a_ranking_of_somebodys_own(dg: docgraph.Docgraph) -> None:
    retriever = DocgraphRetriever(dg, **LIMITS)
    ranked = sorted(retriever.retrieve(QUERY), key=lambda each: -(each.score or 0))
    assert [i for i, _ in as_retriever(retriever)(QUERY)] == [each.node.metadata["document_id"] for each in ranked]


@pytest.mark.parametrize("code", examples("llamaindex"))
def test_the_example_of_the_page_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "docs/adapters.md", "exec"), {"__name__": "__main__"})
    said = [line for line in capsys.readouterr().out.splitlines() if line]
    assert said
    assert [line[2:] for line in code.splitlines() if line.startswith("# ")] in ([], said)
