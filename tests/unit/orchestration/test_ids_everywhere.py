"""Every public operation that takes a document's id takes it whatever its case; a new one has to say how."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docgraph.aio import namespace_of, public_members
from docgraph.domain.edit import Edit
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.history import edge_state
from docgraph.errors import NotFoundError, UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

Spell = Callable[[str], str]
EDGE, NEW = ("ADR-1", "cites", "Note"), ("Queue", "cites", "ADR-1")
IDS = {"document_id", "document_ids", "a_id", "b_id"}
HOLDING = ("Edit", "EdgeKey", "Relationship |", "Question", "relevant", "Document |")
"""Parts of annotations and names that say that ids of documents are inside."""

EXACT = {
    "documents.by_id": "for programs: exactly these ids, and what is not there is left out",
    "ingest_records": "states the ids that are stored from then on",
    "calibration.fit": "names documents only in answers that were judged",
}


def spelled(key: tuple[str, str, str], spell: Spell) -> tuple[str, str, str]:
    return (spell(key[0]), key[1], spell(key[2]))


def edge(key: tuple[str, str, str]) -> Relationship:
    return Relationship(from_document_id=key[0], relation_type=key[1], to_document_id=key[2])


def removing(spell: Spell) -> list[Edit]:
    return [Edit(action="remove", key=spelled(EDGE, spell))]


def asking(spell: Spell) -> dict[str, Any]:
    overrides = {"without_edges": [spelled(EDGE, spell)], "dropped_seed_ids": [spell("Note")]}
    return {"query": "The text", "seed_document_ids": [spell("ADR-1")], "overrides": overrides}


def content(run: Any) -> Any:
    return run.model_dump(exclude={"trace"})


def seen(dg: Docgraph, spell: Spell) -> dict[Any, str]:
    (there,) = dg.relationships.list(relation_type="cites", document_id="ADR-1")
    return {spelled(EDGE, spell): edge_state(there)}


def added_and_undone(dg: Docgraph, spell: Spell) -> Any:
    (entry,) = dg.relationships.edit([Edit(action="accept", key=EDGE)], by="Ann")
    return dg.relationships.undo(entry.entry_id, by="Ann", expected=seen(dg, spell)).keys


def history_of(dg: Docgraph, spell: Spell) -> Any:
    dg.relationships.edit([Edit(action="accept", key=EDGE)], by="Ann")
    by_key = dg.relationships.history(key=spelled(EDGE, spell))
    assert by_key == dg.relationships.history(document_id=spell("ADR-1"))
    return by_key


def edited(dg: Docgraph, spell: Spell) -> Any:
    edits = [
        Edit(action="retarget", key=spelled(EDGE, spell), to_document_id=spell("Queue")),
        Edit(action="add", key=spelled(NEW, spell)),
        Edit(action="retype", key=spelled(NEW, spell), relation_type="explains"),
    ]
    return dg.relationships.edit(edits, by="Ann", expected=seen(dg, spell), new_types=True)


def updated(dg: Docgraph, spell: Spell) -> Any:
    dg.relationships.update(spelled(EDGE, spell), edge(spelled(NEW, spell)))
    return list(dg.relationships.list())


def relationship_added(dg: Docgraph, spell: Spell) -> Any:
    dg.relationships.add(edge(spelled(NEW, spell)))
    return list(dg.relationships.list())


def judged(dg: Docgraph, spell: Spell) -> Any:
    made = dg.judgments.judge("Why?", spell("Note"), True, by="Ann")
    assert dg.judgments.judge("Why?", spell("Note"), None, by="Ann") is None
    assert dg.judgments.list() == ()
    return made


def imported(dg: Docgraph, spell: Spell) -> Any:
    assert dg.judgments.import_relevant({"Why?": [spell("Note"), spell("ADR-1")]}, by="Ann").n_new == 2
    return dg.judgments.list()


def deleted(dg: Docgraph, spell: Spell) -> Any:
    return (dg.documents.delete([spell("Note"), "nobody"]), [d.document_id for d in dg.documents.list()])


def saved(dg: Docgraph, spell: Spell) -> Any:
    return dg.runs.save(asking(spell)).content_hash


def ranked(dg: Docgraph, spell: Spell) -> Any:
    found = dg.runs.compare_with(asking(spell), [(spell("ADR-1"), 1.0), (spell("Note"), 0.5)], name="own")
    return found.sentence, [(each.document_id, each.place) for each in found.a.documents]


def compared(dg: Docgraph, spell: Spell) -> Any:
    return dg.compare(asking(spell)).sentence


def compared_edits(dg: Docgraph, spell: Spell) -> Any:
    with_edge = asking(spell) | {"overrides": {}}
    return dg.relationships.compare_edits(with_edge, removing(spell)).sentence


CASES: dict[str, Callable[[Docgraph, Spell], Any]] = {
    "documents.get": lambda dg, spell: dg.documents.get(spell("ADR-1")),
    "documents.chunks": lambda dg, spell: dg.documents.chunks(spell("ADR-1")),
    "documents.delete": deleted,
    "relationships.list": lambda dg, spell: list(dg.relationships.list(document_id=spell("ADR-1"))),
    "relationships.evidence": lambda dg, spell: dg.relationships.evidence(spell("ADR-1"), spell("Note")),
    "relationships.impact": lambda dg, spell: dg.relationships.impact(removing(spell)),
    "relationships.effects": lambda dg, spell: dg.relationships.effects([removing(spell)]),
    "relationships.compare_edits": compared_edits,
    "relationships.edit": edited,
    "relationships.add": relationship_added,
    "relationships.update": updated,
    "relationships.remove": lambda dg, spell: dg.relationships.remove(spelled(EDGE, spell)),
    "relationships.history": history_of,
    "relationships.undo": added_and_undone,
    "relationships.export": lambda dg, spell: list(dg.relationships.export(document_id=spell("ADR-1"))),
    "runs.save": saved,
    "judgments.judge": judged,
    "judgments.import_relevant": imported,
    "plan": lambda dg, spell: dg.plan(asking(spell)),
    "run": lambda dg, spell: content(dg.run(asking(spell))),
    "explain": lambda dg, spell: dg.explain(asking(spell), spell("Note")),
    "compare": compared,
    "runs.compare_with": ranked,
}


def operations(kind: type, path: str = "") -> Iterator[tuple[str, inspect.Signature]]:
    for name, member in public_members(kind).items():
        if namespace := namespace_of(member):
            yield from operations(namespace, f"{name}.")
        elif callable(member):
            yield path + name, inspect.signature(member)


def takes_ids(signature: inspect.Signature) -> bool:
    return any(
        name in IDS or any(part in f"{name} {each.annotation}" for part in HOLDING)
        for name, each in signature.parameters.items()
    )


def opened() -> Docgraph:
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=lambda: 0.0,
        now=lambda: "2026-11-22T00:00:00+00:00",
    )
    dg = Docgraph(adapters, "test")
    documents = [
        Document(document_id=each, title=f"On {each}", text=f"The text of {each}.")
        for each in ("ADR-1", "Note", "Queue")
    ]
    dg.ingest_records(documents, [edge(EDGE), edge(("Note", "explains", "GONE"))])
    return dg


def test_every_operation_that_takes_an_id_stands_in_the_table_or_says_why_not() -> None:
    taking = {name for name, signature in operations(Docgraph) if takes_ids(signature)}
    assert taking == CASES.keys() | EXACT.keys()


@pytest.mark.parametrize("name", CASES)
def test_an_id_means_the_same_whatever_its_case(name: str) -> None:
    with opened() as one, opened() as other:
        assert CASES[name](other, str.swapcase) == CASES[name](one, str)


def test_an_id_that_means_several_documents_is_refused_by_every_operation_with_their_names() -> None:
    twins = [Document(document_id=i.title(), title=i, text="The other.") for i in ("ADR-1", "Note", "Queue")]
    for name, call in CASES.items():
        if name == "judgments.import_relevant":
            continue
        with opened() as dg:
            dg.ingest_records([*twins, Document(document_id="NOTE", title="third", text="The third.")])
            with pytest.raises(UserError, match=r"means [23] documents: '"):
                call(dg, str.swapcase)


def test_a_file_of_judgments_lists_ids_that_mean_several_documents() -> None:
    with opened() as dg:
        dg.ingest_records([Document(document_id="NOTE", title="third", text="The third.")])
        done = dg.judgments.import_relevant({"Why?": ["note", "adr-1"]}, by="Ann")
    assert (done.n_new, [each.document_id for each in done.not_judged]) == (1, ["note"])
    assert done.not_judged[0].reason == "'note' means 2 documents: 'NOTE', 'Note'"


def test_a_target_that_no_document_has_keeps_the_text_given() -> None:
    with opened() as dg:
        (entry,) = dg.relationships.edit([Edit(action="add", key=("adr-1", "explains", "Gone"))], by="Ann")
        assert entry.after is not None
        assert entry.after.key == ("ADR-1", "explains", "Gone")
        (moved,) = dg.relationships.edit(
            [Edit(action="retarget", key=("adr-1", "cites", "note"), to_document_id="Nowhere")], by="Ann"
        )
        assert moved.after is not None
        assert moved.after.key == ("ADR-1", "cites", "Nowhere")


def test_a_relationship_that_dangles_is_found_as_it_is_written_though_a_document_is_called_alike() -> None:
    with opened() as dg:
        dg.ingest_records([Document(document_id="gone", title="Gone", text="Here again.")])
        assert [each.key for each in dg.relationships.list(document_id="GONE")] == [("Note", "explains", "GONE")]
        assert dg.relationships.remove(("note", "explains", "GONE")).to_document_id == "GONE"


def test_an_edge_that_is_not_there_is_unknown_as_before() -> None:
    with opened() as dg, pytest.raises(NotFoundError, match="there is no relationship adr-1 —explains→ note"):
        dg.relationships.remove(("adr-1", "explains", "note"))


def test_what_was_said_of_a_removed_document_is_taken_back_from_it_alone() -> None:
    with opened() as dg:
        dg.ingest_records([Document(document_id="note", title="small", text="Small.")])
        for each in ("note", "Note"):
            dg.judgments.judge("Why?", each, True, by="Ann")
        dg.documents.delete(["note"])
        dg.judgments.judge("Why?", "note", None, by="Ann")
        assert [each.document_id for each in dg.judgments.list()] == ["Note"]
