"""Documents of a plan of which nothing can be read, because there are fewer chunks than documents: said beside it."""

from __future__ import annotations

from docgraph.domain.plan import RetrievalPlan
from docgraph.views.words.counts import plural


def unread_documents(plan: RetrievalPlan) -> tuple[str, str] | None:
    """Label and meaning: ``("4 documents unread", …)``; None where every planned document gets a chunk.

    A plan that reads one chunk of each document first, in plan order, ends where ``max_chunks`` does: its last
    documents, which are the related ones, get none. One that reads the best of all chunks promises none to anybody.
    """
    limits, n, left = plan.constraints, len(plan.document_ids), plan.n_unread
    if not left:
        return None
    related = min(left, len(plan.expanded_documents))
    which = f", {'all' if related == left else f'{related:,}'} of them related" if related else ""
    return (
        f"{plural(left, 'document')} unread",
        f"{plural(n, 'document')} are planned and {plural(limits.max_chunks, 'chunk')} read: the last {left:,} in plan "
        f"order{which}, get none. Ask for {n:,} chunks (max_chunks), or for fewer documents.",
    )
