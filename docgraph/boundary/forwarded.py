"""Who really asks behind proxies: forwarding headers are believed from named proxies, and from nobody else."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

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
