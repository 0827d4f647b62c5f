"""Each version with each schema of the extension, each role and each way to it; behind ``make test-servers``."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

import docgraph
from docgraph.bootstrap import setup_sql
from docgraph.errors import StoreError
from docgraph.settings import read_settings
from tests.servers import machines
from tests.servers.machines import Place, Server
from tests.servers.walk import Answer, Asked, ask, fill, walk

WHOLE = "DOCGRAPH_TEST_SERVERS"
pytestmark = [
    pytest.mark.heavy,
    pytest.mark.skipif(not os.environ.get(WHOLE), reason="make test-servers: every version, schema, role and pooler"),
]
SCHEMAS = ("public", "extensions")
ROLES = ("superuser", "may create", "given schemas", "given tables")
WAYS = ("direct", *(f"{mode} {place}" for place in ("oldest", "newest") for mode in ("transaction", "session")))
READS = 864


@pytest.fixture(scope="module", params=machines.VERSIONS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """A server of each version that this machine has."""
    programs = machines.programs_of(request.param)
    if programs is None:
        pytest.skip(f"no PostgreSQL {request.param} with pgvector here: {machines.PROGRAMS}=/folder/of/its/programs")
    with machines.server(programs) as made:
        made.execute("CREATE ROLE app LOGIN", "CREATE ROLE app_super LOGIN SUPERUSER", "CREATE ROLE viewer LOGIN")
        yield made


def pooler_of(place: str) -> Path:
    """The oldest PgBouncer here, or the newest where that is another one."""
    there = machines.poolers()
    versions = sorted(there, key=machines.numbers)
    if not versions or (place == "newest" and len(versions) < 2):
        pytest.skip(f"no {'second ' if versions else ''}PgBouncer here: {machines.POOLERS}=/path/to/one")
    return there[versions[0 if place == "oldest" else -1]]


def through(way: str, server: Server, undone: ExitStack, **settings: object) -> Place:
    """The server itself, or a pooler before it."""
    if way == "direct":
        return server
    mode, place = way.split()
    roles = ("postgres", "app", "app_super", "viewer")
    return undone.enter_context(machines.pooler(pooler_of(place), server.conninfo, mode=mode, roles=roles, **settings))


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    """The name of an empty database."""
    name = f"d{uuid.uuid4().hex}"
    server.execute(f"CREATE DATABASE {name}", database="postgres")
    yield name
    server.execute(f"DROP DATABASE {name} WITH (FORCE)", database="postgres")


def prepare(server: Server, database: str, *, schema: str, role: str, url: str) -> dict[str, object]:
    """The extension, and what the role may do; what ``walk`` has to leave out then."""
    if schema != "public":
        server.execute(f"CREATE SCHEMA {schema}", database=database)
    server.execute(f"CREATE EXTENSION vector SCHEMA {schema}", database=database)
    server.execute(f"GRANT USAGE ON SCHEMA {schema} TO app", database=database)
    if role == "may create":
        server.execute(f"GRANT CREATE ON DATABASE {database} TO app", database=database)
    if role.startswith("given"):
        with_tables = role == "given tables"
        script = setup_sql(read_settings(database_url=url), readers=("viewer",), with_tables=with_tables)
        server.execute(script, database=database)
        return {"may_make": False, "may_own": not with_tables}
    return {}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("schema", SCHEMAS)
def test_everything_is_done_right(
    server: Server, database: str, expected: Sequence[Answer], schema: str, role: str, way: str
) -> None:
    with ExitStack() as undone:
        place = through(way, server, undone)
        url = place.url("app_super" if role == "superuser" else "app", database)
        walk(url, expected, **prepare(server, database, schema=schema, role=role, url=url))  # type: ignore[arg-type]


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("way", WAYS)
def test_a_role_that_only_reads_reads(
    server: Server, database: str, expected: Sequence[Answer], schema: str, way: str
) -> None:
    with ExitStack() as undone:
        url = server.url("app", database)
        prepare(server, database, schema=schema, role="given schemas", url=url)
        with docgraph.connect(url) as dg:
            fill(dg)
        place = through(way, server, undone)
        with docgraph.connect(place.url("viewer", database), pool_size=3) as dg:
            assert ask(dg, expected, n=48) == Asked(48)
            assert not dg.may_write()
            with pytest.raises(StoreError, match="permission denied"):
                fill(dg, version=1)


@pytest.mark.parametrize("sessions", [2, 6])
@pytest.mark.parametrize("way", [each for each in WAYS if each.startswith("transaction")])
def test_no_answer_is_lost_or_taken_for_anothers(
    server: Server, database: str, expected: Sequence[Answer], way: str, sessions: int
) -> None:
    with ExitStack() as undone:
        place = through(way, server, undone, default_pool_size=sessions)
        with docgraph.connect(place.url("app_super", database), pool_size=6) as dg:
            fill(dg)
            assert ask(dg, expected, n=READS) == Asked(READS)


@pytest.mark.parametrize("way", WAYS)
def test_a_standby_answers_as_its_primary_does(
    server: Server, database: str, expected: Sequence[Answer], way: str
) -> None:
    with ExitStack() as undone:
        replica = undone.enter_context(machines.standby(server))
        read = through(way, replica, undone)
        write = through(way, server, undone)
        urls = [each.url("app_super", database) for each in (write, read)]
        with docgraph.connect(urls[0], read_database_url=urls[1], pool_size=3) as dg:
            for version in (1, 2, 0):
                fill(dg, version=version)
                assert dg.plan("queue").corpus_revision == dg.workspace.revision
            assert ask(dg, expected, n=48) == Asked(48)


def test_tls_that_the_server_does_not_speak_is_named(server: Server, database: str) -> None:
    with pytest.raises(StoreError, match=r"does not support SSL, but SSL was required.*speaks no TLS"):
        docgraph.connect(server.url("app_super", database, sslmode="require"))
