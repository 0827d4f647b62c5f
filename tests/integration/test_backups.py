"""A backup holds everything, to the last bit, and what is restored is what was; a bad file changes nothing."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

import docgraph
from docgraph import plugins
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores.postgres.backup.contents import DERIVED, OF_NO_WORKSPACE, ROW_COLUMNS
from docgraph.plugins.stores.postgres.connections.naming import WORKBENCH
from docgraph.ports import Database
from docgraph.ports.progress import Stopped
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from tests.conftest import database_beside
from tests.database_tables import workbench_tables, workspace_tables

HOSTILE = "\\. \t\\N\n\\.\n'; DROP TABLE x; -- \r\n\x1b[31m <script>alert(1)</script> ‮ “ü” \\x00"

SET = "mine; DROP TABLE y"


class Impatient:
    """Asks to stop at the n-th question whether it shall."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def update(self, done: int, total: int, message: str) -> None:
        """How far it is."""
        self.left -= 1

    def cancelled(self) -> bool:
        """Whether it is enough."""
        return self.left <= 0


def over(url: str, workspace: str = "w") -> Docgraph:
    database: Database = plugins.build("stores", "postgres", database_url=url)
    adapters = Adapters(
        database=database,
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        checks=(plugins.build("checks", "orphan"),),
        clock=lambda: 0.0,
        now=lambda: "2026-05-04T09:12:30+00:00",
    )
    return Docgraph(adapters, workspace)


@pytest.fixture(scope="module")
def filled(module_database_url: str) -> str:
    """The database with a workspace ``w`` with something of everything that is kept, and another one, ``v-2``."""
    with over(module_database_url) as dg:
        texts = {i: f"The queue of {i} is bounded. {HOSTILE}" for i in ("a", "b", "c", "d")}
        edges = [Relationship(from_document_id=i, relation_type="cites", to_document_id="d") for i in "abc"]
        dg.ingest_records([Document(document_id=i, title=f"{i} {HOSTILE}", text=t) for i, t in texts.items()], edges)
        dg.relationships.edit([Edit(action="remove", key=edges[0].key)], by="Ann", reason=HOSTILE)
        dg.relationships.edit([Edit(action="accept", key=edges[1].key)], by="Ann")
        dg.judgments.judge("Why is the queue bounded?", "a", relevant=True, by="Ann")
        dg.memory.remember(["I like bounded queues."], conversation_id="c1")
        dg.rules.set({"orphan": {"on": False}})
        kept = dg.runs.save(dg.run("Why is the queue bounded?"), name="a run", by="Ann")
        dg.runs.review(kept.run_id, "approved", by="Ben")
        dg.documents.set_vector_search("quantized")
        dg.judgments.judge_passage("Why is the queue bounded?", "a#0", 1, by="Ann", note=HOSTILE)
        dg.judgments.judge_passage("Why is the queue bounded?", "a#0", None, by="Ben")
        questions = [f"Why is the queue of {i} bounded? {HOSTILE}" for i in range(9)]
        dg.query_sets.keep(questions, name=SET, note=HOSTILE, by="Ann")
        dg.query_sets.pin(dg.query_sets.run(SET, measures=["documents"]).evaluation_id)
        dg.query_sets.run(SET, measures=["documents"], workers=1, progress=Impatient(2), note="stopped")
        other = dg.use_workspace("v-2")
        other.ingest_records([Document(document_id="z", title="z", text="Alone.")])
    return str(conninfo_to_dict(module_database_url)["dbname"])


@pytest.fixture
def source_url(embedded_database_url: str, filled: str) -> Iterator[str]:
    """A copy of ``filled`` of this test's own."""
    with database_beside(embedded_database_url, filled) as url:
        yield url


@pytest.fixture
def source(source_url: str) -> Iterator[Docgraph]:
    with over(source_url) as dg:
        yield dg


def rows_of(dg: Docgraph) -> dict[str, list[bytes]]:
    """Every table, its rows as JSON (the columns by their names), in an order of its own."""
    found = {}
    conninfo = dg.session.adapters.database.conninfo  # type: ignore[attr-defined]
    with psycopg.connect(conninfo) as connection:
        tables = connection.execute(
            "SELECT schemaname::text, tablename::text FROM pg_tables "
            "WHERE schemaname = 'docgraph' OR schemaname LIKE 'ws_%'"
        ).fetchall()
        for schema, table in tables:
            name = sql.Identifier(schema, table)
            with connection.cursor().copy(
                sql.SQL("COPY (SELECT to_jsonb(t) FROM {} t) TO STDOUT").format(name)
            ) as copy:
                found[f"{schema}.{table}"] = sorted(b"".join(map(bytes, copy)).splitlines())
    return found


def rewritten(data: bytes, change: Callable[[str, bytes], bytes | None]) -> io.BytesIO:
    """The zip with each entry as ``change`` makes it; None leaves it out."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if (content := change(name, old.read(name))) is not None:
                new.writestr(name, content)
    return made


def written(dg: Docgraph) -> bytes:
    file = io.BytesIO()
    dg.backups.write(file)
    return file.getvalue()


@pytest.fixture
def target(embedded_database_url: str) -> Iterator[Docgraph]:
    """An empty database beside that of ``source``."""
    with psycopg.connect(embedded_database_url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
        with over(embedded_database_url.replace("/docgraph?", "/restored?")) as dg:
            yield dg
        connection.execute("DROP DATABASE restored WITH (FORCE)")


def test_every_row_of_every_table_comes_back_byte_by_byte(source: Docgraph, target: Docgraph) -> None:
    made = target.backups.restore(io.BytesIO(written(source)))
    assert [each.name for each in made] == ["v-2", "w"]
    assert target.workspaces() == source.workspaces()
    assert rows_of(target) == rows_of(source)
    assert all(each.ok for each in target.backups.verify())
    for name in ("w", "v-2"):
        one, other = source.use_workspace(name), target.use_workspace(name)
        exports = [b"".join(dg.relationships.export("jsonl", history=True)) for dg in (one, other)]
        assert exports[0] == exports[1]
        assert one.plan("Why is the queue bounded?") == other.plan("Why is the queue bounded?")


def test_a_restored_workspace_goes_on_where_the_other_stopped(source: Docgraph, target: Docgraph) -> None:
    target.backups.restore(io.BytesIO(written(source)))
    for dg in (source, target):
        dg.relationships.edit([Edit(action="remove", key=("c", "cites", "d"))], by="Ann")
        dg.ingest_records([Document(document_id="e", title="e", text="New words here.")])
    assert target.workspaces() == source.workspaces()
    assert rows_of(target) == rows_of(source)


def test_what_others_write_meanwhile_is_in_all_tables_or_in_none(source: Docgraph, target: Docgraph) -> None:
    class Meddling(io.BytesIO):
        """Writes to the workspace while the backup is written."""

        meddled = False

        def write(self, data: object) -> int:
            if not self.meddled:
                self.meddled = True
                source.relationships.edit([Edit(action="remove", key=("c", "cites", "d"))], by="Eve")
                source.ingest_records([Document(document_id="late", title="late", text="Too late.")])
            return super().write(data)  # type: ignore[arg-type]

    before = source.workspace
    file = Meddling()
    source.backups.write(file)
    assert source.workspace.revision != before.revision
    target.backups.restore(file)
    assert target.workspace.revision == before.revision
    assert len(target.relationships.history()) == 2


def test_a_name_that_is_taken_is_refused_unless_it_is_replaced_or_another_is_given(source: Docgraph) -> None:
    data = io.BytesIO(written(source))
    before = rows_of(source)
    with pytest.raises(ConflictError, match=r"'v-2' exists already; nothing was changed .*--as NAME.*--replace"):
        source.backups.restore(data)
    assert rows_of(source) == before
    (copy,) = source.backups.restore(data, names={"w": "w2"})
    assert (copy.name, copy.revision, copy.state) == ("w2", source.workspace.revision, source.workspace.state)
    assert len(source.use_workspace("w2").relationships.history()) == 2
    before = rows_of(source)
    source.documents.delete(["a"])
    source.relationships.edit([Edit(action="remove", key=("c", "cites", "d"))], by="Ann")
    source.backups.restore(data, names={"w": "w"}, replace=True)
    assert rows_of(source) == before


def test_saved_runs_outlive_their_workspace_in_a_backup_too(source: Docgraph, target: Docgraph) -> None:
    source.drop_workspace("w")
    made = target.backups.restore(io.BytesIO(written(source)))
    assert [each.name for each in made] == ["v-2"]
    assert target.runs.list() == source.runs.list() != ()
    assert rows_of(target) == rows_of(source)


def test_query_sets_come_back_with_their_evaluations_and_are_gone_on_with(source: Docgraph, target: Docgraph) -> None:
    target.backups.restore(io.BytesIO(written(source)))
    pinned, stopped = sorted(target.query_sets.runs(SET), key=lambda each: each.whole, reverse=True)
    assert (pinned.pinned, pinned.whole, stopped.whole, stopped.note) == (True, True, False, "stopped")
    assert target.query_sets.runs(SET) == source.query_sets.runs(SET)
    assert target.query_sets.get(SET) == source.query_sets.get(SET)
    assert target.judgments.passages() == source.judgments.passages() != ()
    for each in (pinned, stopped):
        assert target.query_sets.result(each.evaluation_id) == source.query_sets.result(each.evaluation_id)
    whole = target.query_sets.run(SET, go_on=stopped.evaluation_id)
    assert (whole.evaluation_id, whole.whole, whole.n) == (stopped.evaluation_id, True, 9)
    assert whole.figures == pinned.figures


def test_query_sets_follow_a_workspace_to_another_name_and_outlive_it(source: Docgraph) -> None:
    data = io.BytesIO(written(source))
    source.backups.restore(data, names={"w": "w2"})
    runs = source.query_sets.runs(SET)
    copy = source.use_workspace("w2").query_sets
    assert [each.evaluation_id for each in copy.runs(SET)] == [each.evaluation_id for each in runs]
    assert {each.workspace for each in copy.runs(SET)} == {"w2"}
    source.drop_workspace("w")
    assert source.query_sets.runs(SET) == runs
    source.backups.restore(data, names={"w": "w"})  # what outlived it is there already
    assert source.query_sets.runs(SET) == runs
    assert source.judgments.passages() != ()


def test_one_workspace_is_written_and_an_unknown_one_refused(source: Docgraph) -> None:
    file = io.BytesIO()
    said = source.backups.write(file, workspaces=["v-2"])
    assert [each.name for each in said.workspaces] == ["v-2"]
    assert source.backups.read(file) == said
    with pytest.raises(NotFoundError, match=r"no workspace 'x' .*v-2, w"):
        source.backups.write(io.BytesIO(), workspaces=["x"])
    with pytest.raises(NotFoundError, match="the backup holds no workspace 'w'"):
        source.backups.restore(file, names={"w": "w9"})


FORGERIES = {
    "an entry is cut": lambda name, data: data[:-9] if name.endswith("vector_chunks.copy") else data,
    "an entry is longer": lambda name, data: data + b"x\n" if name.endswith("document_nodes.copy") else data,
    "an entry is gone": lambda name, data: None if name.endswith("relationship_history.copy") else data,
    "a byte differs": lambda name, data: data.replace(b"queue", b"quoue", 1) if "chunks" in name else data,
    "there is no manifest": lambda name, data: None if name == "manifest.json" else data,
    "the manifest is no JSON": lambda name, data: b"{" * 100_000 if name == "manifest.json" else data,
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_damaged_backup_is_refused_and_nothing_is_changed(source: Docgraph, forgery: str) -> None:
    bad = rewritten(written(source), FORGERIES[forgery])
    before = rows_of(source)
    with pytest.raises(UserError, match=r"damaged|no manifest|not valid"):
        source.backups.restore(bad, replace=True)
    assert rows_of(source) == before


def forged(data: bytes, change: Callable[[dict[str, object]], object]) -> io.BytesIO:
    """The backup with its manifest changed."""

    def replaced(name: str, content: bytes) -> bytes:
        if name != "manifest.json":
            return content
        manifest = json.loads(content)
        change(manifest)
        return json.dumps(manifest).encode()

    return rewritten(data, replaced)


def table(manifest: dict[str, object], name: str, kind: str = "tables") -> dict[str, object]:
    (found,) = (t for t in manifest["workspaces"][1][kind] if t["table"] == name)  # type: ignore[index]
    kept: dict[str, object] = found
    return kept


FORGED_MANIFESTS: dict[str, Callable[[dict[str, object]], object]] = {
    "unknown table": lambda m: table(m, "memories").update(table="pg_authid"),
    "path for a table": lambda m: table(m, "memories").update(table="../../x"),
    "unknown column": lambda m: table(m, "document_nodes")["columns"].append("x; DROP TABLE y"),  # type: ignore[attr-defined]
    "path for a workspace": lambda m: m["workspaces"][1].update(name="../w"),  # type: ignore[index]
    "another revision": lambda m: m["workspaces"][1].update(revision="0" * 31 + "1"),  # type: ignore[index]
    "other counts": lambda m: m["workspaces"][1].update(n_chunks=3),  # type: ignore[index]
    "huge width": lambda m: m["workspaces"][1]["embedder"].update(dimension=10**9),  # type: ignore[index]
    "other width": lambda m: m["workspaces"][1]["embedder"].update(dimension=17),  # type: ignore[index]
    "newer format": lambda m: m.update(version=2, more={"x": 1}),
    "workspace from before the first release": lambda m: m["workspaces"][1].update(schema_version="0006"),  # type: ignore[index]
    "newer workspace": lambda m: m["workspaces"][1].update(schema_version="9999"),  # type: ignore[index]
    "a version that is code": lambda m: m["workspaces"][1].update(schema_version="base:head"),  # type: ignore[index]
    "twice the same": lambda m: m["workspaces"].append(m["workspaces"][0]),  # type: ignore[attr-defined, index]
}


@pytest.mark.parametrize("forgery", FORGED_MANIFESTS)
def test_a_forged_manifest_is_refused_and_no_workspace_of_it_is_there_by_half(source: Docgraph, forgery: str) -> None:
    bad = forged(written(source), FORGED_MANIFESTS[forgery])
    before = rows_of(source)
    with pytest.raises(UserError):
        source.backups.restore(bad, names={"w": "w"}, replace=True)
    assert rows_of(source) == before


def test_a_bomb_is_read_no_further_than_it_said(source: Docgraph) -> None:
    data = written(source)
    bomb = rewritten(data, lambda name, content: b"\0" * (64 << 20) if name.endswith("memories.copy") else content)
    with pytest.raises(UserError, match=r"holds more than its"):
        source.backups.restore(bomb, names={"w": "w3"})


def test_history_of_another_workspace_cannot_be_smuggled_in(source: Docgraph) -> None:
    import hashlib

    data = written(source)
    rows: dict[str, object] = {}

    def smuggled(name: str, content: bytes) -> bytes:
        if name.endswith("w/kept/judgments.copy"):
            content = content.replace(b"w\t", b"v-2\t", 1)
            rows["sha256"], rows["n_bytes"] = hashlib.sha256(content).hexdigest(), len(content)
        return content

    bad = rewritten(data, smuggled).getvalue()
    bad_file = forged(bad, lambda m: table(m, "judgments", "kept").update(rows))
    with pytest.raises(UserError, match="judgments of 'w' holds rows of something else"):
        source.backups.restore(bad_file, names={"w": "w4"})


def test_a_backup_of_an_older_docgraph_is_brought_to_today(source: Docgraph, target: Docgraph, source_url: str) -> None:
    """Before places and facets: what was added follows from the backup."""
    expected = rows_of(source)
    with psycopg.connect(source_url) as old:
        old.execute("ALTER TABLE ws_w.document_nodes DROP facets")
        old.execute("ALTER TABLE ws_w.vector_chunks DROP source_place")
        old.execute("UPDATE ws_w.schema_version SET version_num = '0012'")
    said = io.BytesIO()
    database = source.session.adapters.database
    database.back_up(said, workspaces=["w"])  # type: ignore[attr-defined]
    target.backups.restore(said)
    after = rows_of(target)
    now, then = ({k: v for k, v in rows.items() if k.startswith("ws_w.")} for rows in (after, expected))
    assert now == then


def test_ctrl_c_leaves_neither_a_file_nor_a_workspace(source: Docgraph, tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        source.backups.write(tmp_path / "x.backup", progress=Impatient(3))
    assert list(tmp_path.iterdir()) == []
    source.backups.write(tmp_path / "x.backup")
    assert (tmp_path / "x.backup").stat().st_mode & 0o077 == 0
    before = rows_of(source)
    with pytest.raises(Stopped):
        source.backups.restore(tmp_path / "x.backup", names={"w": "w5"}, progress=Impatient(20))
    assert rows_of(source) == before


def test_every_table_and_column_there_is_has_its_place_in_a_backup() -> None:
    """A table that is kept by neither workspace nor run would be left out silently."""
    for table_ in workbench_tables().tables.values():
        if table_.name == "workspaces":
            assert {column.name for column in table_.columns} <= ROW_COLUMNS
        elif table_.name not in OF_NO_WORKSPACE:
            assert table_.schema == WORKBENCH
            assert {"workspace", "run_id"} & {column.name for column in table_.columns}, table_.name
    names = {table_.name for table_ in workspace_tables("ws_w", 8).tables.values()}
    assert set(DERIVED) - names == {"next_vectors"}  # made for the time of an embedding


def test_a_store_that_keeps_nothing_says_that_it_cannot_be_backed_up() -> None:
    with docgraph.connect(store="memory") as dg, pytest.raises(docgraph.DocgraphError, match="use DOCGRAPH_STORE"):
        dg.backups.write(io.BytesIO())
