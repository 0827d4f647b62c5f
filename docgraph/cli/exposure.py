"""What of SECURITY.md's promises hangs on the set-up, and whether this one keeps it: ``docgraph doctor --security``."""

from __future__ import annotations

import ipaddress
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from pydantic import BaseModel

from docgraph.boundary.confined import walls
from docgraph.boundary.hosts import is_loopback
from docgraph.boundary.retrievers import parse_retrievers
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
LONGEST_HOURS = 24
"""A working day and a night; a sign-in that lasts longer is told."""
_EMBEDDED = "embedded, on a private socket, no port"
_QUOTAS = (
    ("uploads_mb_per_person", "uploads_mb_in_all", "the megabytes of uploads"),
    ("uploads_per_person", "uploads_in_all", "the uploads at once"),
    ("sockets_per_person", "sockets_in_all", "the open pages"),
)
"""Settings of one person and of everybody, with what they are about."""
_WALLS = {
    "limits": "has no limit of memory and processor time",
    "files": "can open other files",
    "calls": "can reach the network and start programs",
}
"""Wall of the process that reads hostile files → what it can do without that wall."""
_ON_LINUX = "run docgraph on Linux 5.13 or later with Landlock and seccomp, or import only files that you trust"
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
    for part in PARTS:
        faults = list(part.examine(settings))
        if not faults:
            yield Finding(name=part.name, ok=True, detail=part.holds(settings))
        for detail, hint in faults:
            yield Finding(name=part.name, ok=False, detail=detail, hint=hint)


Fault = tuple[str, str]
"""What does not hold, and what to do."""


@dataclass(frozen=True)
class Part:
    """One part of a set-up: what is amiss in it, and what is said where nothing is."""

    name: str
    examine: Callable[[Settings], Iterable[Fault]]
    holds: Callable[[Settings], str]


def is_open(settings: Settings) -> bool:
    """Whether other machines reach the dashboard: it listens on more than loopback, or a proxy asks it for them."""
    return not is_loopback(settings.host) or bool(settings.public_url or settings.allowed_hosts)


def _sign_in(settings: Settings) -> Iterator[Fault]:
    if is_open(settings) and not settings.oidc_metadata_url:
        yield (
            f"sign-in is off, and other machines can reach the dashboard ({_opened_by(settings)}): anyone "
            "who does can read every workspace and import documents",
            "set up sign-in (docs/people.md), or listen on 127.0.0.1 behind a proxy with a login",
        )


def _opened_by(settings: Settings) -> str:
    """The setting that lets other machines in, and what it says."""
    if settings.public_url:
        return f"DOCGRAPH_PUBLIC_URL={settings.public_url}"
    if settings.allowed_hosts and is_loopback(settings.host):
        return f"DOCGRAPH_ALLOWED_HOSTS={','.join(settings.allowed_hosts)}"
    return f"DOCGRAPH_HOST={settings.host}"


def _duration(settings: Settings) -> Iterator[Fault]:
    if settings.oidc_metadata_url and settings.sign_in_hours > LONGEST_HOURS:
        yield (
            f"a sign-in lasts {settings.sign_in_hours:g} hours (DOCGRAPH_SIGN_IN_HOURS): until then a browser "
            "left open gives access to anyone, and the identity provider is not consulted again",
            f"DOCGRAPH_SIGN_IN_HOURS=12, at most {LONGEST_HOURS}",
        )


def _metrics(settings: Settings) -> Iterator[Fault]:
    token = settings.metrics_token.get_secret_value() if settings.metrics_token else ""
    if token and _is_easy(token):
        yield "DOCGRAPH_METRICS_TOKEN is easy to guess", "make one: openssl rand -hex 32"
    if not token and not settings.oidc_metadata_url and is_open(settings):
        yield (
            "metrics are public to anyone who can reach the dashboard: sign-in is off, and there is no token",
            "DOCGRAPH_METRICS_TOKEN, from openssl rand -hex 32",
        )


def _quotas(settings: Settings) -> Iterator[Fault]:
    if not is_open(settings):
        return
    for one, everybody, what in _QUOTAS:
        mine, most = getattr(settings, one), getattr(settings, everybody)
        if settings.oidc_metadata_url and mine >= most:
            yield (
                f"one person can use up {what}: {mine:,} (DOCGRAPH_{one.upper()}) of {most:,}",
                f"less than DOCGRAPH_{everybody.upper()}={most} in DOCGRAPH_{one.upper()}",
            )
    memory = memory_mb()
    if memory is not None and settings.uploads_mb_in_all > memory / 2:
        yield (
            f"uploads may take {settings.uploads_mb_in_all:,} MB of memory; this machine has {memory:,} MB",
            f"DOCGRAPH_UPLOADS_MB_IN_ALL={max(memory // 4, 1)} or so, and less per person and page",
        )


def memory_mb() -> int | None:
    """Megabytes of memory of this machine; None where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 1_000_000
    except (AttributeError, ValueError, OSError):
        return None


def _is_easy(secret: str) -> bool:
    return len(set(secret)) < _FEW or any(word in secret.lower() for word in ("changeme", "secret", "docgraph"))


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
    if secret and _is_easy(secret):
        yield (
            "DOCGRAPH_COOKIE_SECRET is easy to guess: anyone who does can sign in as any user",
            "make one: openssl rand -hex 32",
        )


def _audit(settings: Settings) -> Iterator[Fault]:
    if settings.oidc_metadata_url and settings.audit_file is None:
        yield (
            "several people write, and the audit goes only to the log",
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
        if host and not is_loopback(host) and mode not in SAFE_MODES:
            yield (
                f"{name} speaks to {host} with sslmode={mode}: the connection may be unencrypted",
                f"sslmode=verify-full with sslrootcert= in {name}; at least require",
            )
        password = password or os.environ.get("PGPASSWORD", "")
        if password and (password.lower() in _EASY or password == user or len(password) < _FEW):
            yield f"the password in {name} is easy to guess", "make one: openssl rand -hex 24"
        if user == "postgres":
            yield (
                f"{name} signs in as postgres, which may do anything on that server",
                "a role of its own: docgraph db sql prints what an administrator runs",
            )


def _network(settings: Settings) -> Iterator[Fault]:
    wide = [each for each in settings.trusted_proxies if _is_wide(each)]
    if wide:
        yield (
            f"forwarding headers are trusted from {', '.join(wide)}: any host there can forge client addresses",
            "name the proxies in DOCGRAPH_TRUSTED_PROXIES, one address each",
        )
    public = urlsplit(settings.public_url or "")
    if public.scheme == "http" and not is_loopback(public.hostname or ""):
        yield "DOCGRAPH_PUBLIC_URL is http: cookies and documents are sent unencrypted", "serve it over https"


def _imports(settings: Settings) -> Iterator[Fault]:
    if settings.import_from_path and is_open(settings):
        yield (
            "import from a local path is on, and other machines can reach the dashboard",
            "DOCGRAPH_IMPORT_FROM_PATH=false: it is meant for visitors on this machine, and a proxy may look like one",
        )


def _called(settings: Settings) -> Iterator[Fault]:
    for name, what in _CALLED.items():
        url = urlsplit(getattr(settings, name) or "")
        if url.scheme == "http" and not is_loopback(url.hostname or ""):
            yield (
                f"DOCGRAPH_{name.upper()} sends {what} to {url.hostname} unencrypted",
                "an https address, or a tunnel that ends on this machine",
            )
    for name, url in _retrievers(settings):
        if url.scheme == "http" and not is_loopback(url.hostname or ""):
            yield f"the retriever {name} receives questions at {url.hostname} unencrypted", "an https address"
    if settings.otlp_endpoint and settings.trace_content:
        yield (
            "spans contain questions and document text (DOCGRAPH_TRACE_CONTENT)",
            "DOCGRAPH_TRACE_CONTENT=false, unless readers of the spans may read the documents",
        )


def _files(settings: Settings) -> Iterator[Fault]:
    if os.name != "posix":
        return
    if open_file := _first_open(settings.data_dir):
        yield f"other users of this machine can read {open_file}", f"chmod 700 {settings.data_dir}"
    audit = settings.audit_file
    if audit is not None and audit.exists() and audit.stat().st_mode & _OTHERS:
        yield f"other users of this machine can read the audit {audit}", f"chmod 600 {audit}"


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


def _hostile_files(settings: Settings) -> Iterator[Fault]:
    del settings
    if missing := " and ".join(what for wall, what in _WALLS.items() if wall not in walls.held()):
        yield f"the process that reads files of hostile formats {missing}", _ON_LINUX


def _process(settings: Settings) -> Iterator[Fault]:
    del settings
    if os.name == "posix" and os.geteuid() == 0:
        yield "docgraph runs as root", "run it as a user of its own; the image does (docs/containers.md)"


def _who_reads_metrics(settings: Settings) -> str:
    if settings.metrics_token:
        return "for who has DOCGRAPH_METRICS_TOKEN" + (", or signs in" if settings.oidc_metadata_url else "")
    return "for signed-in users" if settings.oidc_metadata_url else f"only this machine can reach {settings.host}"


PARTS = (
    Part(
        "sign-in",
        _sign_in,
        lambda s: "sign-in is on" if s.oidc_metadata_url else f"sign-in is off; only this machine can reach {s.host}",
    ),
    Part(
        "sign-in hours",
        _duration,
        lambda s: f"a sign-in lasts {s.sign_in_hours:g} hours, or until ended" if s.oidc_metadata_url else "none",
    ),
    Part(
        "roles",
        _roles,
        lambda s: (
            f"everybody else is {s.default_role}"
            if s.oidc_metadata_url
            else "no roles: every visitor may do everything"
        ),
    ),
    Part(
        "cookie",
        _cookie,
        lambda s: "signed by DOCGRAPH_COOKIE_SECRET" if s.cookie_secret else "signed by a secret created at each start",
    ),
    Part(
        "audit",
        _audit,
        lambda s: (
            f"every write is recorded in {s.audit_file}" if s.audit_file else "every write is recorded in the log"
        ),
    ),
    Part("metrics", _metrics, _who_reads_metrics),
    Part(
        "quotas",
        _quotas,
        lambda s: (
            f"uploads {s.uploads_mb_in_all:,} MB in total, {s.uploads_mb_per_person:,} per person; open pages "
            f"{s.sockets_in_all:,} in total, {s.sockets_per_person:,} per person"
        ),
    ),
    Part("database", _database, lambda s: "a server of your own" if s.database_url else _EMBEDDED),
    Part("network", _network, lambda s: f"listens on {s.host}, answers only to its own host names"),
    Part("path import", _imports, lambda s: "for visitors on this machine" if s.import_from_path else "off"),
    Part("other servers", _called, lambda s: f"called: {', '.join(_hosts(s))}" if _hosts(s) else "none"),
    Part("files", _files, lambda s: f"not readable by other users: {s.data_dir}"),
    Part("hostile files", _hostile_files, lambda s: "read by a process without other files, network and programs"),
    Part(
        "process",
        _process,
        lambda s: f"runs as uid {os.geteuid()}" if os.name == "posix" else f"runs on {sys.platform}",
    ),
)
"""Every part, in the order of SECURITY.md."""


def _hosts(settings: Settings) -> tuple[str, ...]:
    urls = [urlsplit(getattr(settings, name) or "") for name in _CALLED]
    hosts = [url.hostname for url in (*urls, *(url for _, url in _retrievers(settings))) if url.hostname]
    return tuple(dict.fromkeys(hosts))


def _retrievers(settings: Settings) -> Iterator[tuple[str, SplitResult]]:
    given = settings.retrievers.get_secret_value() if settings.retrievers else ""
    for name, url in parse_retrievers(given).items():
        yield name, urlsplit(url)


def _is_wide(proxy: str) -> bool:
    """Whether a network is larger than the house of one proxy: more than 65,536 addresses of IPv4, a /48 of IPv6."""
    try:
        network = ipaddress.ip_network(proxy, strict=False)
    except ValueError:
        return False
    return network.prefixlen < (16 if network.version == 4 else 48)
