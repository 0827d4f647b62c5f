"""What all adapters share: fields are checked once, and every passage says why it is read."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

import docgraph
from docgraph.adapters.passages import passages, request_fields
from docgraph.errors import RequestError
from tests.integration.clients.adapters.corpus import HOSTILE, QUERY, checked, workspace

LIMITS = {"max_documents": 4, "max_seeds": 3}
LIBRARIES = {"langchain": "langchain_core", "llamaindex": "llama_index", "haystack": "haystack"}


@pytest.fixture(scope="module")
def dg() -> Iterator[docgraph.Docgraph]:
    with workspace() as opened:
        yield opened


def test_every_passage_says_why_it_is_read(dg: docgraph.Docgraph) -> None:
    found = passages(dg, request_fields(None, LIMITS, limit="k"), QUERY)
    checked([each.metadata for each in found], dg, **LIMITS)
    assert HOSTILE in [each.metadata["title"] for each in found]
    assert all(json.loads(json.dumps(each.metadata)) == each.metadata for each in found)


def test_the_text_is_what_is_read_of_the_chunk(dg: docgraph.Docgraph) -> None:
    run = dg.run({"query": QUERY, **LIMITS})
    found = passages(dg, LIMITS, QUERY)
    assert [each.text for each in found] == [chunk.passage for _, chunk in run.context.ranked_chunks]


def test_named_fields_come_before_those_of_a_request_and_its_question_is_not_kept() -> None:
    request = docgraph.RetrievalRequest(query="not this one", max_chunks=9, mode="fast", where="doc_type = decision")
    fields = request_fields(request, {"k": 2}, limit="k")
    assert (fields["max_chunks"], fields["mode"], "query" in fields, "k" in fields) == (2, "fast", False, False)
    assert docgraph.RetrievalRequest(query="x", **fields).where == request.where
    assert request_fields(fields, {"k": None}, limit="k") == fields


def test_a_preset_stays_what_it_is() -> None:
    request = docgraph.RetrievalRequest(query="x", preset="literal", max_chunks=10)
    fields = request_fields(request, {}, limit="k")
    assert docgraph.RetrievalRequest.model_validate({**fields, "query": "x"}) == request


@pytest.mark.parametrize("wrong", [{"max_chunk": 3}, {"k": 0}, {"mode": "slow"}])
def test_a_wrong_field_is_refused_before_any_question(wrong: dict[str, object]) -> None:
    with pytest.raises(RequestError):
        request_fields(None, wrong, limit="k")


@pytest.mark.parametrize("name", LIBRARIES)
def test_an_adapter_without_its_library_says_what_to_install(name: str) -> None:
    if importlib.util.find_spec(LIBRARIES[name]) is not None:
        pytest.skip(f"{LIBRARIES[name]} is installed")
    finished = subprocess.run(
        [sys.executable, "-c", f"import docgraph.adapters.{name}"], capture_output=True, text=True, check=False
    )
    last = finished.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ModuleNotFoundError: docgraph.adapters.{name} needs")
    assert "pip install" in last
