"""Relationships to what is not stored, and of a document with itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from docgraph import plugins
from docgraph.domain.finding import Finding
from docgraph.domain.graph import StoredDocument
from docgraph.ports import RelationshipGraph
from docgraph.testing.examples.checks import graph_of, stored
from docgraph.testing.suites.checks import found

MISSING, SELF = (plugins.build("checks", name) for name in ("missing_endpoint", "self_link"))


def _towards(target: str, *documents: str, title: str | None = None, keys: tuple[str, ...] = ()) -> Finding:
    """What is found about a relationship from ``start`` to ``target`` beside ``documents``."""
    there = [stored(each, title=title or each) for each in documents]
    edges = [("start", "explains", each) for each in (target, *keys)]
    [finding] = found(MISSING, graph_of(edges, documents=["start", *there])).findings
    return finding


def test_a_relationship_to_a_stored_document_misses_nothing() -> None:
    outcome = found(MISSING, graph_of([("a", "explains", "b")]))
    assert (outcome.n_checked, outcome.findings) == (1, ())


def test_a_target_like_no_other_is_proposed_to_be_removed() -> None:
    finding = _towards("runbook-worker-restart", "runbook-queue-depth", "adr-1")
    assert finding.sentence == "Start —explains→ runbook-worker-restart: there is no document runbook-worker-restart"
    assert (finding.severity, finding.document_ids, finding.fix[0].action) == ("error", ("start",), "remove")


@pytest.mark.parametrize(
    ("target", "meant"),
    [
        ("api-terminal-manifest-v2", "api-terminal-manifests-v2"),  # a letter is missing
        ("api-terminal-manfiests-v2", "api-terminal-manifests-v2"),  # two are exchanged
        ("ADR_013", "adr-013"),  # case and separators
        ("adr-13", "adr-013"),  # leading zeros
        ("adr-013-terminal-pull", "adr-013"),  # renamed behind its number
        ("adr-013", "adr-013-terminal-pull"),
        ("old/place/retry-budget.md", "new/place/retry-budget"),  # moved
    ],
)
def test_a_target_that_is_close_to_one_stored_document_is_pointed_there(target: str, meant: str) -> None:
    finding = _towards(target, meant, "adr-014-other", "api-other-v2")
    [fix] = finding.fix
    assert (fix.action, fix.to_document_id) == ("retarget", meant)
    assert f"most likely {meant} ({meant}) is meant" in finding.sentence


def test_a_title_is_as_good_as_an_id() -> None:
    assert _towards("Queue depth alarm", "rb-7", title="Queue Depth Alarm").fix[0].to_document_id == "rb-7"


@pytest.mark.parametrize(
    ("target", "documents"),
    [
        ("adr-015", ("adr-014", "adr-016")),  # other numbers are other documents
        ("api-v3", ("api-v2",)),
        ("queue-depth-alarms", ("queue-depth-alarm-", "queue-depth-alarm_")),  # two are as close
        ("postmortem-2026-04", ("postmortem-2026-03-storm",)),  # a year is no number of a document
        ("a/index.md", ("b/index.md",)),  # every folder has one
        ("ab", ("abc",)),
    ],
)
def test_without_one_close_document_nothing_is_guessed(target: str, documents: tuple[str, ...]) -> None:
    assert _towards(target, *documents).fix[0].action == "remove"


def test_where_the_right_relationship_is_there_already_the_wrong_one_goes() -> None:
    finding = _towards("adr-013-old-name", "adr-013", keys=("adr-013",))
    assert finding.fix[0].action == "remove"
    assert "that relationship already exists" in finding.sentence


def test_a_start_that_is_not_stored_is_found_too() -> None:
    [finding] = found(MISSING, graph_of([("gone", "explains", "b")], documents=["b"])).findings
    assert (finding.document_ids, finding.fix[0].action) == (("b",), "remove")


def test_a_name_in_running_text_alone_is_only_an_info() -> None:
    [finding] = found(MISSING, graph_of([("a", "mentions", "pep-9876")], documents=["a"])).findings
    assert finding.severity == "info"


@pytest.mark.parametrize(
    ("via", "target", "is_found"),
    [
        ("mentions", "pep-0007", True),
        ("mentions", "pep-9876", False),
        ("mentions", "pep-0000", False),
        ("mentions", "rfc-9876", True),
        ("requires", "pep-9876", True),
    ],
)
def test_a_number_in_running_text_outside_of_its_series_names_no_document(
    via: str, target: str, is_found: bool
) -> None:
    graph = graph_of([("a", via, target)], documents=["a", "pep-0001", "pep-0008", "pep-0020"])
    assert len(found(MISSING, graph).findings) == is_found


def linked(target: str, *documents: str | StoredDocument, start: str = "start", **said: str) -> RelationshipGraph:
    """A link from ``start`` to what is not there, and 19 more from it to notes that are."""
    notes = [f"note-{i}" for i in range(40)]
    keys = [(start, "links_to", each) for each in (target, *notes[:19])]
    there = [each for each in documents if isinstance(each, StoredDocument)]
    names = {each.document_id for each in there}
    others = [each for each in (start, *notes, *documents) if isinstance(each, str) and each not in names]
    graph = graph_of(keys, documents=[*there, *others])
    edges = (
        e.model_copy(update={"relationship_metadata": {**said, "extractor": "wiki_links"}}) for e in graph.relationships
    )
    return replace(graph, relationships=tuple(edges))


def test_a_label_that_another_project_may_have_is_found_only_where_a_stored_one_is_close() -> None:
    """Its build looks it up there, and says so where it is nowhere."""
    assert found(MISSING, linked("stable-abi-of-it")).findings
    others = found(MISSING, linked("stable-abi-of-it", may_be_in="python"))
    assert not others.findings
    assert others.n_checked == found(MISSING, linked("stable-abi-of-it")).n_checked - 1, "it was not looked at"
    close = found(MISSING, linked("stable-abi-of-it", "stable-abi-of-its", may_be_in="python"))
    assert [each.fix[0].to_document_id for each in close.findings] == ["stable-abi-of-its"]


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("`[[Gone Note]]` is shown as [[Gone Note]]", False),
        ("`[Name](gone.md)` appears as [Name](gone.md)", False),
        ("`code` and [[Gone Note]]", True),
        ("`[[Other]]` is shown, see [[Gone Note]]", True),
    ],
)
def test_a_link_that_is_shown_as_code_beside_it_is_an_example(text: str, is_found: bool) -> None:
    assert bool(found(MISSING, linked("gone", text=text)).findings) is is_found


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "[short title of the problem]"},
        {"title": "<Title>"},
        {"source": "text/0000-template.md"},
        {"source": "keps/NNNN-kep-template/README.md"},
        {"source": "core/tests/files/REQ.yml"},
        {"source": "pkg/testdata/a.md"},
    ],
)
def test_what_templates_and_data_of_tests_name_is_made_up(fields: dict[str, str]) -> None:
    assert not found(MISSING, linked("0005-example", stored("start", **fields))).findings


@pytest.mark.parametrize("title", ["(Old) Listbox (deprecated)", "[RFC] Queue [draft]", "<a> and <b>"])
def test_a_title_that_only_has_brackets_is_no_blank(title: str) -> None:
    assert found(MISSING, linked("0005-example", stored("start", title=title))).findings


@pytest.mark.parametrize(
    "source", ["docs/templates.md", "docs/note-templates.md", "tests/REQ-1.yml", "docs/template/a/b.md"]
)
def test_pages_about_templates_and_requirements_of_tests_are_none(source: str) -> None:
    assert found(MISSING, linked("0005-example", stored("start", source=source))).findings


@pytest.mark.parametrize(("n_lost", "n_notes", "is_custom"), [(4, 16, False), (5, 15, True)])
def test_where_a_fifth_of_the_links_to_notes_lead_nowhere_it_is_the_custom(
    n_lost: int, n_notes: int, is_custom: bool
) -> None:
    """Notes still to be written, or another notation: most of 641 errors over one wiki."""
    notes = [f"note-{i}" for i in range(39)]
    keys = [("start", "links_to", each) for each in (*notes[:n_notes], *(f"lost {i}" for i in range(n_lost)))]
    graph = graph_of(keys, documents=["start", *notes])
    edges = (e.model_copy(update={"relationship_metadata": {"extractor": "wiki_links"}}) for e in graph.relationships)
    graph = replace(graph, relationships=tuple(edges))
    assert len(found(MISSING, graph).findings) == (0 if is_custom else n_lost)
    assert len(found(MISSING, graph, unwritten=0.5).findings) == n_lost
    fewer = {each: graph.documents[each] for each in ["start", *notes[:n_notes]]}
    assert len(found(MISSING, replace(graph, documents=fewer)).findings) == n_lost, "too few documents for a custom"
    files = tuple(e.model_copy(update={"relationship_metadata": {}}) for e in graph.relationships)
    assert len(found(MISSING, replace(graph, relationships=files)).findings) == n_lost, "a path of a file is no note"


def test_a_target_whose_file_was_rejected_is_there_and_says_why() -> None:
    keys = [("a", "links_to", "guide/method-security"), ("a", "links_to", "guide/gone-from-here")]
    graph = graph_of(keys, documents=["a", "web/method-security", "guide/start"])
    rejected = {"guide/method-security": "too large", "guide/other": "no text"}
    by_target = {f.relationships[0][2]: f for f in found(MISSING, replace(graph, rejected=rejected)).findings}
    there, gone = by_target["guide/method-security"], by_target["guide/gone-from-here"]
    assert there.sentence == "A —links_to→ guide/method-security: its file was not imported: too large"
    assert (there.severity, there.fix, gone.severity) == ("info", (), "error")


def test_a_day_of_another_month_is_no_slip_of_a_day() -> None:
    assert _towards("jun 15th, 2021", "Jan 15th, 2021").fix[0].action == "remove"
    assert _towards("jun 15th,2021", "Jun 15th, 2021").fix[0].action == "retarget"
    assert _towards("mary-annotated-guide", "mary-annotated-guides").fix[0].action == "retarget"


def test_the_text_that_names_the_target_is_the_evidence() -> None:
    graph = graph_of([("a", "explains", "gone")], documents=["a"], texts={"explains": "as <b>gone</b> says"})
    assert found(MISSING, graph).findings[0].evidence == "as <b>gone</b> says"


def test_a_document_that_points_at_itself_is_found_and_removed() -> None:
    outcome = found(SELF, graph_of([("a", "explains", "a"), ("a", "explains", "b")]))
    [finding] = outcome.findings
    assert (outcome.n_checked, finding.relationships) == (2, (("a", "explains", "a"),))
    assert [edit.action for edit in finding.fix] == ["remove"]


def test_two_documents_are_no_self_link() -> None:
    assert not found(SELF, graph_of([("a", "explains", "b"), ("b", "explains", "a")])).findings
