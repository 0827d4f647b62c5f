"""What servers and poolers say when they let nobody in, each with its own way out."""

from __future__ import annotations

import psycopg
import pytest

from docgraph.plugins.stores.postgres.connections.failures import store_error
from docgraph.plugins.stores.postgres.connections.retries import is_full, is_lacking_statement

_TO = 'connection to server at "10.0.0.7", port 5432 failed: '
FULL = [
    _TO + "FATAL:  sorry, too many clients already",
    _TO + 'FATAL:  too many connections for role "app"',
    _TO + 'FATAL:  too many connections for database "does not exist"',
    _TO + "FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute",
    _TO + "FATAL:  no more connections allowed (max_client_conn)",
    _TO + "FATAL:  MaxClientsInSessionMode: max clients reached - in Session mode max clients are limited to pool_size",
    _TO + "FATAL:  Timed-out waiting to acquire database connection",
    "query_wait_timeout",
]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (_TO + "server does not support SSL, but SSL was required", "speaks no TLS"),
        (
            _TO + 'FATAL:  no pg_hba.conf entry for host "10.0.0.1", user "role", database "d", no encryption',
            "sslmode=require",
        ),
        (
            _TO + 'FATAL:  no pg_hba.conf entry for host "10.0.0.1", user "role", database "d", SSL encryption',
            "a line to pg_hba.conf",
        ),
        (_TO + 'FATAL:  pg_hba.conf rejects connection for host "10.0.0.1", user "u"', "a line to pg_hba.conf"),
        ('root certificate file "/home/me/.postgresql/root.crt" does not exist', "sslrootcert="),
        (_TO + "SSL error: certificate verify failed", "sslrootcert="),
        (_TO + "SSL error: certificate verify failed", "out of date"),
        (_TO + "SSL error: tlsv1 alert protocol version", "no version of TLS in common"),
        (_TO + "SSL error: unexpected eof while reading", "TLS could not be agreed on"),
        (_TO + "SSL error: tlsv1 alert unknown ca", "sslcert="),
        (_TO + "FATAL:  connection requires a valid client certificate", "sslcert="),
        (_TO + 'FATAL:  certificate authentication failed for user "app"', "sslcert="),
        (_TO + 'private key file "/a.key" has group or world access; file must have permissions 0600', "chmod 600"),
        (_TO + 'could not load private key file "/a.key": key values mismatch', "one pair"),
        ('connection is bad: weak sslmode "require" may not be used with sslrootcert=system', "verify-full"),
        ('connection is bad: invalid sslmode value: "verify"', "PGSSLMODE"),
        ("connection is bad: invalid SSL protocol version range", "PGSSLMODE"),
        ("connection failed: session is read-only", "target_session_attrs"),
        ('server certificate for "db.example" does not match host name "10.0.0.7"', "the name that it states"),
        ('could not translate host name "nowhere" to address: Name or service not known', "host of that name"),
        (_TO + "Connection refused\n\tIs the server running on that host?", "nothing listens there"),
        ("connection timeout expired", "firewall"),
        (_TO + "FATAL:  unsupported startup parameter: options", "ignore_startup_parameters"),
        (_TO + 'FATAL:  no such database: "x"', "comes from a pooler"),
        (_TO + 'FATAL:  role "app" is not permitted to log in', "user name and password"),
        (_TO + 'FATAL:  database "role" does not exist', "create the database first"),
        *((text, "has no connection left") for text in FULL),
    ],
)
def test_each_cause_has_its_own_way_out(text: str, hint: str) -> None:
    """Most were told to look after host and port, and "too many connections for role" after the password."""
    assert hint in store_error("open the database", psycopg.OperationalError(text)).hint


@pytest.mark.parametrize("text", FULL)
def test_a_server_that_has_no_connection_left_is_known_by_what_it_says(text: str) -> None:
    assert is_full(psycopg.OperationalError(text))
    assert not is_full(ValueError(text))


def test_what_somebody_stored_is_no_cause() -> None:
    """An error about data repeats them: nothing in them says anything of connections or statements."""
    error = psycopg.errors.UniqueViolation('Key (id)=(too many clients; "_pg3_0" prepared statement) already exists.')
    assert not is_full(error)
    assert not is_lacking_statement(error)
    assert "PREPARED" not in store_error("store", error).hint


@pytest.mark.parametrize(
    "error",
    [
        psycopg.errors.InvalidSqlStatementName('prepared statement "_pg3_0" does not exist'),
        psycopg.errors.DuplicatePreparedStatement('prepared statement "_pg3_0" already exists'),
        psycopg.errors.FeatureNotSupported("cached plan must not change result type"),
        psycopg.errors.ProtocolViolation("prepared statement did not exist"),
    ],
)
def test_a_statement_that_is_not_there_is_known(error: psycopg.Error) -> None:
    assert is_lacking_statement(error)
    assert not is_lacking_statement(psycopg.errors.FeatureNotSupported("no such feature"))
