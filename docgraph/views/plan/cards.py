"""The documents of a plan as nodes of its graph: names, score, what a draft changes in them."""

from __future__ import annotations

from typing import Any

from pyvis.network import Network

from docgraph.domain.plan import SeedDocument
from docgraph.domain.run import Run
from docgraph.views.lanes.layout import node_id
from docgraph.views.plan.arrangement import Arrangement
from docgraph.views.plan.documents import Planned, best_chunk, id_and_title
from docgraph.views.plan.draft.marks import DraftMarks, Ghost
from docgraph.views.words import counts


def add_document(
    network: Network, document: Planned, run: Run, *, arrangement: Arrangement, draft: DraftMarks | None
) -> None:
    """A document of the plan, where the arrangement has it; its bar is the similarity of its best chunk.

    What keeps it from holding is what is most remarkable about it, but for what a draft does to it.
    """
    found = {d.document.document_id: d for d in run.context.documents}.get(document.document_id)
    share = {d.document_id: d for d in run.assembled.documents}.get(document.document_id)
    n_chunks = len(found.chunks) if found else 0
    tokens = share.conceptual_tokens + share.evidence_tokens if share else 0
    crossed = draft.crossed.get(document.document_id, "") if draft else ""
    enters = "added" if draft and document.document_id in draft.added else ""
    best = best_chunk(run, document.document_id)
    badge, short = _badge(document)
    standing = found.document.standing if found else None
    word = standing.word if standing else ""
    _add(
        network,
        document,
        seed=isinstance(document, SeedDocument),
        arrangement=arrangement,
        score=counts.score(best),
        bar=counts.bar(best),
        meta=(counts.plural(n_chunks, "passage") if n_chunks else "no passage", f"{tokens:,} tok"),
        badge=crossed or enters or word or badge,
        badge_short=crossed or enters or word or short,
        ended="" if standing is None or crossed or enters else standing.words,
        change="added" if crossed or enters else None,
    )


def add_ghost(network: Network, ghost: Ghost, *, arrangement: Arrangement) -> None:
    """A document that leaves with a draft: its place, and why."""
    meta = (ghost.text, ghost.tokens)
    _add(
        network,
        ghost.document,
        seed=ghost.seed,
        arrangement=arrangement,
        score="",
        bar=0,
        meta=meta,
        badge="",
        badge_short="",
        ended="",
        change="left",
    )


def _badge(document: Planned) -> tuple[str, str]:
    """What is remarkable about a document, and the same in a few pixels."""
    if isinstance(document, SeedDocument):
        return ("named", "named") if document.named else ("", "")
    n = len(document.reasons)
    return (counts.plural(n, "reason"), str(n)) if n > 1 else ("", "")


def _add(network: Network, document: Planned, *, seed: bool, arrangement: Arrangement, **shown: Any) -> None:
    i = document.document_id
    y, column = (arrangement.seed_y(i), 0) if seed else arrangement.expanded_spot(i)
    own, short = id_and_title(i, document.title)
    network.add_node(
        node_id(i),
        label=document.title or i,
        own_id=own,
        short=short,
        shape="custom",
        x=1 if seed else 2,
        y=y,
        column=column,
        kind="seed" if seed else "expanded",
        place=document.place,
        **shown,
    )
