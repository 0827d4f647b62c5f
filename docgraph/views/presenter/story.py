"""What the presenter says about a comparison: counted sentences, what came in, what it cost; generated, never typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.anchors import section_words
from docgraph.domain.comparison import ChunkChange, Comparison, DocumentChange
from docgraph.domain.plan import Reason
from docgraph.views.compare.tables import readable_texts
from docgraph.views.lanes.layout import Dash, dash
from docgraph.views.plan.documents import titles
from docgraph.views.words.changes import chunk_name, departure_text
from docgraph.views.words.counts import plural
from docgraph.views.words.judgments import JudgedTag, tag_of

STEPS = 3
POINT = "No relationships here, so the result is unchanged, as promised."
NOT_APPLIED = "No match links to another document. The result is the same as without relationships."

Tone = Literal["", "added", "left", "gained", "lost"]


@dataclass(frozen=True)
class Part:
    """A piece of a sentence; ``tone`` colours a counted word."""

    text: str
    tone: Tone = ""


Line = tuple[Part, ...]


@dataclass(frozen=True)
class ReasonMark:
    """One relationship that leads to a document: where it starts, its type, its line style.

    ``section`` = the section that it points to: ``its section Limits``, or empty.
    """

    from_title: str
    via: str
    dash: Dash
    section: str = ""


@dataclass(frozen=True)
class Arrival:
    """A document that came in, or passages of one that was there; ``note`` says what the reasons do not."""

    document_id: str
    title: str
    passages: str
    reasons: tuple[ReasonMark, ...] = ()
    note: str = ""
    tag: JudgedTag = ""


@dataclass(frozen=True)
class Cost:
    """A document that left, or a passage of one that stays: why, and its best text that is not read any more."""

    document_id: str
    title: str
    heading: str
    why: str
    score: float
    text: str
    tag: JudgedTag = ""


@dataclass(frozen=True)
class ReadRow:
    """A document judged relevant: whether it is read without and with relationships."""

    title: str
    before: bool
    after: bool
    tag: JudgedTag


@dataclass(frozen=True)
class Fact:
    """One count or promise in the footer; ``kept`` False = it was broken."""

    text: str
    kept: bool = True
    sign: Literal["added", "left", "check"] = "check"


def step_of(text: str | None) -> int:
    """The step that an address names, 1 to 3; the first one for anything else."""
    return int(text) if text in ("1", "2", "3") else 1


def passages(n: int) -> str:
    """``no passage``, ``1 passage``, ``4 passages``: what the presenter calls chunks."""
    return plural(n, "passage") if n else "no passage"


def documents(n: int) -> str:
    """``no document``, ``1 document``, ``3 documents``."""
    return plural(n, "document") if n else "no document"


def found(comparison: Comparison) -> Line:
    """Step 1: "Without relationships: 6 documents, 10 passages."."""
    run = comparison.a.run
    n = len(run.plan.document_ids)
    if n == 0:
        return (Part("Without relationships, nothing is found."),)
    return (Part(f"Without relationships: {documents(n)}, {passages(run.context.n_chunks)}."),)


def related(comparison: Comparison) -> tuple[Line, str]:
    """Step 2: how many documents relationships lead to, and one line under it."""
    expanded = comparison.b.run.plan.expanded_document_ids
    before = set(comparison.a.run.plan.document_ids)
    n, n_new = len(expanded), sum(i not in before for i in expanded)
    if n == 0:
        return (Part("No relationship to follow."),), _why_nothing(comparison)
    if n_new == n:
        line = (Part("Relationships lead to "), Part(plural(n, "more document"), "added"), Part("."))
    else:
        new = "it was found before" if n == 1 else f"{n_new or 'none'} of them new"
        line = (Part("Relationships lead to "), Part(documents(n), "added"), Part(f", {new}."))
    return line, _room(comparison)


def _room(comparison: Comparison) -> str:
    """``The plan reads 6 documents, so 2 others are removed. The top 4 stay in place.``"""
    n, n_left = len(comparison.b.run.plan.document_ids), len(comparison.documents_with("left"))
    said = f"The plan reads {documents(n)}, and none is removed."
    if n_left:
        said = f"The plan reads {documents(n)}, so {n_left:,} other{'s are' if n_left > 1 else ' is'} removed."
    n_top = _n_top(comparison)
    if not n_top:
        return said
    return f"{said} The top {f'{n_top:,} stay' if n_top > 1 else 'one stays'} in place."


def _n_top(comparison: Comparison) -> int:
    """How many of the first documents are the same in both plans."""
    pairs = zip(comparison.a.run.plan.document_ids, comparison.b.run.plan.document_ids, strict=False)
    return next(
        (i for i, (a, b) in enumerate(pairs) if a != b),
        min(len(comparison.a.run.plan.document_ids), len(comparison.b.run.plan.document_ids)),
    )


def changed(comparison: Comparison) -> tuple[Line, ...]:
    """Step 3: what was judged, when it was, then documents in and out. One sentence when nothing changed."""
    if comparison.identical:
        return ((Part(POINT),),)
    found = (_passage(comparison), _value(comparison), _moved(comparison))
    return tuple(each for each in found if each)


def why_same(comparison: Comparison) -> str:
    """Why nothing changed; empty when something did."""
    return _why_nothing(comparison) if comparison.identical else ""


def owed(comparison: Comparison) -> tuple[DocumentChange, ...]:
    """Documents that came in over relationships; beside the same request without them nothing else can come in."""
    return tuple(d for d in comparison.documents_with("added") if d.role_b == "expanded")


def arrivals(comparison: Comparison) -> tuple[Arrival, ...]:
    """Documents with passages that came in: first those owed to relationships, in plan order."""
    mine = {d.document_id for d in owed(comparison)}
    n_in = Counter(c.document_id for c in comparison.chunks_with("added"))
    names = titles(comparison.b.run.plan)
    rows = [d for d in comparison.documents if d.change == "added" or n_in[d.document_id]]
    rows.sort(key=lambda d: (d.document_id not in mine, d.change != "added", d.place_b or 0, d.document_id))
    return tuple(_arrival(d, n_in[d.document_id], names, tag=tag_of(comparison, d.document_id)) for d in rows)


def costs(comparison: Comparison) -> tuple[Cost, ...]:
    """What left: whole documents in the order in which they were read, then passages of documents that stay."""
    by_document: dict[str, list[ChunkChange]] = {}
    for chunk in comparison.chunks_with("left"):
        by_document.setdefault(chunk.document_id, []).append(chunk)
    gone = comparison.documents_with("left")
    found_costs = [_left_document(d, comparison, by_document.get(d.document_id, [])) for d in gone]
    whole = {d.document_id for d in gone}
    stays = [c for i, own in by_document.items() if i not in whole for c in own]
    return (*found_costs, *(_left_passage(chunk, comparison) for chunk in stays))


def read_rows(comparison: Comparison) -> tuple[ReadRow, ...]:
    """The documents judged relevant, in the order of the comparison."""
    return tuple(ReadRow(d.title, d.in_a, d.in_b, tag_of(comparison, d.document_id)) for d in comparison.relevant)


def counted(comparison: Comparison, change: Literal["added", "left"]) -> str:
    """``2 documents, 2 passages`` that came in, or left."""
    return f"{documents(len(comparison.documents_with(change)))}, {passages(len(comparison.chunks_with(change)))}"


def facts(comparison: Comparison, *, contract: bool) -> tuple[Fact, ...]:
    """The footer: documents in, out and kept, counted from the same pair as the headline, then the contract."""
    n = {change: len(comparison.documents_with(change)) for change in ("added", "left", "kept")}
    counts: tuple[Fact, ...] = ()
    if not comparison.identical:
        counts = (
            Fact(f"{documents(n['added'])} added", sign="added"),
            Fact(f"{documents(n['left'])} removed", sign="left"),
        )
    kept = comparison.documents_with("kept")
    in_place = all(d.place_a == d.place_b and d.role_a == d.role_b for d in kept)
    same = f"{n['kept']:,} unchanged" if in_place else f"{n['kept']:,} in both, same scores"
    drift = comparison.score_drift
    stays = (Fact(f"Scores changed by up to {drift:g}", kept=False),) if drift else (Fact(same),) if kept else ()
    checks = comparison.b.run.contract
    n_passed = sum(check.passed for check in checks)
    promises = (Fact(f"Checks passed: {n_passed} of {len(checks)}", n_passed == len(checks)),) if contract else ()
    return (*counts, *stays, *promises)


def same_facts(comparison: Comparison) -> tuple[str, ...]:
    """What stayed in an answer that did not change, counted."""
    n_documents, n_chunks = len(comparison.documents), len(comparison.chunks)
    if not n_documents:
        return ("Nothing was found in either",)
    return (
        f"The same {documents(n_documents)}" if n_documents > 1 else "The same document",
        f"The same {passages(n_chunks)}, in the same order" if n_chunks > 1 else "The same passage",
        "The same scores",
    )


def superseded(metadata: object) -> bool:
    """Whether a document's metadata says that something newer replaced it."""
    return isinstance(metadata, dict) and "supersed" in str(metadata.get("status", "")).lower()


def superseded_words(by: str) -> str:
    """``superseded by ADR-016 Keys for everything``; ``superseded`` where the data does not say by what."""
    return f"superseded by {by}" if by else "superseded"


# ---------------------------------------------------------------- inside


def _why_nothing(comparison: Comparison) -> str:
    plan = comparison.b.run.plan
    if plan.constraints.use_relationships and plan.consulted and not plan.expanded_documents:
        return NOT_APPLIED
    return comparison.why_identical or NOT_APPLIED


def _passage(comparison: Comparison) -> Line:
    """``The answering passage is read. Without: no.``; nothing where no passage is known to answer."""
    passage = comparison.passage
    if passage is None:
        return ()
    what = "The answering passage is" if passage.n == 1 else f"All {passage.n} answering passages are"
    if not passage.in_b:
        head = "not read any more" if passage.in_a else "not read"
        tail = ". Without: yes." if passage.in_a else ", with or without."
        return Part(f"{what} {head}", "lost" if passage.in_a else ""), Part(tail)
    return Part(f"{what} read", "" if passage.in_a else "gained"), Part(
        ", with and without." if passage.in_a else ". Without: no."
    )


def _value(comparison: Comparison) -> Line:
    """``3 of 3 relevant documents are read. Without: 2.``; a loss goes first; nothing where nobody judged."""
    n = len(comparison.relevant)
    if not n:
        return ()
    before, after = sum(d.in_a for d in comparison.relevant), sum(d.in_b for d in comparison.relevant)
    lost, gained = len(comparison.lost), len(comparison.gained)
    noun = plural(n, "relevant document")
    if lost:
        head = Part(f"{plural(lost, 'relevant document')} {'is' if lost == 1 else 'are'} lost", "lost")
        won = (Part(", "), Part(f"{gained:,} gained", "gained")) if gained else ()
        tail = f": still {after:,} of {n:,}." if after == before else f": {before:,} → {after:,} of {n:,}."
        return (head, *won, Part(tail))
    read = f" {'is' if n == 1 else 'are'} read"
    tail = f"{read}. Without: {before:,}." if gained else f"{read}, with and without."
    return Part(f"{after:,} of {noun}", "gained" if gained else ""), Part(tail)


def _moved(comparison: Comparison) -> Line:
    """``Relationships add 2 documents and remove 2.``; passages where no document changed."""
    n_in, n_out = len(comparison.documents_with("added")), len(comparison.documents_with("left"))
    if n_in or n_out:
        into, out = documents(n_in), documents(n_out) if n_out and not n_in else f"{n_out:,}" if n_out else "none"
        return (
            Part("Relationships add "),
            Part(into, "added"),
            Part(" and remove "),
            Part(out, "left" if n_out else ""),
            Part("."),
        )
    c_in, c_out = len(comparison.chunks_with("added")), len(comparison.chunks_with("left"))
    if c_in or c_out:
        into, out = f"{passages(c_in)} added", f"{passages(c_out)} removed"
        return (
            Part("The same documents: "),
            Part(into, "added"),
            Part(", "),
            Part(out, "left" if c_out else ""),
            Part("."),
        )
    n = sum(d.role_a == "seed" and d.role_b == "expanded" for d in comparison.documents)
    if n:
        return (Part(f"The same documents, {n:,} of them through a relationship."),)
    return (Part("The same passages in another order."),)


def _left_document(document: DocumentChange, comparison: Comparison, own: Sequence[ChunkChange]) -> Cost:
    n = len(comparison.a.run.plan.document_ids)
    cause = document.left_because
    why = f"position {document.place_a} of {n}"
    if cause is not None and cause.cause == "max_seeds":
        why += ", displaced"
    elif cause is not None:
        why = cause.short + (f", position {cause.place:,}" if cause.place else "")
    best = own[0] if own else None
    return Cost(
        document.document_id,
        document.title or document.document_id,
        passages(len(own)),
        why,
        best.score if best else 0.0,
        readable_texts(comparison, best)[0] if best else "",
        tag_of(comparison, document.document_id),
    )


def _left_passage(chunk: ChunkChange, comparison: Comparison) -> Cost:
    title, heading = chunk_name(chunk)
    if not heading.startswith("§"):
        heading = f"passage {chunk.chunk_index + 1}"
    why = departure_text(chunk.left_because).partition(", ")[0] if chunk.left_because else ""
    return Cost(chunk.document_id, title, heading, why, chunk.score, readable_texts(comparison, chunk)[0])


def _arrival(document: DocumentChange, n_in: int, names: dict[str, str], *, tag: JudgedTag) -> Arrival:
    count = passages(n_in) if document.change == "added" else f"{plural(n_in, 'passage')} more"
    if document.change != "added":
        note = "found before"
    elif document.role_b == "seed":
        note = "found by search"
    else:
        note = ""
    reasons = document.reasons if document.role_b == "expanded" else ()
    return Arrival(
        document.document_id,
        document.title or document.document_id,
        count,
        tuple(_mark(reason, names) for reason in reasons),
        note,
        tag,
    )


def _mark(reason: Reason, names: dict[str, str]) -> ReasonMark:
    start = reason.from_document_id
    return ReasonMark(names.get(start, start), reason.via, dash(reason.via), section_words(reason.sections))
