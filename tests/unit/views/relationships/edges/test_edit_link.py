"""Edits in a link come back as they went in, and no text can do harm."""

from __future__ import annotations

import contextlib
import json
import zlib
from base64 import urlsafe_b64encode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docgraph.domain.edit import Edit
from docgraph.errors import RequestError
from docgraph.views.relationships.edges.edit_link import MAX_EDITS, MAX_LENGTH, packed_edits, unpacked_edits

KEY = ("queue", "explains", "slot")
names = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20)
edits = st.builds(
    Edit,
    action=st.sampled_from(["add", "remove", "retype", "flip", "retarget", "accept"]),
    key=st.tuples(names, names, names),
    relation_type=names,
    to_document_id=names,
    suggested=st.text(max_size=5),
)


def packed(value: Any) -> str:
    made = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return urlsafe_b64encode(made.compress(data) + made.flush()).decode().rstrip("=")


@given(st.lists(edits, min_size=1, max_size=5))
def test_edits_come_back_as_they_went_in_and_their_text_needs_no_escaping(given: list[Edit]) -> None:
    text = packed_edits(given)
    assert unpacked_edits(text) == tuple(given)
    assert text.replace("-", "").replace("_", "").isalnum()
    assert text.isascii()


def test_a_usual_link_is_short() -> None:
    assert len(packed_edits([Edit(action="retype", key=KEY, relation_type="implements")])) < 80
    many = [Edit(action="remove", key=(f"adr-{i:03}", "explains", f"guide-{i:03}")) for i in range(MAX_EDITS)]
    assert len(packed_edits(many)) < 2_000


def test_too_many_edits_and_too_long_ones_fit_into_no_link() -> None:
    with pytest.raises(RequestError, match="101 edits do not fit"):
        packed_edits([Edit(action="accept", key=KEY)] * 101)
    noise = [
        Edit(action="accept", key=(f"{i * 7919**40:x}"[:120], "t", f"{i * 104729**40:x}"[:120])) for i in range(1, 100)
    ]
    with pytest.raises(RequestError, match="too long for a link"):
        packed_edits(noise)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "=",
        "abc",
        "%00",
        "../../x",
        "ü",
        "a" * (MAX_LENGTH + 1),
        "A" * 400,
        packed([]),
        packed({}),
        packed("x"),
        packed([["remove", "a", "b"]]),
        packed([["explode", *KEY]]),
        packed([["retype", *KEY]]),
        packed([["remove", "", "b", "c"]]),
        packed([["remove", "a\n", "b", "c"]]),
        packed([["accept", *KEY, "\0"]]),
        packed([["remove", "a" * 600, "b", "c"]]),
        packed([["remove", 1, "b", "c"]]),
        packed([["remove", *KEY]] * 101),
        packed([["add", *KEY, "", "", "", ""]]),
        packed(b"[" * 100_000),
        packed(b"\xff\xfe"),
        packed(b" " * 10_000_000),
        packed([["remove", *KEY]])[:-3],
        packed([["remove", *KEY]]) + "AAAA",
    ],
)
def test_any_other_text_is_one_clear_refusal(text: str) -> None:
    with pytest.raises(RequestError, match="in this link") as refused:
        unpacked_edits(text)
    assert refused.value.hint
    assert len(refused.value.message) < 250


@given(st.text(max_size=60) | st.text("abcXYZ019-_", max_size=80))
def test_noise_never_breaks_anything(text: str) -> None:
    with contextlib.suppress(RequestError):
        assert 0 < len(unpacked_edits(text)) <= MAX_EDITS
