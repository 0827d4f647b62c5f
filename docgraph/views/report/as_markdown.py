"""A comparison as Markdown for a pull request: verdict, tables, a Mermaid chart; text of documents stays text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from docgraph.domain.comparison import Comparison
from docgraph.domain.saved_run import RunSummary
from docgraph.views.compare.texts import readable_texts
from docgraph.views.report import content, identity
from docgraph.views.report import judged as report_judged
from docgraph.views.report import rows as report_rows
from docgraph.views.report.as_mermaid import flowchart
from docgraph.views.words import counts
from docgraph.views.words.texts import excerpt, line

TEXT = 200
"""Characters of a changed chunk that are quoted."""

_JOINER = "\u2060"
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|!~&$])")
_PLAIN = re.compile(r"[\w.:+/-]+")
_LINKED_LATER = re.compile(r"(?<=[:@#])(?=\S)|(?<=[wW]{3})(?=\.)|(?<=[gG][hH]-)(?=\d)")
"""Places at which a host turns finished text into links: addresses, mentions, issue numbers, emoji names."""


def as_markdown(comparison: Comparison, made_at: str, saved: RunSummary | None) -> str:
    """GitHub's Markdown; sections in the order of the HTML report."""
    return "\n".join(_lines(comparison, made_at, saved)) + "\n"


def inert(text: str) -> str:
    """``text`` on one line, so that Markdown shows it letter by letter: no link, image, HTML, mention or cell border.

    Marks are escaped with a backslash; a joiner of no width breaks what a host links in finished text.
    """
    return _MARKS.sub(r"\\\1", _LINKED_LATER.sub(_JOINER, line(text)))


def code(text: str) -> str:
    """A hash, an id or a time as code, so that it can be copied as it is; any other text is inert."""
    return f"`{text}`" if _PLAIN.fullmatch(text) else inert(text)


def _lines(comparison: Comparison, made_at: str, saved: RunSummary | None) -> Iterator[str]:
    yield from (f"## {inert(comparison.b.run.request.query)}", "", f"**{inert(comparison.sentence)}**", "")
    if comparison.identical:
        yield from (f"No difference: {inert(comparison.why_identical)}", "")
    yield from (f"- {inert(name)}: {inert(text)}" for name, text in content.about(comparison, saved))
    yield from (f"- Note: {inert(label)}" for label in comparison.labels)
    yield ""
    yield from _plans(comparison)
    yield from _rows(comparison)
    yield from _numbers(comparison)
    yield from _contract(comparison)
    yield from _identity(comparison)
    yield f"Made by docgraph at {code(line(made_at))}."


def _plans(comparison: Comparison) -> Iterator[str]:
    yield from ("### Plans", "", "```mermaid", flowchart(comparison).rstrip("\n"), "```", "")
    plan = comparison.b.run.plan
    n = sum(len(seed.reasons) for seed in plan.seed_documents)
    if n:
        yield from (f"{counts.plural(n, 'relationship')} between matches of B not drawn.", "")


def _rows(comparison: Comparison) -> Iterator[str]:
    documents = report_rows.document_rows(comparison)
    yield from ("### Documents", "")
    head = ("change", "position in A", "position in B", "document", "role", "tokens", "why")
    yield from table(head, ((r.mark, r.place_a, r.place_b, r.name, r.detail, r.tokens, r.why) for r in documents))
    pairs = tuple(zip(report_rows.chunk_rows(comparison), comparison.chunks, strict=True))
    texts = ((row, c, readable_texts(comparison, c)) for row, c in pairs if c.change != "kept" or c.text_b is not None)
    changed = [(row, text_b or text_a) for row, _, (text_a, text_b) in texts]
    n_kept = sum(c.change == "kept" for c in comparison.chunks)
    yield from (f"### Passages: {len(changed)} changed, {n_kept} unchanged", "")
    head = ("change", "position in A", "position in B", "score", "passage", "why", "text")
    cells = (
        (r.mark, r.place_a, r.place_b, r.score, f"{r.name} {r.detail}", r.why, excerpt(text, TEXT))
        for r, text in changed
    )
    yield from table(head, cells)


def _numbers(comparison: Comparison) -> Iterator[str]:
    yield from ("### Figures", "")
    rows = [("shared", content.shared(comparison, "chunks"), content.shared(comparison, "documents"), "", "")]
    rows += [(m.title, m.chunks, m.documents, m.note, m.formula) for m in content.figures(comparison)]
    yield from table(("measure", "passages", "documents", "note", "formula"), rows)
    if judged := report_judged.judged(comparison):
        yield from ("### Judged figures", "", f"{inert(report_judged.judged_about(comparison))}.", "")
        cells = ((m.title, m.a, m.b, m.difference, m.formula) for m in judged)
        yield from table((*report_judged.HEAD, "formula"), cells)
    yield from ("### Tokens", "")
    yield from table(("layer", "A", "B", "difference"), content.tokens(comparison))


def _contract(comparison: Comparison) -> Iterator[str]:
    yield from ("### Checks", "")
    for whose, checks in content.contract(comparison):
        broken = [f"FAILED: {check.title}: {check.detail}" for check in checks if not check.passed]
        kept = [check.title for check in checks if check.passed]
        said = "; ".join([*broken, *kept]) or "not checked"
        yield f"- {inert(whose)}, {len(kept)} of {len(checks)} passed: {inert(said)}"
    yield ""


def _identity(comparison: Comparison) -> Iterator[str]:
    yield from ("### Parameters that differ", "")
    differ = [(row.name, row.a, row.b) for row in identity.parameters(comparison) if row.differs]
    yield from table(("parameter", "A", "B"), differ)
    yield from ("### Hashes", "")
    rows = ((row.name, row.a, row.b) for row in identity.hashes(comparison))
    yield from table(("of", "A", "B"), rows, shown=code)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, shown: Callable[[str], str] = inert) -> Iterator[str]:
    """A table and the empty line behind it; ``none`` when it has no rows. The first column is always inert."""
    body = [_row([inert(cells[0]), *map(shown, cells[1:])]) for cells in rows]
    if body:
        yield from (_row(list(map(inert, head))), "|" + " --- |" * len(head), *body, "")
    else:
        yield from ("none", "")


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
