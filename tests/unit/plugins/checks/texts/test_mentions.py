"""Mentions without a relationship, and relationships without a mention."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import plugins
from docgraph.domain.graph import Relationship
from docgraph.ports import MENTIONS, Outcome, RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import found

EDGE = ("guide", "references", "old")


def looked_at(check_id: str, graph: RelationshipGraph, **parameters: object) -> Outcome:
    return found(plugins.build("checks", check_id), graph, **parameters)


def test_a_mention_without_a_relationship_in_either_direction_is_found_with_its_sentence() -> None:
    keys = {("a", MENTIONS, "b"), ("c", MENTIONS, "b"), ("b", "explains", "c")}
    documents = ["a", stored("b", title="Bay Plan"), "c"]
    graph = graph_of(keys, documents=documents, texts={MENTIONS: "see <b>Bay Plan</b>"})
    outcome = looked_at("mention_without_edge", graph)
    [finding] = outcome.findings
    assert (finding.relationships, finding.evidence) == ((("a", MENTIONS, "b"),), "see <b>Bay Plan</b>")
    assert finding.sentence == "A mentions Bay Plan, with no other relationship between them"
    assert outcome.n_checked == 2


def test_where_hardly_a_mention_goes_with_a_relationship_naming_alone_calls_for_none() -> None:
    graph = graph_of({("a", MENTIONS, "b"), ("a", MENTIONS, "c"), ("a", MENTIONS, "d"), ("a", "explains", "b")})
    silent = looked_at("mention_without_edge", graph)
    assert silent.skipped == "only 1 of 3 mentions go with a relationship, so a mention alone needs none"
    assert len(looked_at("mention_without_edge", graph, min_related=0).findings) == 2
    assert looked_at("mention_without_edge", graph_of({EDGE})).skipped == "no text names another document"


def named_by(*pairs: tuple[str, str], quotes: dict[tuple[str, str], str] | None = None) -> RelationshipGraph:
    """Documents *Alpha Beta* and *Tags*, each named by others; five of them have a relationship with *Alpha Beta*."""
    documents = [stored("ab", title="Alpha Beta"), stored("tags", title="Tags"), *(f"n{i}" for i in range(9))]
    keys = {("ab" if i % 2 else f"n{i}", "explains", f"n{i}" if i % 2 else "ab") for i in range(5)}
    graph = graph_of(
        keys | {(f"n{i}", MENTIONS, "ab") for i in range(5)} | {(a, MENTIONS, b) for a, b in pairs}, documents=documents
    )
    texts = {(a, MENTIONS, b): {"text": text} for (a, b), text in (quotes or {}).items()}
    edges = (e.model_copy(update={"relationship_metadata": texts.get(e.key, {})}) for e in graph.relationships)
    return replace(graph, relationships=tuple(edges))


def test_a_title_that_the_others_name_without_a_relationship_is_a_word_and_no_reference() -> None:
    found_in = [("n6", "tags"), ("n7", "tags")]
    assert not looked_at("mention_without_edge", named_by(*found_in)).findings
    [finding] = looked_at("mention_without_edge", named_by(*found_in, ("n8", "ab"))).findings
    assert finding.relationships == (("n8", MENTIONS, "ab"),), "five of the five others have one"


def test_a_title_of_one_plain_word_counts_only_where_another_text_bears_it_out() -> None:
    once = named_by(("n6", "tags"))
    assert not looked_at("mention_without_edge", once).findings
    called = replace(once, documents={**once.documents, "tags": stored("tags", title="tag-list")})
    assert len(looked_at("mention_without_edge", called).findings) == 1


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("See Alpha Beta for more.", True),
        ("Alpha Beta. Then more.", True),
        ("## Alpha Beta In Short", True),
        ("Use Alpha Beta Pages or others.", False),
        ("Use Alpha Beta Pages, then read Alpha Beta.", True),
        ("See [Alpha Beta](https://example.org/x) first.", False),
        ("![[Other Note#Alpha Beta]]", False),
        ("names it otherwise", True),
        ("## Alpha Beta", False),
        ("### 4. Alpha Beta", True),
        ("## Configure Alpha Beta", True),
        ("It shows a Gamma Alpha Beta there.", False),
        ("The Alpha Beta is there.", True),
        ("Alpha Beta [Rules](rules.md) are there.", False),
        ("See [Old Alpha Beta][old] first.", False),
        ("See https://example.org/Alpha Beta/x", True),
        ("See https://example.org/Alpha%20Beta/Alpha Beta", True),
        ("Choose **Alpha Beta**.", False),
        ("**Alpha Beta:** a list", False),
        ("**Alpha Beta and others** are there.", True),
        ("Go to **File → Alpha Beta**", False),
        ("Go to File > Alpha Beta > Keys", False),
        ("> Alpha Beta", True),
        ("run `Alpha Beta now`", True),
        ("run `Tool: Alpha Beta`", True),
        ('run `path:"Alpha Beta/2026"`', False),
        ("run `Alpha Beta: x`", False),
        ('listed as "Supports Alpha Beta" there', False),
        ('listed as "Alpha Beta" there', True),
        ("", True),
    ],
)
def test_a_title_inside_a_longer_name_or_a_link_is_no_mention_of_its_document(text: str, is_named: bool) -> None:
    graph = named_by(("n8", "ab"), quotes={("n8", "ab"): text})
    assert len(looked_at("mention_without_edge", graph).findings) == is_named


@pytest.mark.timeout(10)
@pytest.mark.parametrize("filling", ["A", "Alpha Beta ", "[", "`", '"', "[a][", "→ ", "A " * 3])
def test_a_hostile_sentence_costs_no_more_than_a_long_one(filling: str) -> None:
    text = f"{filling * 300_000} Alpha Beta"
    looked_at("mention_without_edge", named_by(("n8", "ab"), quotes={("n8", "ab"): text}))
    files = graph_of([("a", "links_to", "gone")], documents=["a"], texts={"links_to": text})
    assert looked_at("missing_endpoint", files).findings


def test_an_address_that_ends_with_a_title_is_a_link_and_no_mention() -> None:
    text = "see https://example.org/main/text/0091-alpha.md for it"
    graph = named_by(("n8", "ab"), quotes={("n8", "ab"): text})
    renamed = {**graph.documents, "ab": stored("ab", title="0091-alpha")}
    assert not looked_at("mention_without_edge", replace(graph, documents=renamed)).findings


@pytest.mark.parametrize(
    ("title", "text", "is_named"),
    [
        ("Alpha beta", "Alpha beta opens the list.", False),
        ("Alpha beta", "- Alpha beta", False),
        ("Alpha beta", "## Alpha beta and more", False),
        ("Alpha beta", "In the Alpha beta, the list opens.", True),
        ("Alpha", "It goes to the Alpha after that.", True),
        ("Alpha", "Alpha does it.", False),
        ("Alpha", "| Other Alpha code |", False),
        ("alpha", "the strings alpha and others", False),
        ("alpha beta", "run `alpha beta` first", True),
        ("0008-alpha-beta", "as an option, see `0008-alpha-beta.md`", True),
        ("alpha-list", "- alpha-list", True),
    ],
)
def test_a_title_of_ordinary_words_is_a_name_only_with_its_capital_inside_a_sentence(
    title: str, text: str, is_named: bool
) -> None:
    graph = named_by(("n8", "ab"), quotes={("n8", "ab"): text})
    renamed = {**graph.documents, "ab": stored("ab", title=title)}
    assert len(looked_at("mention_without_edge", replace(graph, documents=renamed)).findings) == is_named


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"title": "Alpha – Beta"}, "We call it Alpha Beta here."),
        ({"headings": ("Alpha Beta in short > Context",)}, "## Alpha Beta in short"),
    ],
)
def test_a_document_that_names_itself_names_no_other(fields: dict[str, object], text: str) -> None:
    graph = named_by(("n8", "ab"), quotes={("n8", "ab"): text})
    assert looked_at("mention_without_edge", graph).findings
    own = {**graph.documents, "n8": stored("n8", **fields)}
    assert not looked_at("mention_without_edge", replace(graph, documents=own)).findings


@pytest.mark.parametrize(("n", "is_list"), [(9, False), (10, True)])
def test_a_text_that_names_many_others_and_is_related_to_few_is_a_list_of_names(n: int, is_list: bool) -> None:
    ends = [f"end{i}" for i in range(10)]
    keys = {(f"a{k}", via, end) for k in range(3) for end in ends for via in ("explains", MENTIONS)}
    keys |= {("changelog", MENTIONS, end) for end in ends[:n]}
    graph = graph_of(keys, documents=["changelog", "a0", "a1", "a2", *(stored(e, title=f"End {e}") for e in ends)])
    assert len(looked_at("mention_without_edge", graph).findings) == (0 if is_list else n)


def stated(place: str, *mentions: tuple[str, str]) -> RelationshipGraph:
    """Two relationships stated at ``place``: one that a text names, and the one in question."""
    ends = (("guide", "old"), ("a", "b"))
    metadata = {"place": place, "text": "references: old"}
    edges = tuple(
        Relationship(from_document_id=a, relation_type="references", to_document_id=b, relationship_metadata=metadata)
        for a, b in ends
    )
    documents = {each: stored(each) for each in ("a", "b", "guide", "old")}
    return RelationshipGraph(documents=documents, relationships=edges, mentions=frozenset((("a", "b"), *mentions)))


@pytest.mark.parametrize("place", ["front_matter", "header", "record", ""])
def test_a_relationship_that_neither_text_bears_out_is_found_with_what_states_it(place: str) -> None:
    outcome = looked_at("edge_without_mention", stated(place))
    [finding] = outcome.findings
    assert (finding.relationships, finding.evidence) == ((EDGE,), "references: old")
    assert finding.sentence == "Guide —references→ Old: neither text names the other"
    assert (outcome.n_checked, finding.fix) == (2, ())


def test_a_mention_in_either_text_bears_a_relationship_out_unless_the_rule_asks_for_the_first() -> None:
    assert not looked_at("edge_without_mention", stated("header", ("guide", "old"))).findings
    back = stated("header", ("old", "guide"))
    assert not looked_at("edge_without_mention", back).findings
    [finding] = looked_at("edge_without_mention", back, either=False).findings
    assert finding.sentence.endswith("the text of Guide never names Old")


def test_what_was_read_in_the_text_needs_no_mention_and_where_naming_is_no_custom_it_is_silent() -> None:
    nothing = "no relationship needs a sentence in the texts"
    assert looked_at("edge_without_mention", stated("body")).skipped == nothing
    assert "only 1 of 2" in looked_at("edge_without_mention", stated("header"), min_named=0.6).skipped
    assert "no text names" in looked_at("edge_without_mention", graph_of({EDGE})).skipped


@pytest.mark.parametrize("via", ["replaces", "Superseded-By", "obsoletes"])
def test_that_one_document_replaced_another_needs_no_sentence(via: str) -> None:
    graph = stated("header")
    edges = (*graph.relationships[:1], graph.relationships[1], _header("b", via, "guide"))
    outcome = looked_at("edge_without_mention", replace(graph, relationships=edges))
    assert [finding.relationships for finding in outcome.findings] == [(EDGE,)]
    assert outcome.n_checked == 2


def test_what_both_documents_state_needs_no_sentence() -> None:
    graph = stated("header")
    both = replace(graph, relationships=(*graph.relationships, _header("old", "explains", "guide")))
    outcome = looked_at("edge_without_mention", both)
    assert (outcome.findings, outcome.n_checked) == ([], 1)


def _header(start: str, via: str, end: str) -> Relationship:
    return Relationship(
        from_document_id=start, relation_type=via, to_document_id=end, relationship_metadata={"place": "header"}
    )
