"""What of SECURITY.md's promises hangs on the set-up, and whether this one keeps it: ``docgraph doctor --security``."""

from __future__ import annotations

import ipaddress
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from pydantic import BaseModel

from docgraph.settings import Settings


class Finding(BaseModel):
    """One part of a set-up: whether it is in order, what was found, and what to do when it is not."""

    name: str
    ok: bool
    detail: str
    hint: str = ""


SAFE_MODES = ("verify-full", "verify-ca", "require")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_OTHERS_READ = stat.S_IRGRP | stat.S_IROTH
_OTHERS_ENTER = stat.S_IXGRP | stat.S_IXOTH
_MOST_FILES = 10_000
_FEW = 10
"""Different characters that a secret has at least; fewer are a pattern, or a word that somebody repeated."""
_EASY = frozenset(
    ("docgraph", "postgres", "password", "passwort", "secret", "admin", "changeme", "test", "root", "123456")
)
_CALLED = {
    "embedder_url": "every chunk and question",
    "summarizer_url": "texts of documents",
    "reranker_url": "chunks and questions",
    "rewriter_url": "what people type",
    "otlp_endpoint": "spans",
    "oidc_metadata_url": "sign-ins",
}
"""Settings that name another server, with what it receives."""


def exposure(settings: Settings) -> Iterator[Finding]:
    """Every promise that hangs on the set-up, in the order of SECURITY.md. Opens no connection and changes nothing."""
    for name, examine in _EXAMINED:
        faults = list(examine(settings))
        if not faults:
            yield Finding(name=name, ok=True, detail=_HOLDS[name](settings))
        for detail, hint in faults:
            yield Finding(name=name, ok=False, detail=detail, hint=hint)


Fault = tuple[str, str]
"""What does not hold, and what to do."""


def is_open(settings: Settings) -> bool:
    """Whether other machines reach the dashboard: it listens on more than loopback, or a proxy asks it for them."""
    return not _is_this_machine(settings.host) or bool(settings.public_url or settings.allowed_hosts)


def _sign_in(settings: Settings) -> Iterator[Fault]:
    if is_open(settings) and not settings.oidc_metadata_url:
        where = settings.public_url or (f"DOCGRAPH_HOST={settings.host}" if settings.host else "")
        yield (
            f"nobody signs in, and other machines reach the dashboard ({where or 'DOCGRAPH_ALLOWED_HOSTS'}): whoever "
            "does reads every workspace and imports documents",
            "set up sign-in (docs/people.md), or listen on 127.0.0.1 behind a proxy with a login",
        )


def _roles(settings: Settings) -> Iterator[Fault]:
    if not settings.oidc_metadata_url:
        return
    if settings.default_role in ("admin", "curator"):
        yield (
            f"everybody with an account at the identity provider is {settings.default_role}",
            "DOCGRAPH_DEFAULT_ROLE=viewer, or none, and name people in DOCGRAPH_CURATORS and DOCGRAPH_ADMINS",
        )
    if not settings.admins and not settings.role_claim and settings.default_role != "admin":
        yield "nobody is an admin", "DOCGRAPH_ADMINS=ann@docs.example"


def _cookie(settings: Settings) -> Iterator[Fault]:
    secret = settings.cookie_secret.get_secret_value() if settings.cookie_secret else ""
    if secret and (
        len(set(secret)) < _FEW or any(word in secret.lower() for word in ("changeme", "secret", "docgraph"))
    ):
        yield (
            "DOCGRAPH_COOKIE_SECRET is easy to guess: whoever does signs in as anybody",
            "make one: openssl rand -hex 32",
        )


def _audit(settings: Settings) -> Iterator[Fault]:
    if settings.oidc_metadata_url and settings.audit_file is None:
        yield (
            "several people write, and the audit goes to the log alone",
            "DOCGRAPH_AUDIT_FILE=/var/log/docgraph/audit.jsonl",
        )


def _database(settings: Settings) -> Iterator[Fault]:
    for name, secret in (
        ("DOCGRAPH_DATABASE_URL", settings.database_url),
        ("DOCGRAPH_READ_DATABASE_URL", settings.read_database_url),
    ):
        if secret is None:
            continue
        url = urlsplit(secret.get_secret_value())
        host, user, password = url.hostname or "", unquote(url.username or ""), unquote(url.password or "")
        mode = parse_qs(url.query).get("sslmode", [os.environ.get("PGSSLMODE") or "prefer"])[-1]
        if host and not _is_this_machine(host) and mode not in SAFE_MODES:
            yield (
                f"{name} speaks to {host} with sslmode={mode}: it may go on in the clear",
                f"sslmode=verify-full with sslrootcert= in {name}; require at the least",
            )
        password = password or os.environ.get("PGPASSWORD", "")
        if password and (password.lower() in _EASY or password == user or len(password) < _FEW):
            yield f"the password in {name} is easy to guess", "make one: openssl rand -hex 24"
        if user == "postgres":
            yield (
                f"{name} signs in as postgres, who may do everything on that server",
                "a role of its own: docgraph db sql prints what an administrator runs",
            )


def _network(settings: Settings) -> Iterator[Fault]:
    wide = [each for each in settings.trusted_proxies if _is_wide(each)]
    if wide:
        yield (
            f"forwarding headers are believed from {', '.join(wide)}: whoever is in there says who asks",
            "name the proxies in DOCGRAPH_TRUSTED_PROXIES, one address each",
        )
    public = urlsplit(settings.public_url or "")
    if public.scheme == "http" and not _is_this_machine(public.hostname or ""):
        yield "DOCGRAPH_PUBLIC_URL is http: cookies and documents go in the clear", "serve it over https"


def _imports(settings: Settings) -> Iterator[Fault]:
    if settings.import_from_path and is_open(settings):
        yield (
            "import from a path of this machine is on, and other machines reach the dashboard",
            "DOCGRAPH_IMPORT_FROM_PATH=false: it is offered to visitors at this machine, and a proxy may pass for one",
        )


def _called(settings: Settings) -> Iterator[Fault]:
    for name, what in _CALLED.items():
        url = urlsplit(getattr(settings, name) or "")
        if url.scheme == "http" and not _is_this_machine(url.hostname or ""):
            yield (
                f"DOCGRAPH_{name.upper()} sends {what} to {url.hostname} in the clear",
                "an https address, or a tunnel that ends on this machine",
            )
    for name, url in _retrievers(settings):
        if url.scheme == "http" and not _is_this_machine(url.hostname or ""):
            yield f"the retriever {name} receives questions at {url.hostname} in the clear", "an https address"
    if settings.otlp_endpoint and settings.trace_content:
        yield (
            "spans hold questions and texts of documents (DOCGRAPH_TRACE_CONTENT)",
            "DOCGRAPH_TRACE_CONTENT=false, unless who reads the spans may read the documents",
        )


def _files(settings: Settings) -> Iterator[Fault]:
    if os.name != "posix":
        return
    if open_file := _first_open(settings.data_dir):
        yield f"others on this machine may read {open_file}", f"chmod 700 {settings.data_dir}"
    audit = settings.audit_file
    if audit is not None and audit.exists() and audit.stat().st_mode & _OTHERS:
        yield f"others on this machine may read the audit {audit}", f"chmod 600 {audit}"


def _first_open(folder: Path) -> Path | None:
    """A file with something in it that others may read, of the first 10,000 that they reach; None: there is none."""
    waiting, left = [folder], _MOST_FILES
    while waiting and left:
        here = waiting.pop()
        try:
            if not here.stat().st_mode & _OTHERS_ENTER:
                continue
            entries = sorted(here.iterdir())
        except OSError:
            continue
        for each in entries[:left]:
            left -= 1
            found = each.lstat()
            mode = found.st_mode
            if stat.S_ISDIR(mode):
                waiting.append(each)
            elif stat.S_ISREG(mode) and found.st_size and mode & _OTHERS_READ:
                return each
    return None


def _process(settings: Settings) -> Iterator[Fault]:
    del settings
    if os.name == "posix" and os.geteuid() == 0:
        yield "docgraph runs as root", "run it as a user of its own; the image does (docs/containers.md)"


_EXAMINED: tuple[tuple[str, Callable[[Settings], Iterable[Fault]]], ...] = (
    ("sign-in", _sign_in),
    ("roles", _roles),
    ("cookie", _cookie),
    ("audit", _audit),
    ("database", _database),
    ("network", _network),
    ("path import", _imports),
    ("other servers", _called),
    ("files", _files),
    ("process", _process),
)
_HOLDS: dict[str, Callable[[Settings], str]] = {
    "sign-in": lambda s: (
        "people sign in" if s.oidc_metadata_url else f"nobody signs in; only this machine reaches {s.host}"
    ),
    "roles": lambda s: (
        f"everybody else is {s.default_role}" if s.oidc_metadata_url else "no roles: who is here does everything"
    ),
    "cookie": lambda s: (
        "signed by DOCGRAPH_COOKIE_SECRET" if s.cookie_secret else "signed by a secret that each start makes anew"
    ),
    "audit": lambda s: (
        f"every write leaves a line in {s.audit_file}" if s.audit_file else "every write leaves a line in the log"
    ),
    "database": lambda s: "a server of your own" if s.database_url else "embedded, on a private socket, no port",
    "network": lambda s: f"listens on {s.host}, answers under its own names alone",
    "path import": lambda s: "for visitors at this machine" if s.import_from_path else "off",
    "other servers": lambda s: f"called: {', '.join(_hosts(s))}" if _hosts(s) else "none is called",
    "files": lambda s: f"closed to others: {s.data_dir}",
    "process": lambda s: f"runs as uid {os.geteuid()}" if os.name == "posix" else f"runs on {sys.platform}",
}
"""What is said of a part in which nothing is amiss."""


def _hosts(settings: Settings) -> tuple[str, ...]:
    urls = [urlsplit(getattr(settings, name) or "") for name in _CALLED]
    hosts = [url.hostname for url in (*urls, *(url for _, url in _retrievers(settings))) if url.hostname]
    return tuple(dict.fromkeys(hosts))


def _retrievers(settings: Settings) -> Iterator[tuple[str, SplitResult]]:
    given = settings.retrievers.get_secret_value() if settings.retrievers else ""
    for each in given.split(","):
        name, _, url = each.strip().partition("=")
        if url:
            yield name, urlsplit(url)


def _is_this_machine(host: str) -> bool:
    name = host.strip("[]").lower()
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def _is_wide(proxy: str) -> bool:
    """Whether a network is larger than the house of one proxy: more than 65,536 addresses of IPv4, a /48 of IPv6."""
    try:
        network = ipaddress.ip_network(proxy, strict=False)
    except ValueError:
        return False
    return network.prefixlen < (16 if network.version == 4 else 48)
