"""Which names a server answers to: ``Host`` and ``Origin`` of a request against the names that are its own."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

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
            raise ValueError(f"{str(name)[:60]!r} is not a host name; give docs.example or docs.example:8443, no URL")
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


Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

FOR, HOST, PROTO, STANDARD = "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "forwarded"
FORWARDING = (FOR, HOST, PROTO, STANDARD, "x-forwarded-port", "x-forwarded-prefix", "x-forwarded-server", "x-real-ip")
"""Headers by which a proxy says for whom it asks; the first four are read, the others only taken away."""

_PORT = re.compile(r"(?P<v4>[0-9.]+):[0-9]{1,5}|\[(?P<v6>[0-9a-fA-F:.]+)\](?::[0-9]{1,5})?", re.ASCII)
_PAIR = re.compile(r'\s*([A-Za-z]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;,"]*)\s*', re.ASCII)


class ContradictionError(ValueError):
    """Two forwarding headers of one request say different things, or one cannot be read."""


@dataclass(frozen=True)
class Asked:
    """What is known of a request: ``visitor`` is None when nobody who is believed says who asks.

    ``host`` and ``scheme`` are those the visitor asked with, where a named proxy says so.
    """

    visitor: Address | None
    host: str = ""
    scheme: str = ""


@dataclass(frozen=True)
class _Hop:
    """What one proxy says of the request that it received."""

    visitor: str = ""
    host: str = ""
    scheme: str = ""


def checked_networks(given: object) -> object:
    """Addresses and networks, one text with commas or several, as a tuple. Raises ValueError for what is none."""
    parts = [part.strip() for part in given.split(",") if part.strip()] if isinstance(given, str) else given
    for each in parts if isinstance(parts, list | tuple) else ():
        try:
            parse_network(str(each))
        except ValueError:
            raise ValueError(
                f"{str(each)[:60]!r} is neither an address nor a network; give 10.0.0.7 or 10.0.0.0/8, no name"
            ) from None
    return tuple(parts) if isinstance(parts, list) else parts


def parse_network(text: str) -> Network:
    """``10.0.0.7``, ``10.0.0.0/8``, ``fd00::/8``. Raises ValueError, also for an address with bits beside its mask."""
    return ipaddress.ip_network(text.strip())


def parse_address(text: str) -> Address | None:
    """An address, with or without a port; an IPv4 address in IPv6 dress is that IPv4 address. None for all else."""
    with_port = _PORT.fullmatch(text)
    try:
        address = ipaddress.ip_address((with_port["v4"] or with_port["v6"]) if with_port else text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def asked_by(peer: str, headers: Mapping[str, Sequence[str]], proxies: Sequence[Network]) -> Asked:
    """Who asks: ``peer`` is the socket's other end, ``headers`` those of ``FORWARDING`` by lower-case name.

    From right to left, as each proxy adds what it saw: the first address that is no named proxy is the visitor. A peer
    that is no named proxy is the visitor, unless it forwards for somebody: then nobody knows. Raises
    ContradictionError.
    """
    given = {name: values for name in FORWARDING if (values := headers.get(name))}
    address = parse_address(peer)
    if not _is_named(address, proxies):
        return Asked(None if given else address)
    forms = [hops for hops in (_from_x_headers(given), _from_standard(given.get(STANDARD, ()))) if hops]
    return _merged([_believed(hops, proxies) for hops in forms], [any(hop.visitor for hop in hops) for hops in forms])


def _merged(found: Sequence[Asked], say_who: Sequence[bool]) -> Asked:
    """What the forms say together: a client can send the one that its proxy does not set, so they have to agree."""
    visitors = {asked.visitor for asked, says in zip(found, say_who, strict=True) if says}
    hosts = {asked.host.lower() for asked in found} - {""}
    schemes = {asked.scheme for asked in found} - {""}
    if len(visitors) > 1 or len(hosts) > 1 or len(schemes) > 1:
        raise ContradictionError("Forwarded and X-Forwarded-* say different things")
    return Asked(next(iter(visitors), None), next(iter(hosts), ""), next(iter(schemes), ""))


def _is_named(address: Address | None, proxies: Sequence[Network]) -> bool:
    return address is not None and any(address in network for network in proxies)


def _believed(hops: Sequence[_Hop], proxies: Sequence[Network]) -> Asked:
    """The last hop was written by the peer, each before it by the address that the one behind it names."""
    visitor, host, scheme = None, "", ""
    for hop in reversed(hops):
        visitor, host, scheme = parse_address(hop.visitor), hop.host or host, hop.scheme or scheme
        if not _is_named(visitor, proxies):
            break
    return Asked(visitor, host, scheme)


def _from_x_headers(given: Mapping[str, Sequence[str]]) -> list[_Hop] | None:
    visitors, hosts, schemes = (_listed(given.get(name, ())) for name in (FOR, HOST, PROTO))
    n = max(len(visitors), 1)
    if not (visitors or hosts or schemes):
        return None
    # A proxy that sets instead of adding leaves one value: then it is the nearest one's.
    rows = [values if len(values) == n else [""] * (n - 1) + values[-1:] for values in (visitors, hosts, schemes)]
    return [_hop(*(row[i] if i < len(row) else "" for row in rows)) for i in range(n)]


def _listed(values: Sequence[str]) -> list[str]:
    return [part.strip() for value in values for part in value.split(",")]


def _from_standard(values: Sequence[str]) -> list[_Hop] | None:
    """RFC 7239: ``for=192.0.2.60;host=docs.example;proto=https, for="[2001:db8::1]:80"``."""
    return [_element(element) for value in values for element in _elements(value)] if values else None


def _elements(value: str) -> list[dict[str, str]]:
    elements: list[dict[str, str]] = [{}]
    at = 0
    while at < len(value):
        found = _PAIR.match(value, at)
        if found is None or found[1].lower() in elements[-1]:
            raise ContradictionError("the Forwarded header cannot be read")
        text = re.sub(r"\\(.)", r"\1", found[2][1:-1]) if found[2].startswith('"') else found[2]
        elements[-1][found[1].lower()] = text
        at = found.end()
        if at < len(value) and value[at] == ",":
            elements.append({})
        elif at < len(value) and value[at] != ";":
            raise ContradictionError("the Forwarded header cannot be read")
        at += 1
    return elements


def _element(pairs: Mapping[str, str]) -> _Hop:
    return _hop(pairs.get("for", ""), pairs.get("host", ""), pairs.get("proto", ""))


def _hop(visitor: str, host: str, scheme: str) -> _Hop:
    scheme = {"ws": "http", "wss": "https"}.get(scheme.lower(), scheme.lower())
    if scheme not in ("", "http", "https"):
        raise ContradictionError("a forwarding header names a protocol that is neither http nor https")
    return _Hop(visitor, host, scheme)
