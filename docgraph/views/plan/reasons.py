"""The selected document or edge of a plan, in words: role, place, every reason with its provenance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from docgraph.domain.plan import Reason, RetrievalPlan, SeedDocument
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import Dash, Edge, dash, edge_id, node_id
from docgraph.views.plan.documents import Planned, best_chunk, evidence_of, planned, titles
from docgraph.views.plan.draft.changes import Off
from docgraph.views.words import counts
from docgraph.views.words.provenance import Provenance, naming_sentence, stated_words


@dataclass(frozen=True)
class ReasonLine:
    """One edge that brings a document in: where it starts, its type, and the sentence (``text``) that names its target.

    ``found`` = where it is stated, when no sentence names the target. ``sections`` = heading paths of the target that
    it points to.
    ``off`` = how a draft leaves it aside: alone (``edge``), with its type (``type``), not at all (empty).
    """

    edge: Edge
    edge_id: str
    from_title: str
    to_title: str
    via: str
    dash: Dash
    found: str = ""
    text: str = ""
    off: Off = ""
    sections: tuple[str, ...] = ()


@dataclass(frozen=True)
class SelectedDocument:
    """A document of the plan: ``facts`` in one line, ``why`` heads the reasons, ``note`` what would change.

    ``standing`` says what keeps it from holding (empty: nothing does).
    """

    document_id: str
    title: str
    role: str
    facts: str
    why: str
    reasons: tuple[ReasonLine, ...]
    note: str = ""
    standing: str = ""


@dataclass(frozen=True)
class SelectedEdge:
    """An edge of the plan, and what depends on it."""

    line: ReasonLine
    note: str


def selectable(run: Run) -> tuple[str, ...]:
    """Ids that can be selected in this run: documents in plan order, then edges."""
    return (*map(node_id, run.plan.document_ids), *(edge_id(edge) for edge in run.plan.edges))


def document_of(run: Run, selected: str | None) -> str | None:
    """The document that a selection speaks of: itself, or the target of the edge."""
    by_node = {node_id(i): i for i in run.plan.document_ids}
    by_edge = {edge_id(edge): edge[2] for edge in run.plan.edges}
    return by_node.get(selected or "") or by_edge.get(selected or "")


def selected_edge(run: Run, selected: str | None, provenance: Provenance) -> SelectedEdge | None:
    """The edge with this id, or ``None``."""
    edge = next((e for e in run.plan.edges if edge_id(e) == selected), None)
    if edge is None:
        return None
    document = {d.document_id: d for d in planned(run.plan)}[edge[2]]
    others = len(document.reasons) - 1
    if edge[2] in run.plan.seed_document_ids:
        note = "Both documents are matches, so this relationship changes nothing."
    elif others:
        note = f"One of {others + 1} reasons: the plan keeps the document without this relationship."
    else:
        note = "The only reason: the document drops out without this relationship."
    reason = next(r for r in document.reasons if (r.from_document_id, r.via) == edge[:2])
    return SelectedEdge(reason_line(edge, titles(run.plan), provenance, sections=reason.sections), note)


def selected_document(run: Run, selected: str | None, provenance: Provenance) -> SelectedDocument | None:
    """The document with this node id, or ``None``."""
    plan, names = run.plan, titles(run.plan)
    n = len(plan.document_ids)
    for document in planned(plan):
        if node_id(document.document_id) != selected:
            continue
        seed = document.document_id in plan.seed_document_ids
        facts = [f"{'Match' if seed else 'Related'}, position {document.place:,} of {n:,}"]
        own = f"rank {document.rank or 0:,} by {plan.constraints.seed_signal}"
        facts += [own if document.rank else "named, not ranked" if seed else "not ranked"]
        facts += [_chunk_facts(run, document.document_id)]
        edges = [((r.from_document_id, r.via, document.document_id), r.sections) for r in document.reasons]
        return SelectedDocument(
            document_id=document.document_id,
            title=document.title or document.document_id,
            role="seed" if seed else "expanded",
            facts=", ".join(facts),
            why=_added(run, document.document_id) or _why(run, document, n_reasons=len(edges)),
            reasons=tuple(reason_line(edge, names, provenance, sections=to) for edge, to in edges),
            note=_note(len(edges), len(_bringing(plan, document)), seed=seed),
            standing=_standing(run, document.document_id),
        )
    return None


def _standing(run: Run, document_id: str) -> str:
    found = evidence_of(run, document_id)
    return found.document.standing_words if found is not None else ""


def _chunk_facts(run: Run, document_id: str) -> str:
    found = evidence_of(run, document_id)
    share = next((d for d in run.assembled.documents if d.document_id == document_id), None)
    tokens = share.conceptual_tokens + share.evidence_tokens if share else 0
    if found is None:
        return "not in the context"
    n, m = len(found.chunks), found.document.n_chunks
    best = counts.score(best_chunk(run, document_id))
    return f"best passage {best}, {n} of {counts.plural(m, 'passage')}, {tokens:,} tokens"


def _added(run: Run, document_id: str) -> str:
    """A seed that the request adds is in for that reason alone."""
    return "Included: added as a match" if document_id in run.request.overrides.added_seed_ids else ""


def _why(run: Run, document: Planned, *, n_reasons: int) -> str:
    if not isinstance(document, SeedDocument):
        return f"Included for {counts.plural(n_reasons, 'reason')}"
    signal = run.plan.constraints.seed_signal
    if document.named:
        text = f"Included first: the question names “{document.named}”"
    else:
        text = (
            f"Included by its own score: rank {document.rank:,} by {signal}" if document.rank else "Included on request"
        )
    return f"{text}. Relationships from other matches:" if n_reasons else text


def _bringing(plan: RetrievalPlan, document: Planned) -> tuple[Reason, ...]:
    return () if isinstance(document, SeedDocument) else plan.bringing(document)


def _note(n_reasons: int, n_bringing: int, *, seed: bool) -> str:
    if seed:
        return "Relationships between matches change nothing." if n_reasons else ""
    if n_reasons == 1:
        return "The only reason: the document drops out without this relationship."
    if n_bringing < n_reasons:
        adds = "adds" if n_bringing == 1 else "add"
        return f"{n_bringing} of {n_reasons} reasons {adds} it; the other types only give reasons."
    if n_reasons == 2:
        return "Stays if either relationship is removed; drops out only without both."
    return f"Stays if one relationship is removed; drops out only without all {n_reasons}."


def reason_line(
    edge: Edge, names: Mapping[str, str], provenance: Provenance, *, off: Off = "", sections: tuple[str, ...] = ()
) -> ReasonLine:
    """An edge in words: the sentence that names the target, else where it is stated; ``names`` are titles by id."""
    stored = provenance.get(edge)
    quote = naming_sentence(edge, provenance, names.get(edge[2], ""))
    return ReasonLine(
        edge=edge,
        edge_id=edge_id(edge),
        from_title=names.get(edge[0], edge[0]),
        to_title=names.get(edge[2], edge[2]),
        via=edge[1],
        dash=dash(edge[1]),
        found="" if quote or stored is None else stated_words(stored),
        text=quote,
        off=off,
        sections=sections,
    )
