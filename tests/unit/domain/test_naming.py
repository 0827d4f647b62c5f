"""What documents are called, and which of these names a question holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from docgraph.domain.naming import (
    MAX_NAME_WORDS,
    MAX_QUESTION,
    MAX_SHARED,
    called,
    name_key,
    name_keys,
    named_among,
    names_in,
)
from tests.builders import prepared

DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "eips/eip-3074.md": ("EIP-3074: AUTH and AUTHCALL opcodes", {}),
    "decisions/adr-014-bounded-queue.md": ("ADR-014: Bounded queue", {}),
    "notifier": ("Notifier", {}),
    "keps/sig-node/2433": ("Topology aware hints", {"aliases": ["KEP 2433", "TAH"], "alias": "zone hints"}),
    "guide": ("Writing decisions", {}),
    "long": ("Writing decisions about queues", {}),
}


def named(question: str, documents: dict[str, tuple[str, dict[str, Any]]] = DOCUMENTS) -> dict[str, str]:
    """document_id → the words of the question that name it, by a search over all keys of these documents."""
    held: dict[str, list[str]] = {}
    for document_id, (title, metadata) in documents.items():
        for key in name_keys(document_id, title, metadata):
            held.setdefault(key, []).append(document_id)
    return called(names_in(question), held)


@pytest.mark.parametrize(
    ("question", "document_id", "words"),
    [
        ("why was EIP-3074 withdrawn?", "eips/eip-3074.md", "EIP-3074"),
        ("why was eip3074 withdrawn?", "eips/eip-3074.md", "eip3074"),
        ("why was EIP 3074 withdrawn?", "eips/eip-3074.md", "EIP 3074"),
        ("what says ADR 14", "decisions/adr-014-bounded-queue.md", "ADR 14"),
        ("what says adr_0014", "decisions/adr-014-bounded-queue.md", "adr_0014"),
        ("open decisions/adr-014-bounded-queue.md", "decisions/adr-014-bounded-queue.md", ""),
        ("open adr-014-bounded-queue", "decisions/adr-014-bounded-queue.md", "adr-014-bounded-queue"),
        ("is a bounded queue enough?", "decisions/adr-014-bounded-queue.md", "bounded queue"),
        ("status of kep 2433", "keps/sig-node/2433", "kep 2433"),
        ("how do zone hints work", "keps/sig-node/2433", "zone hints"),
        ("how does TAH work", "keps/sig-node/2433", "TAH"),
        ("what does the Notifier do?", "notifier", "Notifier"),
        ("What is “Notifier”?", "notifier", "Notifier"),
        ("WRITING  decisions", "guide", "WRITING  decisions"),
    ],
)
def test_a_document_is_found_by_id_number_alias_and_title(question: str, document_id: str, words: str) -> None:
    assert named(question) == {document_id: words or question.removeprefix("open ")}


@pytest.mark.parametrize(
    "question",
    [
        "what does the notifier do?",
        "Notifier does what?",
        "It failed. Notifier does what?",
        "Who sends it: Notifier or mail?",
        "3074 of 14",
        "2433",
        "EIP 30740",
        "EIP-307",
        "an unbounded queue",
        "the queue is bounded",
        "writing of decisions",
        "",
    ],
)
def test_what_only_resembles_a_name_names_nothing(question: str) -> None:
    """A plain word without a capital or with that of its sentence, a number alone, other words in between."""
    assert named(question) == {}


def test_a_name_inside_a_longer_one_names_nothing() -> None:
    assert named("about writing decisions about queues") == {"long": "writing decisions about queues"}
    assert named("writing decisions, and ADR 14") == {
        "guide": "writing decisions",
        "decisions/adr-014-bounded-queue.md": "ADR 14",
    }


def test_of_two_names_that_overlap_the_longer_one_counts_then_the_first() -> None:
    overlapping = {"x": ("queue limit rules", {}), "y": ("the queue limit", {}), "z": ("limit rules apply now", {})}
    assert named("the queue limit rules", overlapping) == {"y": "the queue limit"}
    assert named("queue limit rules apply now", overlapping) == {"z": "limit rules apply now"}


def test_documents_stand_in_the_order_of_the_question_and_share_a_name_by_id() -> None:
    twins = DOCUMENTS | {"b": ("Storm day", {}), "a": ("Storm day", {})}
    assert list(named("Storm day or EIP 3074 or storm day", twins)) == ["a", "b", "eips/eip-3074.md"]


@pytest.mark.parametrize(("n", "found"), [(MAX_SHARED, MAX_SHARED), (MAX_SHARED + 1, 0)])
def test_a_name_that_many_documents_share_names_none_of_them(n: int, found: int) -> None:
    same = {f"d{i}": ("Meeting notes", {}) for i in range(n)}
    assert len(named("read the meeting notes", same)) == found


def test_a_name_inside_one_that_too_many_share_still_counts() -> None:
    same = {f"d{i}": ("ADR 14 meeting notes", {}) for i in range(MAX_SHARED + 1)} | {"adr-014": ("", {})}
    del same["d3"]
    assert len(named("ADR 14 meeting notes", same)) == MAX_SHARED
    same["d3"] = ("ADR 14 meeting notes", {})
    assert named("the notes adr-014", {"adr-014": ("", {})}) == {"adr-014": "adr-014"}


@pytest.mark.parametrize(
    "metadata",
    [
        {"aliases": "queue words"},
        {"alias": ["queue words"]},
        {"aliases": ("x", None, 3, {"a": 1}, ["nested"], "queue words")},
    ],
)
def test_aliases_are_a_word_or_a_list_and_anything_else_in_them_is_left_alone(metadata: dict[str, Any]) -> None:
    assert "queue words" in name_keys("d", "", metadata)


def test_hostile_aliases_give_a_bounded_number_of_keys() -> None:
    many = {"aliases": [f"alias number {i}" for i in range(100_000)], "alias": {"not": "text"}}
    assert len(name_keys("d", "t", many)) <= 102
    assert name_keys("d", "", {"aliases": ["word " * 100_000]}) == name_keys("d", "", {})


def test_a_title_of_too_many_words_is_no_name() -> None:
    words = [f"w{chr(97 + i)}" for i in range(MAX_NAME_WORDS + 1)]
    assert name_key(" ".join(words)) == ""
    assert name_key(" ".join(words[:-1])) == " ".join(words[:-1])


def test_the_dot_of_a_number_begins_no_ending_of_a_file() -> None:
    """``release-1.2`` and ``release-1.10`` are two releases, not twice ``release-1``."""
    releases = {"release-1.2": ("", {}), "release-1.10": ("", {})}
    assert named("what came with release 1.10", releases) == {"release-1.10": "release 1.10"}
    assert named("what came with release 1", releases) == {}


def test_a_number_of_parts_is_one_number() -> None:
    """``CVE-2024-1234: Overflow`` is not called ``CVE-2024``, nor is what came in March all that came in 2026."""
    documents = {"a": ("CVE-2024-1234: Overflow of the queue", {}), "postmortem-2026-03-gap": ("", {})}
    assert named("is CVE 2024-1234 closed", documents) == {"a": "CVE 2024-1234"}
    assert named("is the overflow of the queue closed", documents) == {"a": "overflow of the queue"}
    assert named("CVE-2024 and postmortem 2026", documents) == {}


def test_names_beyond_the_beginning_of_a_very_long_question_are_not_looked_for() -> None:
    assert named("word " * (MAX_QUESTION // 5) + "EIP-3074") == {}
    assert len(names_in("a1 " * 100_000)) <= MAX_QUESTION * MAX_NAME_WORDS


def test_lists_of_documents_are_searched_as_one_by_one() -> None:
    stored = [prepared(i, ["x"], title=title).document for i, (title, _) in reversed(DOCUMENTS.items())]
    found = named_among(["eip 3074", "'notifier", "unknown", "writing decisions"], stored)
    assert found == {"'notifier": ("notifier",), "eip 3074": ("eips/eip-3074.md",), "writing decisions": ("guide",)}


# ---------------------------------------------------------------- laws

ANY = st.text(max_size=40)
WORDS = st.lists(st.from_regex(r"[a-z]{2,8}|[0-9]{1,4}", fullmatch=True), min_size=2, max_size=6).map(" ".join)


@given(ANY, ANY, st.dictionaries(st.sampled_from(["alias", "aliases", "x"]), st.lists(ANY, max_size=3) | ANY))
def test_any_text_gives_sorted_keys_without_an_empty_one(i: str, title: str, metadata: dict[str, Any]) -> None:
    keys = name_keys(i, title, metadata)
    assert keys == tuple(sorted(set(keys)))
    assert "" not in keys
    assert all("\x00" not in key for key in keys)


@given(ANY)
@example("½ ² ٣ ﬁ İ Ⅷ")
def test_every_stretch_of_a_question_has_the_key_of_its_own_words(question: str) -> None:
    namings = names_in(question)
    assert all(question[n.start : n.end] == n.text and name_key(n.text) == n.key for n in namings)
    assert [len(n.key.split()) for n in namings] == sorted((len(n.key.split()) for n in namings), reverse=True)


@given(WORDS, st.sampled_from(["{}", "why was {} dropped?", "“{}”, and then?", "see ({})."]))
def test_a_title_is_found_wherever_it_stands_and_whatever_its_case(title: str, around: str) -> None:
    keys = set(name_keys("d", title, {})) - set(name_keys("d", "", {}))
    for written in (title, title.upper(), title.replace(" ", "-")):
        assert {name_key(title)} - {""} - {k for k in keys if k.startswith("'")} <= {
            n.key for n in names_in(around.format(written))
        }


@given(st.lists(ANY, max_size=4), ANY)
def test_found_names_never_overlap_and_are_words_of_the_question(titles: list[str], question: str) -> None:
    found = named(question, {f"doc {i}": (title, {}) for i, title in enumerate(titles)})
    assert all(words in question for words in found.values())
    assert named(question, {f"doc {i}": (title, {}) for i, title in enumerate(titles)}) == found
