"""Which names a server answers to: ``Host`` and ``Origin`` of a request against the names that are its own."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
EVERY_ADDRESS = ("0.0.0.0", "::")
_HOST = re.compile(r"(\[[0-9a-f:.]{2,60}\]|[a-z0-9_](?:[a-z0-9._-]{0,252}))(?::([0-9]{1,5}))?", re.ASCII)
_ORIGIN = re.compile(r"(https?)://(.{1,300})", re.ASCII)
_DEFAULT_PORTS = {"http": 80, "https": 443}


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address; a name other than ``localhost`` is taken for the outside."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True)
class Host:
    """A host as a header names it: lower case, no trailing dot; no port means the default one of the scheme."""

    name: str
    port: int | None = None

    def at(self, scheme: str) -> tuple[str, int]:
        """The name and the port that is meant under a scheme."""
        return self.name, _DEFAULT_PORTS[scheme] if self.port is None else self.port


def parse_host(text: str) -> Host | None:
    """``name``, ``name:port``, ``[::1]:port``; None for everything else."""
    found = _HOST.fullmatch(text.lower())
    if found is None:
        return None
    port = int(found[2]) if found[2] else None
    return None if port is not None and not 0 < port < 65_536 else Host(found[1].rstrip("."), port)


def checked_names(value: object) -> object:
    """Host names out of a text with commas, each checked; what is no list is left. Raises ValueError for no name."""
    names = [name.strip() for name in value.split(",") if name.strip()] if isinstance(value, str) else value
    for name in names if isinstance(names, list | tuple) else ():
        if not isinstance(name, str) or parse_host(name) is None:
            raise ValueError(f"{str(name)[:60]!r} is no host name; give docs.example or docs.example:8443, no URL")
    return tuple(names) if isinstance(names, list) else names


def own_hosts(address: str, names: Iterable[str] = ()) -> tuple[Host, ...]:
    """This machine's loopback names, the address that is listened on unless it is every one, and ``names``."""
    given = [*LOOPBACK, *([] if address in EVERY_ADDRESS else [f"[{address}]" if ":" in address else address]), *names]
    return tuple(dict.fromkeys(host for name in given if (host := parse_host(name))))


def is_own_host(hosts: Sequence[str], own: Sequence[Host]) -> bool:
    """Whether the ``Host`` headers of a request are one, and name a host of one's own.

    A name without a port is allowed under each, as ports are mapped and forwarded; one with a port under that alone.
    """
    host = parse_host(hosts[0]) if len(hosts) == 1 else None
    return host is not None and any(host.name == each.name and each.port in (None, host.port) for each in own)


def is_own_origin(origins: Sequence[str], host: str, own: Sequence[Host]) -> bool:
    """Whether a page of one's own asks: no ``Origin`` (then it is no page), or one whose name and port are ``host``'s.

    Behind a proxy that asks under another name, an origin counts as well that ``own`` has, port included, beside the
    loopback names. ``null`` is nobody's.
    """
    if not origins:
        return True
    found = _ORIGIN.fullmatch(origins[0].lower()) if len(origins) == 1 else None
    origin, asked = parse_host(found[2]) if found else None, parse_host(host)
    if found is None or origin is None or asked is None:
        return False
    listed = [each for each in own if each.name not in LOOPBACK]
    return any(origin.at(found[1]) == each.at(found[1]) for each in (asked, *listed))


def is_own_fetch(site: str, mode: str, destination: str) -> bool:
    """Whether a request comes from a page of one's own, from no page, or is a person who follows a link.

    The three are what a browser says of it (``Sec-Fetch-Site``, ``-Mode``, ``-Dest``; empty where it says nothing). It
    is the only sign of a foreign page that loads a picture, a script or a frame: those bring no ``Origin``.
    """
    follows_link = mode == "navigate" and destination == "document"
    return site in ("", "none", "same-origin") or follows_link
