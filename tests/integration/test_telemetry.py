"""Spans of a question as a collector receives them, and a request's id from its span down to the database."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import psycopg
import pytest

import docgraph
from docgraph.boundary.logs import one_request
from docgraph.boundary.telemetry import _to
from docgraph.domain.graph import Document
from docgraph.errors import DocgraphError
from docgraph.ports.progress import no_spans

pytest.importorskip("opentelemetry.sdk", reason="no OpenTelemetry: pip install 'docgraph[telemetry]'")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

QUERY = "the marker question about queues"
TEXT = "A marker text: the queue holds 400 bookings."


@pytest.fixture
def collected() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    yield exporter
    exporter.clear()


def asked(exporter: InMemorySpanExporter, *, with_texts: bool, **settings: Any) -> list[Any]:
    """The spans of one run, as a program sees them that watches."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    with docgraph.connect(store="memory", **settings) as dg:
        dg.ingest_records([Document(document_id="a", title="a", text=TEXT)])
        object.__setattr__(dg.session.adapters, "spans", _to(provider.get_tracer("t"), with_texts=with_texts))
        with one_request() as request:
            dg.run(QUERY)
    spans = list(exporter.get_finished_spans())
    assert {span.attributes["docgraph.request_id"] for span in spans} == {request}
    return spans


def test_a_run_is_one_tree_of_spans_with_the_names_of_openinference(collected: InMemorySpanExporter) -> None:
    spans = asked(collected, with_texts=True)
    by_name = {span.name: span for span in spans}
    assert list(by_name) == [
        f"docgraph.{name}" for name in ("embed_query", "plan", "execute", "assemble", "verify", "run")
    ]
    root = by_name["docgraph.run"]
    assert {span.parent.span_id for span in spans if span is not root} == {root.context.span_id}
    kinds = {name: span.attributes["openinference.span.kind"] for name, span in by_name.items()}
    assert (kinds["docgraph.execute"], kinds["docgraph.embed_query"], kinds["docgraph.run"]) == (
        "RETRIEVER",
        "EMBEDDING",
        "CHAIN",
    )
    found = by_name["docgraph.execute"].attributes
    assert found["retrieval.documents.0.document.content"] == TEXT
    assert isinstance(found["retrieval.documents.0.document.score"], float)
    assert root.attributes["input.value"] == QUERY


def test_neither_questions_nor_texts_are_in_spans_unless_wanted(collected: InMemorySpanExporter) -> None:
    said = "".join(span.to_json() for span in asked(collected, with_texts=False))
    assert "retrieval.documents.0.document.id" in said
    assert "marker" not in said


def test_a_failing_step_is_told_by_its_class_alone(collected: InMemorySpanExporter) -> None:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(collected))
    spans = _to(provider.get_tracer("t"), with_texts=True)
    with pytest.raises(DocgraphError), spans("plan", {}):
        raise DocgraphError("marker in a message")
    [span] = collected.get_finished_spans()
    assert (span.status.description, "marker" in span.to_json()) == ("DocgraphError", False)


def test_without_a_setting_nobody_watches_and_the_packages_are_not_loaded() -> None:
    """In a process of its own: this one has loaded them."""
    program = (
        "import sys, docgraph\n"
        "with docgraph.connect(store='memory') as dg:\n"
        "    dg.ingest_records([{'document_id': 'a', 'title': 'a', 'text': 'a'}])\n"
        "    dg.run('a')\n"
        "    print(dg.session.adapters.spans.__name__)\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry.sdk')])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=280, check=True)
    assert done.stdout.splitlines() == [no_spans.__name__, "[]"]


def test_a_configured_collector_receives_the_spans_of_a_process() -> None:
    received: list[tuple[str, int]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, len(body)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    program = (
        "import docgraph\n"
        f"where = 'http://127.0.0.1:{server.server_port}/v1/traces'\n"
        "with docgraph.connect(store='memory', otlp_endpoint=where) as dg:\n"
        "    dg.ingest_records([{'document_id': 'a', 'title': 'a', 'text': 'a'}])\n"
        "    dg.run('a')\n"
    )
    try:
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=280, check=True)
    finally:
        server.shutdown()
        server.server_close()
    assert received
    assert received[0][0] == "/v1/traces"


@pytest.mark.integration
def test_the_database_names_the_request_that_it_works_for(new_database_url: str) -> None:
    with docgraph.connect(new_database_url) as dg, psycopg.connect(new_database_url, autocommit=True) as other:
        dg.ingest_records([Document(document_id="a", title="a", text=TEXT)])
        names = "SELECT application_name FROM pg_stat_activity WHERE application_name LIKE 'docgraph%'"
        with one_request() as request, dg.session.reading() as snapshot:
            assert snapshot.workspace.n_documents == 1
            assert (f"docgraph {request}",) in other.execute(names).fetchall()
        with dg.session.reading() as snapshot:
            assert snapshot.workspace.n_documents == 1
            assert {name for (name,) in other.execute(names).fetchall()} == {"docgraph"}
