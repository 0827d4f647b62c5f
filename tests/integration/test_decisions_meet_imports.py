"""Imports meet what people decided: the laws, over both stores and through real imports."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import docgraph
from docgraph.domain.edit import Action, Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.domain.revision import document_fingerprint, moved, relationship_fingerprint, revision_text
from docgraph.errors import ConflictError, NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.ports import Database
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

# ---------------------------------------------------------------- files, as people keep them

OLD = b"---\ntitle: Queue\nsupersedes: adr-2\nrelated: adr-3\n---\nThe queue is bounded.\n"
NEW = b"---\ntitle: Queue\nsupersedes: adr-2\nrelated: adr-3\n---\nThe queue is bounded, and persistent.\n"
SHORT = b"---\ntitle: Queue\n---\nThe queue is gone.\n"
OTHERS = [(f"adr-{i}.md", f"---\ntitle: Decision {i}\n---\nDecision {i} is made.\n".encode()) for i in (2, 3)]


@pytest.fixture(params=["memory", "postgres"])
def dg(request: pytest.FixtureRequest) -> Iterator[Docgraph]:
    """Three documents from files; the first names the two others in its front matter."""
    url = request.getfixturevalue("new_database_url") if request.param == "postgres" else None
    with docgraph.connect(url, workspace="w", store=request.param) as opened:
        opened.ingest_files([("adr-1.md", OLD), *OTHERS])
        yield opened


def edge_to(dg: Docgraph, target: str) -> Relationship | None:
    return next((edge for edge in dg.relationships.list(document_id=target)), None)


def test_a_changed_file_does_not_bring_back_what_a_person_removed_and_the_check_says_so(dg: Docgraph) -> None:
    edge = edge_to(dg, "adr-2")
    assert edge is not None
    dg.relationships.edit([Edit(action="remove", key=edge.key)], by="Ann")
    dg.ingest_files([("adr-1.md", NEW)])
    assert edge_to(dg, "adr-2") is None
    [finding] = [found for found in dg.check().findings if found.check_id == "import_conflict"]
    assert (finding.relationships, finding.severity) == ((edge.key,), "info")
    dg.relationships.undo(1, by="Ben")
    assert edge_to(dg, "adr-2") == edge
    assert dg.rules.contested() == ()
    assert not [found for found in dg.check().findings if found.check_id == "import_conflict"]


def test_a_review_outlives_a_changed_file_and_is_suspect_then(dg: Docgraph) -> None:
    edge = edge_to(dg, "adr-3")
    assert edge is not None
    (entry,) = dg.relationships.edit([Edit(action="accept", key=edge.key)], by="Ann")
    dg.ingest_files([("adr-1.md", NEW)])
    assert edge_to(dg, "adr-3") == entry.after
    assert [f.relationships for f in dg.check().findings if f.check_id == "suspect"] == [(edge.key,)]
    dg.ingest_files([("adr-1.md", SHORT)])
    assert [each.key for each in dg.relationships.list()] == [edge.key]
    [finding] = [found for found in dg.check().findings if found.check_id == "import_conflict"]
    assert (finding.relationships, finding.severity) == ((edge.key,), "warning")
    dg.relationships.edit(finding.fix, by="Ann", reason="gone from the text")
    assert (list(dg.relationships.list()), dg.rules.contested()) == ([], ())


# ---------------------------------------------------------------- whatever people and imports do

IDS = ("a", "b", "c")
KEYS = tuple((start, via, end) for start in IDS[:2] for via in ("x", "y") for end in IDS)
key = st.sampled_from(KEYS)
kinds = st.sampled_from(["remove", "accept", "accept", "flip", "retype", "retarget"])
most = st.frozensets(key, max_size=3).map(lambda left_out: frozenset(KEYS) - left_out)
an_edit = st.tuples(st.just("edit"), kinds, st.integers(0, len(KEYS)), st.sampled_from(IDS))
few = st.frozensets(key, max_size=5)
everything, nothing, version = st.just(frozenset(IDS)), st.just(frozenset[str]()), st.integers(0, 2)
acts = st.one_of(
    an_edit,
    an_edit,
    an_edit,
    st.tuples(st.just("add"), key),
    st.tuples(st.just("undo"), st.integers(0, 3)),
    st.tuples(st.just("import"), everything, most, version),
    st.tuples(st.just("import"), everything, few, version),
    st.tuples(st.just("beside"), nothing, most, version),
    st.tuples(st.just("delete"), st.sampled_from(IDS)),
)
START = ("import", frozenset(IDS), frozenset(KEYS[::2]), 0)


def edit_of(dg: Docgraph, action: Action, place: int, end: str) -> Edit:
    """An edit of one of the relationships that are there; of one that is not, when there is none."""
    there = [edge.key for edge in dg.relationships.list()] or [KEYS[0]]
    chosen = there[place % len(there)]
    match action:
        case "retype":
            return Edit(action=action, key=chosen, relation_type="y" if chosen[1] == "x" else "x")
        case "retarget":
            return Edit(action=action, key=chosen, to_document_id=end)
    return Edit(action=action, key=chosen)


def opened(database: Database, workspace: str) -> Docgraph:
    days = itertools.count(1)
    adapters = Adapters(
        database=database,
        embedder=HashingEmbedder(8),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: f"day {next(days):04}",
    )
    return Docgraph(adapters, workspace, owns_database=False)


def perform(dg: Docgraph, act: tuple[Any, ...]) -> str:
    """Do it; why it could not be done, in words that every store must find."""
    try:
        match act:
            case "edit", action, place, end:
                dg.relationships.edit([edit_of(dg, action, place, end)], by="me", new_types=True)
            case "add", new:
                dg.relationships.edit([Edit(action="add", key=new)], by="me", new_types=True)
            case "undo", back:
                n = len(dg.relationships.history())
                dg.relationships.undo(n - back % max(n, 1), by="me")
            case "delete", document_id:
                dg.documents.delete([document_id])
            case _, ids, keys, version:
                brought(dg, ids, keys, version)
    except (ConflictError, NotFoundError, UserError) as error:
        return str(error)
    return ""


def brought(dg: Docgraph, ids: frozenset[str], keys: frozenset[EdgeKey], version: int) -> None:
    """An import of documents (none: of relationships alone) in one of three versions."""
    documents = [Document(document_id=i, title=i, text=f"{i} {version}") for i in sorted(ids)]
    edges = [
        Relationship(
            from_document_id=k[0], relation_type=k[1], to_document_id=k[2], relationship_metadata={"version": version}
        )
        for k in sorted(keys)
    ]
    dg.ingest_records(documents, edges)


def taken_away(history: tuple[HistoryEntry, ...]) -> set[EdgeKey]:
    """Keys whose last decision that stands leaves nothing there; told from the entries one by one, oldest first."""
    by_id = {entry.entry_id: entry for entry in history}

    def stands(entry: HistoryEntry) -> bool:
        return entry.undone_by is None or not stands(by_id[entry.undone_by])

    last: dict[EdgeKey, bool] = {}
    for _, entry in sorted(by_id.items()):
        if entry.undoes is None and stands(entry):
            last |= {k: entry.after is not None and entry.after.key == k for k in entry.keys}
    return {k for k, is_there in last.items() if not is_there}


def decided(dg: Docgraph) -> dict[EdgeKey, object]:
    """What people made (whole), and the reviews of what they accepted."""
    edges = {edge.key: edge.relationship_metadata for edge in dg.relationships.list()}
    made = {k: metadata for k, metadata in edges.items() if metadata.get("extractor") == "manual"}
    return {k: metadata["review"] for k, metadata in edges.items() if "review" in metadata} | made


def seen(dg: Docgraph) -> list[str]:
    """Everything that can be seen of a workspace's relationships."""
    parts = (
        *dg.relationships.list(),
        *dg.rules.contested(),
        *dg.relationships.history(),
        dg.workspace.model_copy(update={"name": "w"}),
    )
    return [part.model_dump_json() for part in parts]


numbers = itertools.count()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(acts, min_size=4, max_size=16))
def test_what_stands_is_never_overwritten_and_both_stores_agree(
    postgres_database: Database, script: list[tuple[Any, ...]]
) -> None:
    """A removed relationship is never there, a review and what a person made are never lost by an import."""
    name = f"law-{next(numbers)}"
    reference = memory.build()
    plain, served = opened(reference, name), opened(postgres_database, name)
    assert perform(plain, START) == perform(served, START) == ""
    for act in script:
        before = decided(plain)
        assert perform(plain, act) == perform(served, act)
        assert not taken_away(plain.relationships.history()) & {edge.key for edge in plain.relationships.list()}
        if act[0] in ("import", "beside"):
            assert decided(plain) == before
    assert seen(plain) == seen(served)
    content = reference.open_workspace(name).content
    parts = [*map(document_fingerprint, content.documents.values())]
    parts += map(relationship_fingerprint, content.edges.values())
    assert plain.workspace.revision == revision_text(moved(0, added=parts))
    postgres_database.drop_workspace(name)
