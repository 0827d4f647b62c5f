"""The documents of a plan as one list, seeds first, with the names a reader knows them by."""

from __future__ import annotations

import re
from typing import TypeAlias

from docgraph.domain.context import DocumentEvidence
from docgraph.domain.plan import ExpandedDocument, RetrievalPlan, SeedDocument
from docgraph.domain.run import Run

Planned: TypeAlias = SeedDocument | ExpandedDocument

_WORD = re.compile(r"[^\W_]+")
_PART = re.compile(r"[^\W\d_]+|\d+")
_BETWEEN = " \t–—-:.,|·/"


def planned(plan: RetrievalPlan) -> tuple[Planned, ...]:
    """All documents in plan order."""
    documents: list[Planned] = [*plan.seed_documents]
    documents += plan.expanded_documents
    return tuple(documents)


def titles(plan: RetrievalPlan) -> dict[str, str]:
    """document_id → title, for every document that the plan mentions (its id where it has no title)."""
    found = {c.document_id: c.title or c.document_id for c in plan.cut}
    found |= {c.document_id: c.title or c.document_id for c in plan.consulted}
    return found | {d.document_id: d.title or d.document_id for d in planned(plan)}


def id_and_title(document_id: str, title: str) -> tuple[str, str]:
    """The id as its readers write it, and the title without it: ``("PEP 8", "Style Guide …")`` for ``peps/pep-0008``.

    An id that only repeats the words of the title is empty, and the title whole. Of an id that is a path the last part
    is meant; only one that ends with a number is looked for at the beginning of a title, since words stand there by
    chance as well.
    """
    own = document_id.rsplit("/", 1)[-1] or document_id
    wanted = _parts(own)
    if not title:
        return "", document_id
    if not wanted or not wanted[-1].isdecimal():
        return "" if _repeats(wanted, title) else own, title
    for word in _WORD.finditer(title):
        begun = _parts(title[: word.end()])
        rest = title[word.end() :].strip(_BETWEEN)
        if begun == wanted and rest:
            return title[: word.end()].strip(_BETWEEN), rest
        if begun != wanted[: len(begun)]:
            break
    return "" if _repeats(wanted, title) else own, title


def _repeats(wanted: tuple[str, ...], title: str) -> bool:
    """Whether all words of an id stand in the title, apart or together (``life-cycle`` and ``lifecycle``)."""
    parts = _parts(title)
    together = not any(part.isdecimal() for part in wanted) and "".join(wanted) in "".join(parts)
    return len(wanted) > 1 and (together or set(wanted) <= set(parts))


def _parts(text: str) -> tuple[str, ...]:
    """Letters and numbers in turn, without case and leading zeros."""
    return tuple(p.lstrip("0") or "0" if p.isdecimal() else p for p in _PART.findall(text.casefold()))


def evidence_of(run: Run, document_id: str) -> DocumentEvidence | None:
    """What is read of a document; None where it is not planned."""
    return next((each for each in run.context.documents if each.document.document_id == document_id), None)


def best_chunk(run: Run, document_id: str) -> float | None:
    """Similarity of a document's best chunk, the same number in every run of a question; None where it is not known."""
    found = evidence_of(run, document_id)
    if found is not None and found.score is not None:
        return found.score
    if run.plan.constraints.seed_signal != "chunk":
        return None
    return next((d.score for d in planned(run.plan) if d.document_id == document_id), None)
