"""Fields that say otherwise than the name, the title or the text of their document."""

from __future__ import annotations

from typing import Any

import pytest

from docgraph import plugins
from docgraph.domain.finding import Finding
from docgraph.domain.graph import Relationship
from docgraph.ports import RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import check_check, found

CHECK = plugins.build("checks", "fields_disagree")


def findings(graph: RelationshipGraph, **parameters: object) -> list[Finding]:
    return list(found(CHECK, graph, **parameters).findings)


# ---------------------------------------------------------------- numbers


def numbered(*last: dict[str, Any], n: int = 8) -> RelationshipGraph:
    """Documents with their number as a field and in the title, and the ``last`` ones as they are given."""
    rows = [{"document_id": f"k/{i}-a", "title": f"KEP-{i}: A", "metadata": {"kep-number": i}} for i in range(1, n + 1)]
    return graph_of((), documents=[stored(**each) for each in (*rows, *last)])


def test_a_field_that_gives_another_number_than_the_name_is_found() -> None:
    odd = {"document_id": "k/2043-pods", "title": "Pods", "metadata": {"kep-number": "1884"}}
    [finding] = findings(numbered(odd))
    assert finding.document_ids == ("k/2043-pods",)
    assert finding.sentence == "Pods (k/2043-pods): its name says 2043, its kep-number says 1884"
    assert (finding.severity, finding.fix, finding.relationships) == ("warning", (), ())
    assert found(CHECK, numbered(odd)).n_checked == 9


def test_a_title_that_gives_another_number_is_found_where_titles_give_it() -> None:
    odd = {"document_id": "k/33-ranges", "title": "KEP-3: Outline", "metadata": {}}
    [finding] = findings(numbered(odd))
    assert finding.sentence == "KEP-3: Outline (k/33-ranges): its name says 33, its title says 3"
    unnumbered = [{"document_id": f"k/{i}-b", "title": "7: Ways", "metadata": {}} for i in range(20, 40)]
    assert not findings(numbered(*unnumbered, odd)), "titles that mostly give no own number say nothing of it"


@pytest.mark.parametrize(
    "fine",
    [
        {"document_id": "k/2043-pods", "title": "Pods", "metadata": {"kep-number": 2043}},
        {"document_id": "k/2043-pods", "title": "3 ways to queue", "metadata": {}},
        {"document_id": "k/2043-pods", "title": "Pods", "metadata": {"kep-number": ""}},
        {"document_id": "k/pods", "title": "KEP-9: Pods", "metadata": {"kep-number": 9}},
        {"document_id": "k/2019-01-20-pods", "title": "Pods", "metadata": {"kep-number": 9}},
    ],
)
def test_numbers_that_agree_or_are_none_are_fine(fine: dict[str, Any]) -> None:
    assert not findings(numbered(fine))


# ---------------------------------------------------------------- succession


def told(text: str, *more: tuple[str, str, str], place: str = "front_matter", **old: Any) -> RelationshipGraph:
    """The text of ``12-old`` links to ``34-new``; ``more`` relationships are stated at ``place``."""
    link = _edge("12-old", "links_to", "34-new", place="body", text=text)
    stated = [_edge(*key, place=place, text="superseded-by: 56") for key in more]
    metadata = {"status": "replaced", **old}
    documents = {
        each: stored(each, metadata=metadata if each == "12-old" else {}) for each in ("12-old", "34-new", "56-other")
    }
    edges = sorted((link, *stated), key=lambda each: each.key)
    return RelationshipGraph(documents=documents, relationships=tuple(edges))


def _edge(start: str, via: str, end: str, **metadata: str) -> Relationship:
    return Relationship(from_document_id=start, relation_type=via, to_document_id=end, relationship_metadata=metadata)


SAID = "This proposal has been replaced by [KEP-34](../34-new/README.md)."


def test_a_successor_that_the_text_alone_names_is_found_and_can_be_added() -> None:
    [finding] = findings(told(SAID))
    assert finding.sentence == "the text of 12 Old says that 34 New replaced it, and its fields name none"
    assert (finding.relationships, finding.evidence) == ((("12-old", "links_to", "34-new"),), SAID)
    assert [edit.key for edit in finding.fix] == [("12-old", "superseded_by", "34-new")]
    usual = told(SAID, ("56-other", "Replaced-By", "34-new"))
    assert [edit.key[1] for edit in findings(usual)[0].fix] == ["Replaced-By"], "as the corpus spells it"


def test_fields_that_name_another_one_or_a_status_that_holds_disagree_and_a_person_decides() -> None:
    [other] = findings(told(SAID, ("12-old", "superseded_by", "56-other")))
    assert other.sentence.endswith("says that 34 New replaced it, and its fields name 56 Other")
    [status] = findings(told(SAID, status="Accepted"))
    assert status.sentence.endswith("and its status is accepted")
    assert (other.fix, status.fix) == ((), ())


def test_fields_of_either_document_that_say_the_same_agree() -> None:
    assert not findings(told(SAID, ("12-old", "superseded_by", "34-new")))
    assert not findings(told(SAID, ("34-new", "replaces", "12-old")))


def test_a_document_without_fields_says_it_in_its_text_alone_as_it_may() -> None:
    graph = told(SAID, status="")
    assert found(CHECK, graph).skipped == "no document states the same thing twice"


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("Superseded by [34](34-new.md)", True),
        ("**Replaced by [KEP-34](x)**", True),
        ("# Old volumes [Replaced by [New](../34-new)]", True),
        ("**Note:** this KEP was replaced by the one in [#34](https://example.org/issues/34)", True),
        ("This proposal is now superseded by [[34-new]].", True),
        ("- superseded by [34](34-new.md)", False),
        ("The queue has been replaced by [KEP-34](34-new.md).", False),
        ("This proposal has been replaced by [KEP-56](56.md), not by [KEP-34](34-new.md).", False),
        ("This proposal has been discussed in [KEP-34](34-new.md).", False),
        ("This proposal has been replaced by KEP-34.", False),
    ],
)
def test_only_a_sentence_about_the_document_itself_tells_its_succession(text: str, is_found: bool) -> None:
    assert len(findings(told(text))) == is_found


def test_what_a_text_says_that_its_document_replaced_is_held_against_the_fields_too() -> None:
    [finding] = findings(told("This proposal replaces [KEP-34](34-new.md)."))
    assert finding.sentence == "the text of 12 Old says that it replaced 34 New, and its fields name none"
    assert [edit.key for edit in finding.fix] == [("12-old", "supersedes", "34-new")]
    assert not findings(told("This proposal replaces the queue of [KEP-34](34-new.md)."))


def test_a_status_section_is_text_and_a_status_field_is_a_field() -> None:
    line = "Superseded by KEP-34"
    typed = _edge("12-old", "superseded_by", "34-new", place="status", text=line)
    documents = {each: stored(each) for each in ("12-old", "34-new")}
    for metadata, is_found in (({"status": "accepted"}, True), ({"status": line}, False), ({"status": "old"}, True)):
        there = documents | {"12-old": stored("12-old", metadata=metadata)}
        graph = RelationshipGraph(documents=there, relationships=(typed,))
        assert len(findings(graph)) == is_found, metadata
    there = documents | {"12-old": stored("12-old", metadata={"status": "superseded"})}
    assert not findings(RelationshipGraph(documents=there, relationships=(typed,))), "the text says by what"


def test_where_a_fifth_of_the_statements_disagree_that_is_the_custom() -> None:
    odd = [{"document_id": f"k/{i}-b", "title": "B", "metadata": {"kep-number": i + 1000}} for i in range(100, 110)]
    graph = numbered(*odd, n=45)
    assert len(findings(graph)) == 10
    assert found(CHECK, graph, custom=0.1).skipped == "10 of 55 statements disagree, so this is usual here"


def test_it_keeps_what_every_check_promises() -> None:
    odd = {"document_id": "k/2043-pods", "title": "Pods", "metadata": {"kep-number": 1884}}
    graphs = (numbered(odd), told(SAID), told(SAID, ("12-old", "superseded_by", "56-other")))
    check_check(CHECK, graphs=graphs)
