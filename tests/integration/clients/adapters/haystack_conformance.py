"""What Haystack does with a component: a pipeline, run and awaited, saved, loaded, and joined with others."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from typing import Any

import haystack
import pytest
from haystack import Pipeline
from haystack.components.builders import PromptBuilder
from haystack.components.joiners import DocumentJoiner

import docgraph
from docgraph.adapters.haystack import DocgraphRetriever
from docgraph.errors import RequestError
from tests.integration.clients.adapters.corpus import HOSTILE, QUERY, checked, examples, workspace

LIMITS = {"max_documents": 4, "max_seeds": 3}
URL = os.environ["DATABASE_URL_OF_THE_TEST"]


@pytest.fixture(scope="module")
def dg() -> Iterator[docgraph.Docgraph]:
    with workspace() as opened:
        yield opened


def _asked(pipeline: Pipeline, **given: Any) -> list[Any]:
    found: list[Any] = pipeline.run({"docgraph": {"query": QUERY, **given}})["docgraph"]["documents"]
    return found


def _pipeline(retriever: DocgraphRetriever, kind: Any = Pipeline) -> Any:
    pipeline = kind()
    pipeline.add_component("docgraph", retriever)
    return pipeline


def test_a_pipeline_gives_documents_with_their_reasons(dg: docgraph.Docgraph) -> None:
    found = _asked(_pipeline(DocgraphRetriever(dg, **LIMITS)))
    checked([each.meta for each in found], dg, **LIMITS)
    assert [each.score for each in found] == [each.meta["score"] for each in found]
    assert [each.id for each in found] == [each.meta["chunk_id"] for each in found]


def test_top_k_bounds_the_passages_of_a_component_and_of_a_call(dg: docgraph.Docgraph) -> None:
    retriever = DocgraphRetriever(dg, docgraph.RetrievalRequest(query="not this one", **LIMITS), top_k=2)
    assert len(_asked(_pipeline(retriever))) == 2
    assert len(retriever.run(QUERY, top_k=1)["documents"]) == 1


def test_awaited_documents_are_the_same(dg: docgraph.Docgraph) -> None:
    retriever = DocgraphRetriever(dg, **LIMITS)
    found = retriever.run(QUERY)
    assert asyncio.run(retriever.run_async(QUERY)) == found
    kind = getattr(haystack, "AsyncPipeline", Pipeline)  # of Haystack 2; since 3 every pipeline can be awaited
    pipeline = _pipeline(DocgraphRetriever(dg, **LIMITS), kind)
    assert asyncio.run(pipeline.run_async({"docgraph": {"query": QUERY}}))["docgraph"] == found


def test_it_feeds_a_joiner_and_a_prompt(dg: docgraph.Docgraph) -> None:
    pipeline = Pipeline()
    pipeline.add_component("docgraph", DocgraphRetriever(dg))
    pipeline.add_component("joiner", DocumentJoiner(sort_by_score=False))
    template = "{% for d in documents %}{{ d.meta.title }}: {{ d.content }}\n{% endfor %}{{ query }}"
    pipeline.add_component("prompt", PromptBuilder(template=template, required_variables="*"))
    pipeline.connect("docgraph.documents", "joiner.documents")
    pipeline.connect("joiner.documents", "prompt.documents")
    said = pipeline.run({"docgraph": {"query": QUERY}, "prompt": {"query": QUERY}})["prompt"]["prompt"]
    assert HOSTILE in said
    assert said.endswith(QUERY)


def test_a_saved_component_says_workspace_and_request_and_no_address(dg: docgraph.Docgraph) -> None:
    retriever = DocgraphRetriever(dg, where="doc_type = decision", top_k=2)
    written = retriever.to_dict()
    assert written["init_parameters"]["workspace"] == "harbor"
    again = DocgraphRetriever.from_dict(written)
    assert again.to_dict() == written


def test_a_loaded_pipeline_opens_the_workspace_by_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    with docgraph.connect(URL, workspace="kept") as dg:
        dg.ingest_records([docgraph.Document(document_id="adr-1", title="Queue", text="The queue is bounded.")])
        pipeline = _pipeline(DocgraphRetriever(dg, max_chunks=1))
        found, text = _asked(pipeline), pipeline.dumps()
    assert URL not in text
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", URL)
    trust = {"allowed_modules": ["docgraph.adapters.haystack"]} if haystack.version.__version__ >= "3" else {}
    loaded = Pipeline.loads(text, **trust)
    loaded.warm_up()
    assert _asked(loaded) == found
    retriever = loaded.get_component("docgraph")
    retriever.close()
    assert _asked(loaded) == found
    retriever.close()


def test_a_field_that_no_request_has_is_refused(dg: docgraph.Docgraph) -> None:
    with pytest.raises(RequestError, match="max_chunk:"):
        DocgraphRetriever(dg, max_chunk=3)
    with pytest.raises(RequestError, match="query is empty"):
        DocgraphRetriever(dg).run("")


@pytest.mark.parametrize("code", examples("haystack"))
def test_the_example_of_the_page_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "docs/adapters.md", "exec"), {"__name__": "__main__"})
    said = [line for line in capsys.readouterr().out.splitlines() if line]
    assert said
    assert [line[2:] for line in code.splitlines() if line.startswith("# ")] in ([], said)
