"""What the presenter says about a comparison: counted sentences, what came in, what it cost; generated, never typed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from docgraph.domain.comparison import Comparison, DocumentChange
from docgraph.domain.plan import Reason
from docgraph.views.compare.texts import readable_texts
from docgraph.views.lanes.layout import Dash, dash
from docgraph.views.plan.documents import titles
from docgraph.views.words.changes import chunk_name, departure_text
from docgraph.views.words.counts import plural

STEPS = 3
POINT = "Nothing changes – and that is the point."
NOT_APPLIED = "No relationship applies, so the answer is that of the same search without them, passage by passage."

Tone = Literal["", "added", "left"]


@dataclass(frozen=True)
class Part:
    """A piece of a sentence; ``tone`` colours a counted word."""

    text: str
    tone: Tone = ""


Line = tuple[Part, ...]


@dataclass(frozen=True)
class ReasonMark:
    """One relationship that leads to a document: where it starts, its type, its line style."""

    from_title: str
    via: str
    dash: Dash


@dataclass(frozen=True)
class Arrival:
    """A document with passages that came in; ``note`` says what the reasons do not."""

    document_id: str
    title: str
    passages: str
    reasons: tuple[ReasonMark, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Cost:
    """A passage that left: its document, its heading, why and at which place it would be, its text and score."""

    title: str
    heading: str
    why: str
    score: float
    text: str


@dataclass(frozen=True)
class Fact:
    """One promise in the footer; ``kept`` False = it was broken."""

    text: str
    kept: bool = True


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
        return (Part("Without relationships nothing is found."),)
    return (Part(f"Without relationships: {documents(n)}, {passages(run.context.n_chunks)}."),)


def related(comparison: Comparison) -> tuple[Line, str]:
    """Step 2: how many documents relationships lead to, and one line under it."""
    expanded = comparison.b.run.plan.expanded_document_ids
    before = set(comparison.a.run.plan.document_ids)
    n, n_new = len(expanded), sum(i not in before for i in expanded)
    if n == 0:
        return (Part("No relationship leads further."),), _why_nothing(comparison)
    if n_new == n:
        line = (Part("Relationships lead to "), Part(plural(n, "more document"), "added"), Part("."))
    else:
        new = "it was found before" if n == 1 else f"{n_new or 'none'} of them new"
        line = (Part("Relationships lead to "), Part(documents(n), "added"), Part(f", {new}."))
    each = "Each is" if n > 1 else "It is"
    return line, f"{each} one step from a document that was found."


def changed(comparison: Comparison) -> tuple[Line, ...]:
    """Step 3 as two sentences in equal weight: the gain, then the price. One sentence when nothing changed."""
    if comparison.identical:
        return ((Part(POINT),),)
    return _gain(comparison), _price(comparison)


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
    return tuple(_arrival(d, n_in[d.document_id], names) for d in rows)


def costs(comparison: Comparison) -> tuple[Cost, ...]:
    """The passages that left, best first, each with the limit and the place it would have."""
    found_costs = []
    for chunk in comparison.chunks_with("left"):
        title, heading = chunk_name(chunk)
        if not heading.startswith("§"):
            heading = f"passage {chunk.chunk_index + 1}"
        why = departure_text(chunk.left_because).partition(", ")[0] if chunk.left_because else ""
        found_costs.append(Cost(title, heading, why, chunk.score, readable_texts(comparison, chunk)[0]))
    return tuple(found_costs)


def tokens(comparison: Comparison) -> tuple[int, int]:
    """Tokens of the whole context before and after."""
    total = next(t for t in comparison.tokens if t.layer == "total")
    return total.a, total.b


def facts(comparison: Comparison) -> tuple[Fact, ...]:
    """The footer: the first passages that stay, equal scores, the contract."""
    top = [Fact(f"Top {comparison.n_top} unchanged")] if comparison.n_top and not comparison.identical else []
    contract = comparison.b.run.contract
    n_passed = sum(check.passed for check in contract)
    promises = Fact(f"Contract {n_passed} of {len(contract)}", n_passed == len(contract))
    return (*top, *_scores(comparison), promises)


def same_facts(comparison: Comparison) -> tuple[str, ...]:
    """What stayed in an answer that did not change, counted."""
    n_documents, n_chunks = len(comparison.documents), len(comparison.chunks)
    if not n_documents:
        return ("Nothing was found on either side",)
    return (
        f"The same {documents(n_documents)}" if n_documents > 1 else "The same document",
        f"The same {passages(n_chunks)}, each in its place" if n_chunks > 1 else "The same passage",
        "The same scores",
    )


def superseded(metadata: object) -> bool:
    """Whether a document's metadata says that something newer replaced it."""
    return isinstance(metadata, dict) and "supersed" in str(metadata.get("status", "")).lower()


# ---------------------------------------------------------------- inside


def _why_nothing(comparison: Comparison) -> str:
    plan = comparison.b.run.plan
    if plan.constraints.use_relationships and plan.consulted and not plan.expanded_documents:
        return NOT_APPLIED
    return comparison.why_identical or NOT_APPLIED


def _gain(comparison: Comparison) -> Line:
    n_owed, n_added = len(owed(comparison)), len(comparison.documents_with("added"))
    n_chunks = len(comparison.chunks_with("added"))
    if n_owed:
        return Part("Relationships brought in "), Part(documents(n_owed), "added"), Part(".")
    if n_added:
        return Part(documents(n_added), "added"), Part(" came in, none of them over a relationship.")
    if n_chunks:
        return Part("No new document, but "), Part(f"{passages(n_chunks)} in", "added"), Part(".")
    return (Part("The same passages in another order."),)


def _price(comparison: Comparison) -> Line:
    n_left = len(comparison.chunks_with("left"))
    a, b = tokens(comparison)
    if b == a:
        spent = "not one token more" if n_left == 0 else "no token more"
    else:
        spent = f"{plural(abs(b - a), 'token')} {'more' if b > a else 'fewer'}"
    if n_left == 0 and b <= a:
        return (Part(f"No price: nothing left, {spent}."),)
    if n_left == 0:
        return (Part(f"The price: {spent}; no passage left."),)
    return Part("The price: "), Part(f"{passages(n_left)} out", "left"), Part(f", {spent}.")


def _arrival(document: DocumentChange, n_in: int, names: dict[str, str]) -> Arrival:
    count = passages(n_in) if document.change == "added" else f"{plural(n_in, 'passage')} more"
    if document.change != "added":
        note = "was found before"
    elif document.role_b == "seed":
        note = "found by the question itself"
    else:
        note = ""
    reasons = document.reasons if document.role_b == "expanded" else ()
    return Arrival(
        document.document_id,
        document.title or document.document_id,
        count,
        tuple(_mark(reason, names) for reason in reasons),
        note,
    )


def _mark(reason: Reason, names: dict[str, str]) -> ReasonMark:
    start = reason.from_document_id
    return ReasonMark(names.get(start, start), reason.via, dash(reason.via))


def _scores(comparison: Comparison) -> tuple[Fact, ...]:
    if comparison.score_drift is None:
        return ()
    if comparison.score_drift:
        return (Fact(f"Score drift {comparison.score_drift:g}", kept=False),)
    n = comparison.n_scores
    return (Fact(f"{n:,} kept score{'s' if n != 1 else ''} identical"),)
