"""Every public operation of ``Docgraph`` with arguments that work; a member that is in no table here is noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any

from docgraph import Document
from docgraph.aio import namespace_of, public_members
from docgraph.domain.imports.record import ImportDiff
from docgraph.domain.packet import PacketRequest
from docgraph.errors import NotFoundError, StoreError
from docgraph.orchestration.docgraph import Docgraph
from tests.survive.workspaces import DECISION, EDGE, FINDING, OTHER, REQUEST, SETTLED

Operation = Callable[[Docgraph, Mapping[str, Any]], Any]
"""(docgraph, what ``workspaces.fill`` gave) → the result."""
ASK_NO_DATABASE = {
    "documents.look",
    "relationships.matrix_file",
    "acting_as",
    "embedding.offer_of",
    "backups.read",
    "close",
    "workspace_name",
    "embedder",
    "assemble",
    "use_workspace",
}
ADMINISTERED = {
    "backups.write",
    "backups.restore",
    "documents.delete",
    "documents.set_vector_search",
    "embedding.abandon",
    "ingest",
    "ingest_files",
    "ingest_records",
    "create_workspace",
    "drop_workspace",
}
"""What only an admin may do, where it is known who does it; a curator may do all other writing, a viewer none."""
OF_THEIR_OWN = {"embedding.embed", "embedding.embed_with"}
"""What takes another embedder, and is killed and interrupted at every batch by tests of its own."""
KEEPS_NOTHING = {"calibration.fit"}
"""Writing that keeps nothing of what is given here, so everybody may do it."""
ADD = {"action": "add", "key": OTHER.key}
FILES = [("a.md", b"# Queue a\n\nChanged. See [b](b.md).\n"), ("new.md", b"# New\n\nA new queue.\n")]
PASSAGE = {"query": "queue b", "chunk_id": "b#0", "grade": 1}
CSV = b"from,type,to\na,explains,c\n"

READING: dict[str, Operation] = {
    "documents.list": lambda dg, k: list(dg.documents.list(text="queue")),
    "documents.get": lambda dg, k: dg.documents.get("a"),
    "documents.by_id": lambda dg, k: dg.documents.by_id(["a", "b"]),
    "embedding.state": lambda dg, k: dg.embedding.state(),
    "embedding.offers": lambda dg, k: dg.embedding.offers(),
    "documents.fields": lambda dg, k: dg.documents.fields(),
    "documents.chunks": lambda dg, k: dg.documents.chunks("a"),
    "documents.measure_vector_search": lambda dg, k: dg.documents.measure_vector_search(n_questions=1),
    "documents.search_recall": lambda dg, k: dg.documents.search_recall(n_questions=1),
    "imports.list": lambda dg, k: dg.imports.list(),
    "imports.diff": lambda dg, k: _of_imports(lambda: dg.imports.diff(1)),
    "imports.since": lambda dg, k: _of_imports(lambda: dg.imports.since("2026-11-16")),
    "imports.newest_diffs": lambda dg, k: dg.imports.newest_diffs(),
    "backups.write": lambda dg, k: _written(dg),
    "backups.verify": lambda dg, k: dg.backups.verify(),
    "relationships.list": lambda dg, k: list(dg.relationships.list(dangling=False)),
    "relationships.matrix": lambda dg, k: dg.relationships.matrix(),
    "relationships.types": lambda dg, k: dg.relationships.types(),
    "relationships.type_roles": lambda dg, k: dg.relationships.type_roles(),
    "relationships.trials": lambda dg, k: dg.relationships.trials(),
    "relationships.type_history": lambda dg, k: dg.relationships.type_history(),
    "relationships.vocabulary": lambda dg, k: dg.relationships.vocabulary(),
    "relationships.suggestions": lambda dg, k: dg.relationships.suggestions(),
    "relationships.evidence": lambda dg, k: dg.relationships.evidence("a", "b"),
    "relationships.scoreboard": lambda dg, k: _scored(dg),
    "relationships.impact": lambda dg, k: dg.relationships.impact([ADD]),
    "relationships.effects": lambda dg, k: dg.relationships.effects([[ADD], []]),
    "relationships.compare_edits": lambda dg, k: dg.relationships.compare_edits(REQUEST, [ADD]),
    "relationships.merge_edits": lambda dg, k: dg.relationships.merge_edits(["explains"], "describes"),
    "relationships.history": lambda dg, k: dg.relationships.history(document_id="a"),
    "relationships.blocking": lambda dg, k: dg.relationships.blocking(k["entry"].entry_id),
    "relationships.export": lambda dg, k: list(dg.relationships.export("jsonl", history=True)),
    "relationships.read_file": lambda dg, k: dg.relationships.read_file(CSV, name="x.csv"),
    "relationships.patch": lambda dg, k: dg.relationships.patch(k["folder"]),
    "runs.get": lambda dg, k: dg.runs.get(k["saved"].run_id),
    "runs.list": lambda dg, k: dg.runs.list(),
    "runs.reviews": lambda dg, k: dg.runs.reviews(k["saved"].run_id),
    "runs.verify": lambda dg, k: dg.runs.verify(k["run"]),
    "runs.baseline": lambda dg, k: dg.runs.baseline(k["run"], "ms3"),
    "runs.compare_with": lambda dg, k: dg.runs.compare_with(REQUEST, [("a", 1.0)]),
    "runs.compare": lambda dg, k: dg.runs.compare(*[dg.runs.baseline(k[each], "ms3") for each in ("saved", "run")]),
    "runs.changes_since": lambda dg, k: dg.runs.changes_since(k["saved"]),
    "runs.rerun": lambda dg, k: dg.runs.rerun(k["saved"]),
    "judgments.list": lambda dg, k: dg.judgments.list(),
    "judgments.of_documents": lambda dg, k: dg.judgments.of_documents(),
    "judgments.passages": lambda dg, k: dg.judgments.passages(),
    "query_sets.propose": lambda dg, k: dg.query_sets.propose(),
    "query_sets.list": lambda dg, k: dg.query_sets.list(),
    "query_sets.get": lambda dg, k: dg.query_sets.get("mine"),
    "query_sets.export": lambda dg, k: dg.query_sets.export("mine", form="jsonl"),
    "query_sets.runs": lambda dg, k: dg.query_sets.runs("mine"),
    "query_sets.pool": lambda dg, k: dg.query_sets.pool("mine"),
    "query_sets.pile": lambda dg, k: dg.query_sets.pile(dg.query_sets.pool("mine"), by="me"),
    "query_sets.judges": lambda dg, k: dg.query_sets.judges(dg.query_sets.pool("mine")),
    "query_sets.agreement": lambda dg, k: dg.query_sets.agreement(dg.query_sets.pool("mine"), "me", "you"),
    "query_sets.result": lambda dg, k: dg.query_sets.result(k["evaluation"]),
    "query_sets.limits": lambda dg, k: _swept(dg),
    "memory.recall": lambda dg, k: dg.memory.recall("queue"),
    "memory.list": lambda dg, k: dg.memory.list(),
    "calibration.confidence": lambda dg, k: dg.calibration.confidence(k["run"]),
    "calibration.list": lambda dg, k: dg.calibration.list(),
    "rules.get": lambda dg, k: dg.rules.get(),
    "rules.dismissals": lambda dg, k: dg.rules.dismissals(),
    "rules.contested": lambda dg, k: dg.rules.contested(),
    "triage.list": lambda dg, k: dg.triage.list(),
    "plan": lambda dg, k: dg.plan(REQUEST),
    "execute": lambda dg, k: dg.execute(k["run"].plan),
    "run": lambda dg, k: dg.run(REQUEST, verify="full"),
    "explain": lambda dg, k: dg.explain(REQUEST, "b"),
    "compare": lambda dg, k: dg.compare(REQUEST),
    "retrieve": lambda dg, k: dg.retrieve(PacketRequest(query="queue a"), statuses=SETTLED),  # type: ignore[arg-type]
    "converse": lambda dg, k: dg.converse(None, "What is queue a?", statuses=SETTLED),  # type: ignore[arg-type]
    "evaluate": lambda dg, k: _evaluated(dg),
    "check": lambda dg, k: dg.check(),
    "workspace": lambda dg, k: dg.workspace,
    "workspaces": lambda dg, k: dg.workspaces(),
    "may_write": lambda dg, k: dg.may_write(),
    "health": lambda dg, k: dg.health(),
}
WRITING: dict[str, Operation] = {
    "documents.delete": lambda dg, k: dg.documents.delete(["a"]),
    "documents.set_vector_search": lambda dg, k: dg.documents.set_vector_search("quantized"),
    "embedding.abandon": lambda dg, k: dg.embedding.abandon(),
    "relationships.set_off_types": lambda dg, k: dg.relationships.set_off_types(["explains"]),
    "relationships.set_type_role": lambda dg, k: dg.relationships.set_type_role("explains", "reasons_only"),
    "relationships.undo_type": lambda dg, k: dg.relationships.undo_type(1),
    "relationships.try_types": lambda dg, k: dg.relationships.try_types(n_questions=20).results,
    "relationships.adopt_trial": lambda dg, k: dg.relationships.adopt_trial(1),
    "relationships.edit": lambda dg, k: dg.relationships.edit(
        [{"action": "remove", "key": EDGE.key}, ADD], by="me", new_types=True
    ),
    "relationships.add": lambda dg, k: dg.relationships.add(OTHER),
    "relationships.update": lambda dg, k: dg.relationships.update(EDGE.key, OTHER),
    "relationships.remove": lambda dg, k: dg.relationships.remove(EDGE.key),
    "relationships.undo": lambda dg, k: dg.relationships.undo(k["entry"].entry_id, by="me"),
    "relationships.undo_act": lambda dg, k: dg.relationships.undo_act(k["entry"].act, by="me"),
    "relationships.import_file": lambda dg, k: dg.relationships.import_file(CSV, by="me", name="x.csv"),
    "runs.describe": lambda dg, k: dg.runs.describe(k["saved"].run_id, name="other"),
    "runs.delete": lambda dg, k: dg.runs.delete(k["saved"].run_id, forever=True),
    "runs.restore": lambda dg, k: dg.runs.restore(k["gone"]),
    "runs.review": lambda dg, k: dg.runs.review(k["saved"].run_id, "note", by="me", text="Seen."),
    "runs.save": lambda dg, k: dg.runs.save("queue c", name="third"),
    "judgments.judge": lambda dg, k: dg.judgments.judge("queue b", "b", True, by="me"),
    "judgments.import_relevant": lambda dg, k: dg.judgments.import_relevant({"queue d": ["d"]}, by="me"),
    "judgments.judge_passage": lambda dg, k: dg.judgments.judge_passage("queue b", "b#0", 1, by="me"),
    "judgments.withdraw_passage": lambda dg, k: dg.judgments.withdraw_passage("queue a", "a#0", by="me"),
    "judgments.import_passages": lambda dg, k: dg.judgments.import_passages([PASSAGE], by="you"),
    "query_sets.keep": lambda dg, k: dg.query_sets.keep(["queue b"], name="other"),
    "query_sets.run": lambda dg, k: dg.query_sets.run("mine", workers=1),
    "query_sets.pin": lambda dg, k: dg.query_sets.pin(k["evaluation"]),
    "query_sets.remove_run": lambda dg, k: dg.query_sets.remove_run(k["evaluation"]),
    "query_sets.remove": lambda dg, k: dg.query_sets.remove("mine"),
    "memory.remember": lambda dg, k: dg.memory.remember(["One thing.", "Another."]),
    "memory.forget": lambda dg, k: dg.memory.forget(conversation_id="c"),
    "calibration.fit": lambda dg, k: dg.calibration.fit(_questions()),
    "calibration.reset": lambda dg, k: dg.calibration.reset(),
    "rules.set": lambda dg, k: dg.rules.set({"orphan": {"on": False}}),
    "rules.dismiss": lambda dg, k: dg.rules.dismiss([FINDING], by="me", reason="another"),
    "rules.withdraw": lambda dg, k: dg.rules.withdraw([FINDING.finding_id]),
    "triage.assign": lambda dg, k: dg.triage.assign([DECISION], "you", by="me"),
    "triage.due": lambda dg, k: dg.triage.due([DECISION], "2026-11-30", by="me"),
    "triage.comment": lambda dg, k: dg.triage.comment([DECISION], "It is on its way.", by="me"),
    "triage.decided": lambda dg, k: dg.triage.decided([DECISION], "Removed", by="me"),
    "triage.withdraw": lambda dg, k: dg.triage.withdraw([1]),
    "ingest": lambda dg, k: dg.ingest(k["folder"]),
    "ingest_files": lambda dg, k: dg.ingest_files(FILES),
    "ingest_records": lambda dg, k: dg.ingest_records([Document(document_id="a", title="a", text="Changed.")], [OTHER]),
    "backups.restore": lambda dg, k: _restored(dg),
    "create_workspace": lambda dg, k: dg.create_workspace("other"),
    "drop_workspace": lambda dg, k: dg.drop_workspace("w"),
}


def _of_imports(ask: Callable[[], ImportDiff]) -> object:
    """What is different, or that there is nothing to compare: the workspace was filled by records."""
    try:
        return ask()
    except NotFoundError as problem:
        return problem.message


def _written(dg: Docgraph) -> object:
    """What a backup holds; its bytes follow the order in which the database gives rows, which it may change."""
    return [
        (
            each.model_dump(exclude={"tables", "kept"}),
            [(file.table, file.n_rows) for file in (*each.tables, *each.kept)],
        )
        for each in dg.backups.write(BytesIO()).workspaces
    ]


def _restored(dg: Docgraph) -> object:
    """The database out of its own backup; two operations in one."""
    file = BytesIO()
    dg.backups.write(file)
    file.seek(0)
    return dg.backups.restore(file, replace=True)


def _evaluated(dg: Docgraph) -> object:
    """Means over two questions; one without an answer is told in its outcome, and raised here as what it was."""
    found = dg.evaluate([{"query": f"queue {i}", "grades": {i: 2}} for i in "ab"], workers=1)
    if found.failures:
        raise StoreError(found.failures[0][2], hint="evaluate again")
    return found.figures, found.differences


def _scored(dg: Docgraph) -> object:
    """A scoreboard over two questions; one that failed is raised as what it was."""
    found = dg.relationships.scoreboard([{"query": f"queue {i}", "grades": {i: 2}} for i in "ab"])
    if found.failures:
        raise StoreError(found.failures[0][1], hint="score again")
    return found.edges, found.types


def _swept(dg: Docgraph) -> object:
    """Limits over two questions; one that failed is raised as what it was."""
    queries = [{"query": f"queue {i}", "grades": {i: 2}} for i in "ab"]
    found = dg.query_sets.limits(queries, values={"max_fan_out": [1]}, workers=1)
    if found.failures:
        raise StoreError(found.failures[0][1], hint="sweep again")
    return found.sweeps


def _questions() -> list[dict[str, Any]]:
    return [{"query": f"queue {i}", "relevant": [i]} for i in "abcd"] * 5


def members(kind: type = Docgraph, prefix: str = "") -> Iterator[str]:
    """The name of every public member, those of namespaces behind theirs."""
    for name, member in public_members(kind).items():
        inside = namespace_of(member)
        if inside is None:
            yield prefix + name
        else:
            yield from members(inside, f"{name}.")
