"""Roles, in the core: who may do what, whose name signs, and the line of the audit that every write leaves."""

from __future__ import annotations

import inspect
import json
import logging
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from docgraph.boundary.logs import appended, logged
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.person import ROLES, Person, Role
from docgraph.domain.request import RetrievalRequest
from docgraph.errors import DocgraphError, ForbiddenError, SettingsError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.guarded import READS, SUBJECTS, WRITES
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.ports import BacksUp, Database, QuerySetArchive, RunArchive, SignInLog, Store
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

ASKED = RetrievalRequest(query="queue")
EDGE = {"from_document_id": "b", "relation_type": "explains", "to_document_id": "c"}
CURATED: Mapping[str, Callable[[Docgraph], object]] = {
    "an edit": lambda dg: dg.relationships.add(EDGE, by="somebody else"),
    "a judgment": lambda dg: dg.judgments.judge("queue", "a", True, by="somebody else"),
    "a judged passage": lambda dg: dg.judgments.judge_passage("queue", "a#0", 1, by="somebody else"),
    "a query set": lambda dg: dg.query_sets.keep(["queue"], name="mine", by="somebody else"),
    "a saved run": lambda dg: dg.runs.save(ASKED, by="somebody else"),
    "rules": lambda dg: dg.rules.set({}),
    "a memory": lambda dg: dg.memory.remember("said"),
    "types left out": lambda dg: dg.relationships.set_off_types(["explains"]),
    "calibrations removed": lambda dg: dg.calibration.reset(),
}
ADMINISTERED: Mapping[str, Callable[[Docgraph], object]] = {
    "an import": lambda dg: dg.ingest_records([Document(document_id="d", title="d", text="d")]),
    "documents removed": lambda dg: dg.documents.delete(["a"]),
    "a workspace made": lambda dg: dg.create_workspace("other"),
    "a workspace removed": lambda dg: dg.drop_workspace("test"),
}


@pytest.fixture
def lines() -> list[Mapping[str, Any]]:
    return []


@pytest.fixture
def dg(lines: list[Mapping[str, Any]]) -> Docgraph:
    """Three documents, one relationship; the audit is kept in a list."""
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: "2026-01-01T00:00:00+00:00",
        audit=lines.append,
    )
    docgraph = Docgraph(adapters, "test")
    docgraph.ingest_records(
        [Document(document_id=each, title=each, text=f"{each} queue") for each in "abc"],
        [Relationship(from_document_id="a", relation_type="explains", to_document_id="b")],
    )
    lines.clear()
    return docgraph


def everything(dg: Docgraph) -> object:
    """What the workspace holds, as one value."""
    return (
        [each.model_dump() for each in dg.documents.list()],
        [each.model_dump() for each in dg.relationships.list()],
        dg.judgments.list(),
        dg.judgments.passages(),
        dg.query_sets.list(),
        dg.runs.list(),
        dg.memory.list(),
        dg.workspaces(),
    )


def test_every_method_of_a_store_reads_or_writes_by_name_and_nothing_else_is_let_through() -> None:
    methods = {
        name
        for protocol in (Store, RunArchive, QuerySetArchive, SignInLog, Database, BacksUp)
        for name, _ in inspect.getmembers(protocol)
        if not name.startswith("_")
    }
    assert methods == READS | WRITES.keys()
    assert not READS & WRITES.keys()


@pytest.mark.parametrize(("needs", "acts"), [("curator", CURATED), ("admin", ADMINISTERED)])
@pytest.mark.parametrize("role", ROLES)
def test_a_role_does_what_it_reaches_for_and_is_refused_the_rest_with_nothing_changed(
    dg: Docgraph, role: Role, needs: Role, acts: Mapping[str, Callable[[Docgraph], object]]
) -> None:
    ann = Person(name="Ann", role=role)
    for what, act in acts.items():
        before = everything(dg)
        if ann.may(needs):
            act(dg.acting_as(ann))
            continue
        with pytest.raises(ForbiddenError, match=f"Ann is an? {role}, and this needs an? {needs}") as refused:
            act(dg.acting_as(ann))
        assert needs in refused.value.hint
        assert everything(dg) == before, what


def test_whoever_may_only_read_reads_everything(dg: Docgraph) -> None:
    viewer = dg.acting_as({"name": "Vi", "role": "viewer"})
    assert viewer.run(ASKED) == dg.run(ASKED)
    assert viewer.compare(ASKED) == dg.compare(ASKED)
    assert viewer.check() == dg.check()
    assert everything(viewer) == everything(dg)
    assert dg.may_write()
    assert not viewer.may_write()


@pytest.mark.parametrize("role", ROLES)
def test_who_is_signed_in_is_for_admins_to_read_and_to_end(dg: Docgraph, role: Role) -> None:
    """Any role could list everybody's names, browsers and hashes."""
    ann = dg.acting_as(Person(name="Ann", role=role)).session.sign_ins
    if role == "admin":
        assert ann.open_sign_ins("2026") == ann.sign_ins(["a"]) == ann.end_sign_ins((), at="2026", by="Ann") == ()
        return
    for act in (
        lambda: ann.open_sign_ins("2026"),
        lambda: ann.sign_ins(["a"]),
        lambda: ann.end_sign_ins((), at="2026", by="Ann"),
    ):
        with pytest.raises(ForbiddenError, match=f"Ann is a {role}, and this needs an admin"):
            act()


def test_the_role_goes_along_to_every_workspace(dg: Docgraph) -> None:
    dg.create_workspace("other")
    with pytest.raises(ForbiddenError):
        dg.acting_as(Person(name="Vi")).use_workspace("other").ingest_records(
            [Document(document_id="x", title="x", text="x")]
        )


def test_the_name_that_was_recognised_signs_whatever_else_is_said(dg: Docgraph) -> None:
    ann = dg.acting_as(Person(name="Ann", role="curator"))
    judged = ann.judgments.judge("queue", "a", True, by="Eve")
    saved = ann.runs.save(ASKED, by="Eve")
    ann.runs.review(saved.run_id, "note", by="Eve", text="well")
    ann.relationships.add(EDGE, by="Eve")
    ann.judgments.import_relevant({"queue": ["b"]}, by="")
    assert judged is not None
    assert {judged.by, saved.saved_by, *(each.by for each in ann.judgments.list())} == {"Ann"}
    assert {each.by for each in ann.runs.reviews(saved.run_id)} == {"Ann"}
    assert {each.by for each in ann.relationships.history()} == {"Ann"}
    assert "Eve" not in str(everything(ann))


def test_every_write_leaves_one_line_done_or_not(dg: Docgraph, lines: list[Mapping[str, Any]]) -> None:
    ann = dg.acting_as(Person(name="Ann", role="curator"))
    ann.judgments.judge("queue", "a", True, by="")
    ann.run(ASKED)
    with pytest.raises(ForbiddenError):
        ann.documents.delete(["a", "b"])
    with pytest.raises(DocgraphError):
        ann.runs.restore("0123abcd")
    common = {"by": "Ann", "role": "curator"}
    assert lines == [
        {**common, "workspace": "test", "act": "judge", "n": 1, "subjects": ["a"], "outcome": "done", "error": ""},
        {
            **common,
            "workspace": "test",
            "act": "delete_documents",
            "n": 2,
            "subjects": ["a", "b"],
            "outcome": "refused",
            "error": "ForbiddenError",
        },
        {
            **common,
            "workspace": "",
            "act": "restore",
            "n": 1,
            "subjects": ["0123abcd"],
            "outcome": "failed",
            "error": "NotFoundError",
        },
    ]


def test_a_line_names_some_subjects_and_counts_all(dg: Docgraph, lines: list[Mapping[str, Any]]) -> None:
    dg.ingest_records([Document(document_id=f"n{i:03d}", title="n", text="n") for i in range(30)])
    written = [line for line in lines if line["act"] == "write"]
    assert sum(line["n"] for line in written) == 30
    assert all(len(line["subjects"]) == min(SUBJECTS, line["n"]) for line in written)
    (by,) = {line["by"] for line in written}
    assert by.strip(), "a write is by somebody, be it the account of the process"


@pytest.mark.parametrize("name", ["", "  ", "\x00\n"])
def test_nobody_is_recognised_without_a_name(dg: Docgraph, name: str) -> None:
    with pytest.raises(DocgraphError, match="name"):
        dg.acting_as({"name": name, "role": "admin"})


def test_a_name_signs_on_one_line() -> None:
    assert Person(name=" Ann\r\nroot \x1b[2J").name == "Ann root [2J"


def test_the_audit_goes_to_a_file_of_its_owner_line_by_line_and_to_the_log_where_that_fails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "audit.jsonl"
    append = appended(path)
    append({"act": "judge", "subjects": ["a\nb"]})
    append({"act": "delete"})
    assert [json.loads(line)["act"] for line in path.read_text().splitlines()] == ["judge", "delete"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.unlink()
    path.mkdir()
    append({"act": "lost"})
    assert '"lost"' in caplog.text
    with pytest.raises(SettingsError, match="audit cannot be written"):
        appended(path)


def test_without_a_file_the_audit_is_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="docgraph.audit"):
        logged({"act": "judge"})
    assert json.loads(caplog.records[0].getMessage()).keys() == {"at", "act", "request"}
