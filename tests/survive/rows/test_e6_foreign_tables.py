"""E6: a table that others made, fill, change and drop under its reader is read as it was at a moment, or refused."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
import pytest

import docgraph
from docgraph import Docgraph, RetrievalRequest
from docgraph.errors import DocgraphError
from docgraph.plugins.stores.table.source import TableSource
from tests.survive import foreign_tables as foreign
from tests.survive.foreign_tables import ANSWER, BAD, GOOD, NAMES, ODD, OTHERS, Place, vector
from tests.survive.tally import Row, Tally

ROW = Row(
    row="E6",
    what="foreign tables of hostile names, types, rows, metadata; changed, dropped, renamed, revoked under the reader",
    rule="the answer of a state that existed, or one line; nothing written, the write-ahead log where it was",
    n=224,
    short=85,
    case="a table, a row, or a change under the reader",
    situations=165,
)
ATTEMPTS = 20
"""A background process of the server may log something by itself, and a page is tidied once; but not every time."""
Read = dict[str, list[str]]
VIEW = "DROP TABLE notes; CREATE VIEW notes AS SELECT {} FROM held"
ENDLESS = "a view that does not end"
HELD = "DROP TABLE IF EXISTS held; CREATE TABLE held AS SELECT * FROM notes"
COLUMNS = "id, content, langchain_metadata, embedding"
ADDED = {**ANSWER, "c": ["A new queue."]}
CHANGES: Mapping[str, tuple[str, Read | None]] = {
    "a row added": (
        f"INSERT INTO notes VALUES (7, 1, 'A new queue.', '{{\"source\": \"c\"}}', '{vector(7)}')",
        ADDED,
    ),
    "a text changed": ("UPDATE notes SET content = 'Changed.' WHERE id = 1", {**ANSWER, "b": ["Changed."]}),
    "a row changed to what it was": ("UPDATE notes SET content = content WHERE id = 1", ANSWER),
    "a row moved to another document": (
        'UPDATE notes SET langchain_metadata = \'{"source": "b"}\' WHERE id = 2',
        {"a": [GOOD[0][0]], "b": [GOOD[1][0], GOOD[2][0]]},
    ),
    "one row in the place of another": (
        f"DELETE FROM notes WHERE id = 1; VACUUM notes; INSERT INTO notes VALUES (1, 1, 'A new queue.', "
        f"'{{\"source\": \"c\"}}', '{vector(1)}')",
        {"a": ANSWER["a"], "c": ["A new queue."]},
    ),
    "a document deleted": ("DELETE FROM notes WHERE id = 1", {"a": ANSWER["a"]}),
    "a change taken back": ("BEGIN; DELETE FROM notes; ROLLBACK", ANSWER),
    "emptied": ("TRUNCATE notes", {}),
    "written anew": ("VACUUM FULL notes", ANSWER),
    "dropped": ("DROP TABLE notes", None),
    "renamed": ("ALTER TABLE notes RENAME TO gone", None),
    "its text renamed": ("ALTER TABLE notes RENAME content TO said", ANSWER),
    "its text dropped": ("ALTER TABLE notes DROP content", None),
    "its vectors dropped": ("ALTER TABLE notes DROP embedding", None),
    "its vectors of another width": (
        "ALTER TABLE notes ALTER embedding TYPE vector(3) USING '[1,2,3]'::vector",
        None,
    ),
    "its vectors another type": ("ALTER TABLE notes ALTER embedding TYPE text", None),
    "its metadata text": ("ALTER TABLE notes ALTER langchain_metadata TYPE text", None),
    "another column added": ("ALTER TABLE notes ADD source text DEFAULT 'all'", ANSWER),
    "dropped and made anew": (f"{HELD}; DROP TABLE notes; ALTER TABLE held RENAME TO notes", ANSWER),
    "a view in its place": (f"{HELD}; {VIEW.format('*')}", ANSWER),
    "a view that fails": (f"{HELD}; {VIEW.format('id, more/0 AS more, content, langchain_metadata, embedding')}", None),
    "a view that writes": (
        f"{HELD}; {VIEW.format('id, trap() AS more, content, langchain_metadata, embedding')}",
        None,
    ),
    ENDLESS: (
        f"{HELD}; {VIEW.format('h.*').replace('held', 'held h, generate_series(1, 100000000) s')}",
        None,
    ),
    "a function that is found before the server's": (
        "CREATE FUNCTION hashtextextended(text, int) RETURNS bigint LANGUAGE sql AS "
        "$$ SELECT length(trap())::bigint $$;"
        "CREATE FUNCTION to_json(record) RETURNS json LANGUAGE plpgsql AS $$ BEGIN RETURN trap(); END $$;"
        "UPDATE notes SET content = 'Changed.' WHERE id = 1",
        {**ANSWER, "b": ["Changed."]},
    ),
    "an operator that is found before the server's": (
        "CREATE FUNCTION joined(bigint, text) RETURNS text LANGUAGE sql AS $$ SELECT trap() $$;"
        "CREATE OPERATOR || (LEFTARG = bigint, RIGHTARG = text, FUNCTION = joined);"
        "UPDATE notes SET content = 'Changed.' WHERE id = 1",
        {**ANSWER, "b": ["Changed."]},
    ),
}
"""What is done to the table while it is open → what is read then, None = one line."""
AFTERWARDS = (
    "DROP FUNCTION IF EXISTS hashtextextended(text, int), to_json(record);"
    "DROP FUNCTION IF EXISTS joined(bigint, text) CASCADE;"
    "DROP TABLE IF EXISTS held, gone CASCADE"
)


def _opened(url: str, table: str = "notes") -> Docgraph:
    return docgraph.connect(url, table=table, embedder_dimension=foreign.DIMENSION)


def _read(dg: Docgraph) -> Read:
    """Document → its texts; a question finds some of these documents, and of health there is something to say."""
    found = {each.document_id: [c.text for c in dg.documents.chunks(each.document_id)] for each in dg.documents.list()}
    run = dg.run(RetrievalRequest(query="queue", seed_signal="chunk"))
    assert set(run.plan.document_ids) <= set(found)
    assert bool(run.plan.document_ids) == bool(found)
    return found


def _said(dg: Docgraph) -> Read | None:
    """What is read; None where it is refused in one line."""
    try:
        return _read(dg)
    except DocgraphError as error:
        assert "\n" not in str(error)
        assert str(error)
        return None


@contextmanager
def _untouched(place: Place) -> Iterator[None]:
    before = place.stored()
    yield
    assert place.stored() == before, "something was written"


@contextmanager
def _impatient(really: bool) -> Iterator[None]:
    """Statements may take a moment only: for those that cannot end."""
    with pytest.MonkeyPatch.context() as patch:
        if really:
            patch.setattr(TableSource, "__getattribute__", _with_a_moment)
        yield


def _with_a_moment(self: TableSource, name: str) -> Any:
    return 0.3 if name == "_timeout" else object.__getattribute__(self, name)


def _stays(place: Place, dg: Docgraph) -> bool:
    before = place.position()
    with suppress(DocgraphError):
        dg.documents.list()
    return place.position() == before


def _holds(place: Place, url: str, expected: Read | None, table: str = "notes") -> None:
    """A table that is opened as it is says what is expected, twice alike, and stays as it is."""
    with _untouched(place):
        try:
            dg = _opened(url, table)
        except DocgraphError as error:
            assert expected is None, str(error)
            assert "\n" not in str(error)
            return
        with dg:
            assert [_said(dg), _said(dg)] == [expected, expected]


@pytest.fixture
def place(new_database_url: str) -> Iterator[Place]:
    with psycopg.connect(new_database_url, autocommit=True) as connection:
        yield Place(connection)


@pytest.mark.timeout(600)
def test_e6_a_foreign_table_is_read_as_it_was_or_refused(tally: Tally, place: Place, new_database_url: str) -> None:
    url = new_database_url
    _of_any_name(tally, place, url)
    _of_any_type(tally, place, url)
    _of_any_row(tally, place, url)
    _changed_under_the_reader(tally, place, url)
    _without_the_right(tally, place, url)
    _while_it_is_written(tally, place, url)


def _of_any_name(tally: Tally, place: Place, url: str) -> None:
    tables: list[tuple[str, str, dict[str, Any]]] = [
        each
        for name in NAMES
        for each in (
            ("table", name, {"table": name}),
            ("schema", name, {"schema": name}),
            ("column", name, {"other": (name, "text", "'x'")}),
            ("column of the texts", name, {"text": (name, "text")}),
            ("column of the vectors", name, {"there": (name, "vector")}),
        )
    ]
    for what, name, made in tables if tally.whole else tables[::6]:
        with tally.trying(f"{what} {name!r}"):
            place.make(**made)
            _holds(place, url, ANSWER, f"{made.get('schema', 'public')}.{made.get('table', 'notes')}")


def _of_any_type(tally: Tally, place: Place, url: str) -> None:
    for kind, value in list(OTHERS.items())[:: 1 if tally.whole else 4]:
        with tally.trying(f"a column of {kind}"):
            place.make(other=("more", kind, value))
            _holds(place, url, ANSWER)
    for kind, fits in foreign.TEXT_TYPES.items():
        with tally.trying(f"texts of {kind}"):
            place.make(text=("content", kind))
            _holds(place, url, ANSWER if fits else None)
    for kind, fits in foreign.VECTOR_TYPES.items():
        with tally.trying(f"vectors of {kind}"):
            place.make(there=("embedding", kind))
            _holds(place, url, ANSWER if fits else None)


def _of_any_row(tally: Tally, place: Place, url: str) -> None:
    for name, row in list(BAD.items())[:: 1 if tally.whole else 3]:
        with tally.trying(f"a row with {name}"):
            place.make(metadata="json")
            place.add(*row)
            _holds(place, url, ANSWER)
    for name, (text, fields, given) in list(ODD.items())[:: 1 if tally.whole else 3]:
        with tally.trying(f"a row of {name}"):
            place.make(metadata="json")
            place.add(text, json.dumps({"source": "z", **fields}), given)
            _holds(place, url, {**ANSWER, "z": [text]})
    with tally.trying("rows with the same id"):
        place.make()
        place.run("UPDATE notes SET id = 1")
        _holds(place, url, ANSWER)
        with _opened(url) as dg:
            chunks = [each.chunk_id for i in ANSWER for each in dg.documents.chunks(i)]
            assert len({(each.document_id, each.chunk_id) for i in ANSWER for each in dg.documents.chunks(i)}) == 3
            assert len(chunks) == 3


def _changed_under_the_reader(tally: Tally, place: Place, url: str) -> None:
    for name, (change, expected) in CHANGES.items():
        with tally.trying(f"under the reader: {name}"):
            place.run(AFTERWARDS)
            place.make()
            with _opened(url) as dg:
                assert _said(dg) == ANSWER
                for statement in change.split(";") if "VACUUM" in change else [change]:
                    place.run(statement)
                with _untouched(place), _impatient(name == ENDLESS):
                    assert _said(dg) == expected
                assert name == ENDLESS or any(_stays(place, dg) for _ in range(ATTEMPTS))
                place.run(AFTERWARDS)
                place.make()
                assert _said(dg) == ANSWER, "made anew, it is read again"
    place.run(AFTERWARDS)


def _without_the_right(tally: Tally, place: Place, url: str) -> None:
    """A role that may read, until it may not; and a table that somebody holds for longer than is waited."""
    role = "e6_" + url.split("/test_")[1].split("?")[0]
    place.make()
    place.run(f"CREATE ROLE {role} LOGIN; GRANT SELECT ON notes TO {role}")
    with _opened(url.replace("postgres@", f"{role}@")) as dg:
        with tally.trying("a role that may only read"), _untouched(place):
            assert _said(dg) == ANSWER
        for name, change, expected in (
            ("the right revoked", f"REVOKE SELECT ON notes FROM {role}", None),
            ("the right given again", f"GRANT SELECT ON notes TO {role}", ANSWER),
            ("one column only", f"REVOKE SELECT ON notes FROM {role}; GRANT SELECT (id) ON notes TO {role}", None),
            ("some rows only", f"GRANT SELECT ON notes TO {role}; ALTER TABLE notes ENABLE ROW LEVEL SECURITY", {}),
        ):
            with tally.trying(f"under the reader: {name}"):
                place.run(change)
                with _untouched(place):
                    assert _said(dg) == expected
        place.run("ALTER TABLE notes DISABLE ROW LEVEL SECURITY")
        with tally.trying("under the reader: held by somebody"):
            with psycopg.connect(url) as holding:
                holding.execute("LOCK TABLE notes IN ACCESS EXCLUSIVE MODE")
                with _impatient(True):
                    assert _said(dg) is None
            assert _said(dg) == ANSWER
    place.run(f"DROP OWNED BY {role}; DROP ROLE {role}")


def _while_it_is_written(tally: Tally, place: Place, url: str) -> None:
    """Somebody writes all rows anew, time and again, in transactions that name their version in every row."""
    place.make()
    stop, written = threading.Event(), threading.Semaphore(0)

    def writing() -> None:
        with psycopg.connect(url) as connection:
            version = 0
            while not stop.is_set():
                version += 1
                connection.execute("DELETE FROM notes")
                for n in range(3 + version % 3):
                    fields: dict[str, Any] = {"source": f"d{n}", "title": f"version {version}"}
                    connection.execute(
                        "INSERT INTO notes VALUES (%s, 1, %s, %s, %s)",
                        (n, f"The queue {n}.", json.dumps(fields), vector(n)),
                    )
                connection.commit()
                written.release()

    thread = threading.Thread(target=writing)
    thread.start()
    try:
        written.acquire()
        with _opened(url) as dg:
            for n in range(60 if tally.whole else 10):
                with tally.trying(f"read while it is written: {n}"):
                    assert written.acquire(timeout=60)
                    there = {each.document_id: each.title for each in dg.documents.list()}
                    (title,) = set(there.values())
                    version = int(title.removeprefix("version "))
                    assert set(there) == {f"d{place}" for place in range(3 + version % 3)}
    finally:
        stop.set()
        thread.join()
