"""What a server or a pooler says when it lets nobody in, and what to do about each: a text is all that it sends."""

from __future__ import annotations

import re

_URL = "DOCGRAPH_DATABASE_URL"
_CAUSES = (
    (
        r"does not support SSL, but SSL was required",
        f"the server speaks no TLS: switch it on there (ssl = on), or take sslmode out of {_URL} where the way is safe",
    ),
    (
        r"pg_hba\.conf entry for .*(?:no encryption|SSL off)",
        f"the server lets this role in over TLS only, or not from here: add sslmode=require to {_URL}, or let its "
        "administrator add a line to pg_hba.conf",
    ),
    (
        r"no pg_hba\.conf entry|pg_hba\.conf rejects",
        "the server does not let this role into this database from here: its administrator adds a line to pg_hba.conf",
    ),
    (
        r"root certificate file .* does not exist|could not read root certificate",
        f"sslmode in {_URL} asks for a certificate to check against: name its file with sslrootcert=, or take "
        "sslrootcert=system",
    ),
    (
        r"connection requires a valid client certificate|certificate authentication failed|alert unknown ca"
        r"|alert bad certificate|alert certificate (?:required|expired|unknown)|alert handshake failure",
        "the server asks for a certificate of this role that it knows: name it with sslcert= and its key with sslkey= "
        f"in {_URL}",
    ),
    (
        r"private key file|could not read certificate file|could not load .*certificate",
        f"certificate (sslcert=) and key (sslkey=) in {_URL} have to be one pair that this user may read, and the key "
        "nobody else (chmod 600)",
    ),
    (
        r"certificate verify failed|self.signed certificate|unable to get local issuer",
        f"nobody known here has signed the server's certificate, or it is out of date: name the authority's file with "
        f"sslrootcert= in {_URL}, or let the server's administrator renew it",
    ),
    (
        r"server certificate for .* does not match host name",
        f"the certificate is of another host: give in {_URL} the host by the name that it states",
    ),
    (
        r"weak sslmode",
        f"the system's authorities go with a check of the host only: sslmode=verify-full in {_URL}",
    ),
    (
        r"invalid \w+ value|invalid SSL protocol version|invalid connection option|invalid integer value",
        f"correct it in {_URL} (or in the environment: PGSSLMODE and its like)",
    ),
    (
        r"alert protocol version|unsupported protocol|no protocols available",
        f"server and client have no version of TLS in common: see ssl_min_protocol_version in {_URL}, and there",
    ),
    (
        r"session is (?:not )?read-only|server is (?:not )?in hot standby mode",
        f"target_session_attrs in {_URL} asks for another kind of server: primary or standby",
    ),
    (
        r"server refused SSL|SSL error|SSL SYSCALL|SSL negotiation",
        f"TLS could not be agreed on: check sslmode in {_URL}, and what stands between (a proxy, a pooler)",
    ),
    (
        r"could not translate host name|Name or service not known|nodename nor servname|failed to resolve host",
        f"nobody knows a host of that name: correct it in {_URL}",
    ),
    (
        r"Connection refused|No such file or directory",
        "nothing listens there: is the server running, and are host and port right? docgraph doctor shows where it "
        "looks",
    ),
    (
        r"timeout expired|timed out|No route to host|Network is unreachable",
        "nothing answers there: host and port may be wrong, or a firewall stands between",
    ),
    (
        r"unsupported startup parameter",
        f"the pooler takes no such parameter: take options= out of {_URL}, or let the pooler ignore it "
        "(ignore_startup_parameters)",
    ),
    (
        r"transaction blocks not allowed in statement pooling mode",
        "the pooler ends a session with every statement; docgraph needs whole transactions: pool_mode = transaction",
    ),
    (
        r"no such (?:database|user)|server login failed|server_login_retry|cannot connect to server|connect failed",
        "the message comes from a pooler: check what it knows of database, role and server",
    ),
    (
        r"prepared statement",
        "sessions are shared by something between docgraph and the server: set DOCGRAPH_PREPARED_STATEMENTS=off",
    ),
    (
        r"FATAL: +permission denied for database",
        "let a database administrator GRANT CONNECT on it to this role (docgraph db sql prints all that a role needs)",
    ),
    (
        r"permission denied for database",
        "let a database administrator run what docgraph db sql prints, or GRANT CREATE ON DATABASE to this role",
    ),
    (
        r"permission denied for schema",
        "let the owner of the schema GRANT USAGE on it to this role (docgraph db sql prints what a role needs)",
    ),
)
_KNOWN = tuple((re.compile(pattern, re.IGNORECASE), hint) for pattern, hint in _CAUSES)


def hint_of(text: str) -> str:
    """What to do about what is said; empty where it says nothing known."""
    return next((hint for pattern, hint in _KNOWN if pattern.search(text)), "")
