"""Roles of relation types through a whole workspace: decided by imports, by people, and taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from docgraph import plugins
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.type_roles import LINKS_BESIDE_DECLARED, ONLY_MENTIONED
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.plugins.stores.memory import build
from tests.unit.orchestration.test_docgraph import adapters

FILES = {
    "a.md": "---\nrequires: b\n---\n# Alpha\n\nThe queue is bounded. See [gamma](c.md).\n",
    "b.md": "# Beta\n\nSlots are counted.\n",
    "c.md": "# Gamma\n\nSails are white. Alpha is not.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def dg() -> Docgraph:
    given = adapters(build())
    extractors = [plugins.build("extractors", name) for name in ("front_matter", "markdown_links", "title_mentions")]
    object.__setattr__(given, "extractors", tuple(extractors))
    object.__setattr__(given, "loaders", (plugins.build("loaders", "markdown"),))
    return Docgraph(given, "notes")


def roles(dg: Docgraph) -> dict[str, str]:
    return {each.relation_type: each.role for each in dg.relationships.type_roles()}


def test_an_import_settles_the_roles_and_its_report_says_so(dg: Docgraph, folder: Path) -> None:
    report = dg.ingest(folder)
    assert roles(dg) == {"links_to": "reasons_only", "mentions": "off", "requires": "adds_documents"}
    assert {change.after.relation_type: change.after.reason for change in report.decided} == {
        "links_to": LINKS_BESIDE_DECLARED,
        "mentions": ONLY_MENTIONED,
    }
    assert report.revision == dg.workspace.revision
    assert dg.ingest(folder).decided == ()


def test_a_decision_of_a_person_outlives_imports_and_can_be_given_back(dg: Docgraph, folder: Path) -> None:
    dg.ingest(folder)
    before = dg.workspace.revision
    [change] = dg.relationships.set_type_role("links_to", "adds_documents", by="Ada", reason="short notes")
    assert (change.after.who, change.after.reason, change.after.words) == ("Ada", "short notes", "decided by Ada")
    (folder / "d.md").write_text("---\nrequires: a\n---\n# Delta\n\nAnother.\n", encoding="utf-8")
    assert dg.ingest(folder).decided == ()
    assert roles(dg)["links_to"] == "adds_documents"
    dg.documents.delete(["d.md"])
    dg.documents.delete(["d"])
    dg.relationships.set_type_role("links_to", None)
    assert roles(dg)["links_to"] == "reasons_only"
    assert dg.workspace.revision == before


def test_every_decision_can_be_undone_newest_first(dg: Docgraph, folder: Path) -> None:
    dg.ingest(folder)
    dg.relationships.set_type_role("links_to", "off")
    dg.relationships.set_type_role("links_to", "adds_documents")
    entries = [entry.entry_id for entry in dg.relationships.type_history() if entry.after.relation_type == "links_to"]
    with pytest.raises(UserError, match="decided about again since"):
        dg.relationships.undo_type(entries[1])
    dg.relationships.undo_type(entries[0])
    assert roles(dg)["links_to"] == "off"
    with pytest.raises(NotFoundError, match="has the number 99"):
        dg.relationships.undo_type(99)


def test_undoing_a_default_is_a_decision_of_its_own(dg: Docgraph, folder: Path) -> None:
    """Else it would be decided so again at once."""
    dg.ingest(folder)
    [entry] = [each for each in dg.relationships.type_history() if each.after.relation_type == "links_to"]
    [change] = dg.relationships.undo_type(entry.entry_id)
    assert (change.after.role, change.after.by) == ("adds_documents", "person")


def test_mentions_that_go_back_to_their_default_are_off(dg: Docgraph, folder: Path) -> None:
    dg.ingest(folder)
    dg.relationships.set_type_role("mentions", "adds_documents")
    dg.relationships.set_type_role("mentions", None)
    assert roles(dg)["mentions"] == "off"


@pytest.mark.parametrize(
    ("name", "role", "said"), [("nothing", "off", "no relation type 'nothing'"), ("links_to", "loud", "no role 'loud'")]
)
def test_an_unknown_type_or_role_is_refused_and_nothing_is_changed(
    dg: Docgraph, folder: Path, name: str, role: str, said: str
) -> None:
    dg.ingest(folder)
    before = dg.workspace
    with pytest.raises(UserError, match=said):
        dg.relationships.set_type_role(["links_to", name], role)  # type: ignore[arg-type]
    assert dg.workspace == before


def test_a_document_kept_out_by_a_role_comes_in_when_the_request_names_the_type(dg: Docgraph, folder: Path) -> None:
    dg.ingest(folder)
    asked = RetrievalRequest(query="Why is the queue bounded?", max_documents=2)
    ids = {d.title: d.document_id for d in dg.documents.list()}
    assert dg.plan(asked).expanded_document_ids == (ids["Beta"],)
    assert dg.explain(asked, ids["Gamma"]).obstacles[0].kind == "reasons_only"
    named = asked.model_copy(update={"relation_types": ("links_to",)})
    assert dg.plan(named).expanded_document_ids == (ids["Gamma"],)


def test_deleting_the_declared_relationship_lets_links_add_documents_again(dg: Docgraph, folder: Path) -> None:
    dg.ingest(folder)
    [declared] = dg.relationships.list(relation_type="requires")
    dg.relationships.remove(declared.key, by="Ada")
    assert roles(dg)["links_to"] == "adds_documents"
    [entry] = dg.relationships.history(limit=1)
    dg.relationships.undo(entry.entry_id, by="Ada")
    assert roles(dg)["links_to"] == "reasons_only"
