"""D8: whatever stands in a question, title, name or error, a record is one line, says what was given, and no other."""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import random
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from docgraph.boundary.logs import AUDIT, appended, log_to, logged, one_request
from docgraph.domain.graph import Document
from docgraph.domain.person import Person
from docgraph.errors import DocgraphError
from docgraph.plugins.stores import memory
from tests.survive.tally import Case, Row, Tally
from tests.survive.workspaces import opened

ROW = Row(
    row="D8",
    what="log, audit and spans: newlines, control characters, ANSI, forged records, huge values in every text there is",
    rule="each record is one line, as text or as JSON that says what was given; nothing forged, no span lost",
    n=1_200,
    short=140,
    case="texts in the fields of one record",
)
FORGED_JSON = '{"at": "2026-01-01T00:00:00.000+00:00", "level": "info", "logger": "docgraph.audit", "message": "{}"}'
FORGED_TEXT = "2026-01-01T00:00:00.000+00:00 info docgraph.audit: {}"
PIECES = (
    *(" | Traceback (most recent call last):", "a  b", "\t", "é🦑", "x" * 30_000, "🦑" * 3_000, "\x1b" * 9_000, ""),
    *("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"),
    *("\x1b[31m", "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x1b]8;;https://evil.example\x1b\\", "\x9b31m", "\x1bc"),
    *("\x00", "\x08" * 40, "\x07", "\x7f", "\x0e", "\u202e", "\u2066", "\ufeff", "\u200f", "\ud800", "\udfff"),
    *(
        f"\n{FORGED_JSON}\n",
        f"\r\n{FORGED_TEXT}\n",
        '"}\n{"by": "root"',
        "', \"",
        "\\",
        "\\n",
        "%s %n %(message)s",
        "{0}",
    ),
)
STEERING = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
"""What no line of text may hold: it ends lines, steers terminals or turns what follows around."""
AUDITED = {"at", "by", "role", "workspace", "act", "n", "subjects", "outcome", "error", "request"}


def hostile(rng: random.Random, number: int) -> str:
    """Each piece by itself once; then some of them between words."""
    if number < len(PIECES):
        return f"a{PIECES[number]}b"
    return "".join(rng.choice(("word", " ", rng.choice(PIECES), chr(rng.randrange(0x3000)))) for _ in range(9))


def lines_of(form: Any, say: Callable[[], object]) -> list[str]:
    """What the log holds of it, each record a line; as bytes of the stream would be cut."""
    stream = io.StringIO()
    with log_to(stream, form=form, level="info"), one_request():
        say()
    assert stream.getvalue().endswith("\n")
    return stream.getvalue()[:-1].split("\n")


def _message(text: str, given: Path) -> None:
    log = logging.getLogger("docgraph.d8")
    (line,) = lines_of("text", lambda: log.warning("said %s", text))
    assert not STEERING.search(line), ascii(line[:200])
    assert re.match(r"\d{4}-\d\d-\d\dT\S+ warning docgraph\.d8 \[[0-9a-f]{12}\]: said", line)
    (line,) = lines_of("json", lambda: log.warning("said %s", text))
    assert line.isascii()
    assert json.loads(line)["message"] == f"said {text}"[:20_000]


def _raised(text: str, given: Path) -> None:
    def fail() -> None:
        try:
            raise ValueError(text)
        except ValueError:
            logging.getLogger("docgraph.d8").exception("it failed")

    (line,) = lines_of("text", fail)
    assert not STEERING.search(line), ascii(line[:200])
    (line,) = lines_of("json", fail)
    said = json.loads(line)
    assert said["message"] == "it failed"
    assert said["error"].endswith(f"ValueError: {text}"[-20_000:])


def _written(sink: Callable[[Any], None], person: Person, text: str) -> None:
    """Writes of a person, names and ids as hostile as they may be, in a workspace of their own."""
    id_ = re.sub(r"[\x00-\x1f\x7f]", "~", f"id {text}")[:512]
    with opened(memory.build()) as dg:
        object.__setattr__(dg.session.adapters, "audit", sink)
        acting = dg.acting_as(person)
        for call in (
            lambda: acting.create_workspace("w"),
            lambda: acting.ingest_records([Document(document_id=id_, title=f"t {text}"[:500], text=f"{text} words")]),
            lambda: acting.query_sets.keep([{"query": f"q {text}"[:5_000]}], name=f"s {text}"[:60], note=text[:500]),
            lambda: acting.session.store().delete_documents([f"{n}{id_}"[:512] for n in range(20)]),
            lambda: acting.drop_workspace(text[:60]),
        ):
            with suppress(DocgraphError, ValidationError):
                call()


def _audited(text: str, place: Path) -> None:
    """Through the file, and through the log in both forms: as many lines as writes, each with every field."""
    try:
        person = Person(name=f"Ann {text}"[:200], role="admin")
    except ValueError:
        person = Person(name="Ann", role="admin")
    told: list[dict[str, Any]] = []
    _written(lambda line: told.append(dict(line)), person, text)
    audit = place / "audit.jsonl"
    append, before = appended(audit), audit.read_bytes().count(b"\n") if audit.exists() else 0
    _written(append, person, text)
    for form in ("text", "json"):
        _check_logged(form, lines_of(form, lambda: _written(logged, person, text)), len(told))
    lines = audit.read_bytes().decode().split("\n")[before:-1]
    assert len(lines) == len(told) > 2
    for line, given in zip(lines, told, strict=True):
        said = json.loads(line)
        assert line.isascii()
        assert set(said) == AUDITED
        assert {name: said[name] for name in given} == given
        assert said["by"] == person.name
        assert STEERING.search(said["by"]) is None


def _check_logged(form: str, lines: list[str], n: int) -> None:
    lines = [line for line in lines if AUDIT in line]  # what else is said is not counted here
    assert len(lines) == n, (form, len(lines), n)
    for line in lines:
        assert line.isascii() or not STEERING.search(line)
        said = json.loads(line)["message"] if form == "json" else line[line.index("{") :]
        assert set(json.loads(said)) == AUDITED, "a line of the audit was cut"
        assert json.loads(said)["request"], str(json.loads(said))


def _spanned(text: str, given: Path) -> None:
    """Every span can be sent, and says what was asked: one that cannot costs all that are sent with it."""
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    from docgraph.boundary.telemetry import _to

    held, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(held))
    spans = _to(provider.get_tracer("d8"), with_texts=True)
    with one_request() as request, spans("plan", {"input.value": text, "retrieval.documents.0.document.id": text}):
        pass
    sent = ExportTraceServiceRequest.FromString(encode_spans(held.get_finished_spans()).SerializeToString())
    (span,) = sent.resource_spans[0].scope_spans[0].spans
    said = {each.key: each.value.string_value for each in span.attributes}
    whole = text.encode(errors="replace").decode()
    assert said["input.value"] == said["retrieval.documents.0.document.id"] == whole
    assert (span.name, said["docgraph.request_id"]) == ("docgraph.plan", request)


WAYS: dict[str, Callable[[str, Path], None]] = {
    "a message": _message,
    "an error": _raised,
    "the audit": _audited,
    "spans": _spanned,
}


def _torn(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes half a line: said, and the next line stands on one of its own."""
    audit = place / "torn.jsonl"
    append, write = appended(audit), os.write
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda handle, line: write(handle, line[: len(line) // 2]))
        (line,) = lines_of("json", lambda: append({"act": "one"}))
        assert os.strerror(errno.ENOSPC) in json.loads(line)["message"]
        assert '"act": "one"' in json.loads(line)["message"]
    append({"act": "two"})
    whole = [json.loads(line)["act"] for line in audit.read_text().splitlines() if line.endswith("}")]
    assert whole == ["two"]


@pytest.mark.timeout(900)
def test_d8_a_record_is_one_line_that_says_what_was_given(
    tally: Tally, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("opentelemetry.exporter.otlp.proto.common", reason="no OpenTelemetry")
    names = list(WAYS)
    assert logging.getLogger(AUDIT).name == AUDIT
    with tally.trying("half a line of the audit"):
        _torn(tmp_path, monkeypatch)
    with tally.trying("half a surrogate pair in a span"):
        _spanned("a \ud83e half", tmp_path)

    def one(case: Case) -> None:
        WAYS[names[case.number % len(names)]](hostile(case.rng, case.number // len(names)), tmp_path)

    for case in tally.cases(tally.n - 2):
        with tally.trying(case):
            one(case)
