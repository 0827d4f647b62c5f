"""Forwarding headers: whoever is believed was named, and two that differ are not believed at all."""

from __future__ import annotations

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.boundary.hosts import FORWARDING, Asked, ContradictionError, asked_by, parse_address, parse_network

PROXIES = (ip_network("10.0.0.0/8"), ip_network("127.0.0.2"), ip_network("fd00::/8"))
NEAR = "10.0.0.1"


def _asked(peer: str = NEAR, **headers: str) -> Asked:
    return asked_by(peer, {name.replace("_", "-"): [value] for name, value in headers.items()}, PROXIES)


def _from(visitor: str, host: str = "", scheme: str = "") -> Asked:
    return Asked(ip_address(visitor), host, scheme)


@pytest.mark.parametrize("peer", ["203.0.113.9", "127.0.0.1", "::1", "::ffff:203.0.113.9"])
def test_a_peer_that_forwards_for_nobody_is_the_visitor(peer: str) -> None:
    asked = asked_by(peer, {}, PROXIES)
    assert asked == Asked(parse_address(peer))
    assert asked.visitor is not None


@pytest.mark.parametrize("peer", ["203.0.113.9", "127.0.0.1", "", "unix"])
@pytest.mark.parametrize("name", FORWARDING)
def test_a_peer_that_was_not_named_is_not_believed_and_nobody_knows_for_whom_it_asks(peer: str, name: str) -> None:
    """A proxy on this machine that nobody named would make every visitor local."""
    assert asked_by(peer, {name: ["127.0.0.1"]}, PROXIES) == Asked(None)


def test_a_named_proxy_that_says_nothing_leaves_the_visitor_unknown() -> None:
    assert _asked() == Asked(None)


@pytest.mark.parametrize(
    ("headers", "asked"),
    [
        ({"x_forwarded_for": "198.51.100.3"}, _from("198.51.100.3")),
        ({"x_forwarded_for": "127.0.0.1, 198.51.100.3"}, _from("198.51.100.3")),
        ({"x_forwarded_for": "127.0.0.1, 198.51.100.3, 10.9.9.9"}, _from("198.51.100.3")),
        ({"x_forwarded_for": "127.0.0.1"}, _from("127.0.0.1")),
        ({"x_forwarded_for": "10.9.9.9"}, _from("10.9.9.9")),
        ({"x_forwarded_for": "198.51.100.3:4711"}, _from("198.51.100.3")),
        ({"x_forwarded_for": "[2001:db8::1]:80"}, _from("2001:db8::1")),
        ({"x_forwarded_for": "2001:db8::1"}, _from("2001:db8::1")),
        ({"x_forwarded_for": "127.0.0.1, unknown"}, Asked(None)),
        ({"x_forwarded_for": "127.0.0.1,"}, Asked(None)),
        ({"x_forwarded_for": ""}, Asked(None)),
        ({"x_forwarded_host": "evil.example, docs.example"}, Asked(None, "docs.example")),
        (
            {"x_forwarded_for": "198.51.100.3", "x_forwarded_host": "docs.example", "x_forwarded_proto": "https"},
            _from("198.51.100.3", "docs.example", "https"),
        ),
        (
            {"x_forwarded_for": "127.0.0.1, 198.51.100.3, 10.9.9.9", "x_forwarded_host": "evil, docs.example, inner"},
            _from("198.51.100.3", "docs.example"),
        ),
        (
            {"x_forwarded_for": "1.1.1.1, 198.51.100.3", "x_forwarded_proto": "HTTPS"},
            _from("198.51.100.3", "", "https"),
        ),
        (
            {"forwarded": "for=198.51.100.3;host=docs.example;proto=https"},
            _from("198.51.100.3", "docs.example", "https"),
        ),
        ({"forwarded": 'for=127.0.0.1;host=evil, For="[2001:db8::1]:80";HOST="a:1"'}, _from("2001:db8::1", "a:1")),
        ({"forwarded": "for=127.0.0.1, for=198.51.100.3;host=a, for=10.9.9.9"}, _from("198.51.100.3", "a")),
        ({"forwarded": "for=127.0.0.1, for=_hidden"}, Asked(None)),
        ({"forwarded": "proto=wss", "x_forwarded_for": "198.51.100.3"}, _from("198.51.100.3", "", "https")),
    ],
)
def test_of_a_named_proxy_the_nearest_address_that_is_no_proxy_is_the_visitor(
    headers: dict[str, str], asked: Asked
) -> None:
    assert _asked(**headers) == asked


@pytest.mark.parametrize(
    "headers",
    [
        {"x_forwarded_for": "198.51.100.3", "forwarded": "for=127.0.0.1"},
        {"x_forwarded_for": "unknown", "forwarded": "for=127.0.0.1"},
        {"x_forwarded_for": "127.0.0.1", "forwarded": "for=_hidden"},
        {"x_forwarded_host": "docs.example", "forwarded": "host=evil.example"},
        {"x_forwarded_proto": "https", "forwarded": "proto=http"},
        {"x_forwarded_proto": "gopher"},
        {"forwarded": "for"},
        {"forwarded": 'for="127.0.0.1'},
        {"forwarded": "for=1.1.1.1;for=127.0.0.1"},
        {"forwarded": "for=1.1.1.1 for=127.0.0.1"},
    ],
)
def test_headers_that_contradict_each_other_or_cannot_be_read_are_refused(headers: dict[str, str]) -> None:
    """A client can send the form that its proxy does not set."""
    with pytest.raises(ContradictionError):
        _asked(**headers)


def test_a_header_that_comes_twice_is_one_list() -> None:
    asked = asked_by("::ffff:10.0.0.1", {"x-forwarded-for": ["127.0.0.1", "198.51.100.3"]}, PROXIES)
    assert asked == _from("198.51.100.3")


@given(
    st.dictionaries(st.sampled_from(FORWARDING), st.lists(st.text(max_size=40), max_size=3)),
    st.sampled_from([NEAR, ""]),
)
def test_whatever_the_headers_hold_there_is_an_answer_or_a_refusal(headers: dict[str, list[str]], peer: str) -> None:
    try:
        asked = asked_by(peer, headers, PROXIES)
    except ContradictionError:
        return
    assert asked.scheme in ("", "http", "https")


@pytest.mark.parametrize("text", ["10.0.0.1/8", "docs.example", "", "*", "10.0.0.0/33", "10.0.0"])
def test_what_is_no_network_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_network(text)
