"""S2: everything that reads works as a role with SELECT only, and planning moves no write-ahead log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from docgraph.orchestration.docgraph import Docgraph
from tests.integration.test_reading_rights import GRANTS
from tests.survive.operations import READING
from tests.survive.tally import Row, Tally
from tests.survive.workspaces import fill, small, stored

ROW = Row(
    row="S2",
    what="every public operation that reads, as a role with SELECT only",
    rule="all pass with the owner's result; the position of the write-ahead log unchanged",
    n=63,
    short=63,
    case="an operation",
)
OF_ITS_OWN = ("may_write", "health", "documents.search_recall", "documents.measure_vector_search")
"""What says who asks, or how many milliseconds it took."""
ATTEMPTS = 20
"""A background process of the server may log something by itself, but not every time."""


@pytest.fixture
def dg(new_database_url: str) -> Iterator[Docgraph]:
    with small(new_database_url) as made:
        yield made


def test_s2_reading_needs_the_right_to_read_and_nothing_else(
    tally: Tally, dg: Docgraph, new_database_url: str, tmp_path: Path
) -> None:
    kept = {**fill(dg), "folder": tmp_path}
    role = "s2_" + new_database_url.split("/test_")[1].split("?")[0]
    with psycopg.connect(new_database_url, autocommit=True) as watching:
        watching.execute(GRANTS.format(role=role))
        before = stored(watching)
        with small(new_database_url.replace("postgres@", f"{role}@")) as reader:
            for name, operation in READING.items():
                with tally.trying(name):
                    one, two = operation(dg, kept), operation(dg, kept)
                    found = operation(reader, kept)
                    assert found == one or one != two or name in OF_ITS_OWN
            with tally.trying("the log stays where it is"):
                watching.execute("CHECKPOINT")
                assert any(_stays(watching, reader, kept) for _ in range(ATTEMPTS))
        with tally.trying("nothing was written"):
            assert stored(watching) == before


def _stays(watching: psycopg.Connection[tuple[object, ...]], reader: Docgraph, kept: dict[str, object]) -> bool:
    place = "SELECT pg_current_wal_insert_lsn()"
    before = watching.execute(place).fetchone()
    for name in ("plan", "execute", "run", "explain"):
        READING[name](reader, kept)
    return watching.execute(place).fetchone() == before
