"""All relationships as rows of a table: what is said of each, how they are filtered, and in which order they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from docgraph.domain.finding import CheckReport
from docgraph.domain.graph import Relationship
from docgraph.domain.overrides import EdgeKey
from docgraph.views.words.moments import moment
from docgraph.views.words.provenance import provenance_words, reviewed, source_name
from docgraph.views.words.texts import line

Reviewed = Literal["", "yes", "no"]
Direction = Literal["", "outgoing", "incoming"]
Order = Literal["from", "type", "to", "questions", "findings", "reviewed"]
ORDERS: dict[Order, str] = {
    "from": "by start",
    "type": "by type",
    "to": "by target",
    "questions": "most saved questions first",
    "findings": "most findings first",
    "reviewed": "newest review first",
}
"""Order → how it is called; every order ends with the relationship's key."""


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """One relationship as the table shows it; ``n_questions`` and ``n_findings`` are None while they are not known."""

    key: EdgeKey
    from_title: str
    to_title: str
    source: str
    provenance: str
    reviewed_by: str
    reviewed_at: str
    dangling: bool
    n_questions: int | None
    n_findings: int | None
    text: str
    sentence: str = ""

    @property
    def reviewed_words(self) -> str:
        """``Ann, 22 Nov 2026, 02:04 UTC``; empty when nobody accepted it."""
        return f"{self.reviewed_by}, {moment(self.reviewed_at)}" if self.reviewed_by else ""


@dataclass(frozen=True)
class EdgeFilter:
    """Which rows are wanted; an empty value asks for all. ``text`` = part of a title, an id or a type.

    ``direction`` = of a document what it leads to (``outgoing``) or what leads to it (``incoming``); without a document
    it asks for nothing.
    """

    text: str = ""
    relation_type: str = ""
    source: str = ""
    reviewed: Reviewed = ""
    document_id: str = ""
    dangling: bool = False
    direction: Direction = ""

    @property
    def on(self) -> bool:
        """Whether anything is left out."""
        return self != EdgeFilter()


def is_cell(wanted: EdgeFilter) -> bool:
    """Whether a filter asks for exactly what stands in one cell of the matrix."""
    cell = EdgeFilter(relation_type=wanted.relation_type, document_id=wanted.document_id, direction=wanted.direction)
    return wanted == cell and bool(wanted.relation_type and wanted.document_id and wanted.direction)


def edge_rows(
    relationships: Iterable[Relationship], titles: Mapping[str, str], report: CheckReport | None = None
) -> tuple[EdgeRow, ...]:
    """A row for each relationship, in the order given; ``titles`` = document_id → title of every stored document."""
    fired = {use.key: use.n_questions for use in report.fired} if report else {}
    found = Counter(key for finding in (report.findings if report else ()) for key in set(finding.relationships))
    return tuple(
        _row(edge, titles, fired.get(edge.key, 0) if report else None, found[edge.key] if report else None)
        for edge in relationships
    )


def _row(edge: Relationship, titles: Mapping[str, str], n_questions: int | None, n_findings: int | None) -> EdgeRow:
    start, end = edge.from_document_id, edge.to_document_id
    by, at = reviewed(edge) or ("", "")
    named = (titles.get(start) or start, titles.get(end) or end)
    return EdgeRow(
        edge.key,
        *named,
        source_name(edge),
        provenance_words(edge),
        by,
        at,
        end not in titles,
        n_questions,
        n_findings,
        "\n".join({*named, *edge.key}).casefold(),
        line(str(edge.relationship_metadata.get("text") or "")),
    )


def filtered(rows: Sequence[EdgeRow], wanted: EdgeFilter) -> tuple[EdgeRow, ...]:
    """The rows that a filter lets through, in their order."""
    tests: list[Callable[[EdgeRow], bool]] = []
    if words := wanted.text.casefold().split():
        tests.append(lambda row: all(word in row.text for word in words))
    if wanted.relation_type:
        tests.append(lambda row: row.key[1] == wanted.relation_type)
    if wanted.source:
        tests.append(lambda row: row.source == wanted.source)
    if wanted.reviewed:
        tests.append(lambda row: bool(row.reviewed_by) == (wanted.reviewed == "yes"))
    if wanted.document_id:
        starts, ends = wanted.direction != "incoming", wanted.direction != "outgoing"
        named = wanted.document_id
        tests.append(lambda row: (starts and row.key[0] == named) or (ends and row.key[2] == named))
    if wanted.dangling:
        tests.append(lambda row: row.dangling)
    return tuple(row for row in rows if all(test(row) for test in tests)) if tests else tuple(rows)


def ordered(rows: Iterable[EdgeRow], order: Order) -> tuple[EdgeRow, ...]:
    """Rows in an order of ``ORDERS``."""
    if order == "reviewed":
        newest = sorted(rows, key=lambda row: row.key)
        return tuple(sorted(newest, key=lambda row: row.reviewed_at, reverse=True))
    return tuple(sorted(rows, key=_SORTS[order]))


_SORTS: dict[str, Callable[[EdgeRow], tuple[Any, ...]]] = {
    "from": lambda row: (row.from_title.casefold(), row.key),
    "type": lambda row: (row.key[1], row.from_title.casefold(), row.key),
    "to": lambda row: (row.to_title.casefold(), row.key),
    "questions": lambda row: (-(row.n_questions or 0), row.key),
    "findings": lambda row: (-(row.n_findings or 0), row.key),
}


def table(
    rows: Sequence[EdgeRow], *, narrow: bool = False, in_plans: Callable[[str], str] | None = None
) -> dict[str, list[Any]]:
    """Columns of the table, one value a row; ``narrow`` keeps what tells relationships apart.

    ``in_plans`` = type → what it may do in plans, in words; None leaves that column out.
    The ids stand beside their titles; beside an open relationship, which shows them, there is no room.
    """
    columns: dict[str, list[Any]] = {
        "From": [row.from_title for row in rows],
        "Type": [row.key[1] for row in rows],
        "To": [row.to_title + (" (not stored)" if row.dangling else "") for row in rows],
    }
    if narrow:
        return columns
    ids: dict[str, list[Any]] = {
        "From id": [row.key[0] for row in rows],
        "To id": [row.key[2] for row in rows],
    }
    columns = {name: (columns | ids)[name] for name in ("From", "From id", "Type", "To", "To id")}
    return columns | {
        "Provenance": [row.provenance for row in rows],
        "Reviewed": [row.reviewed_words for row in rows],
        "Questions": [row.n_questions for row in rows],
        "Findings": [row.n_findings for row in rows],
        **({"In plans": [in_plans(row.key[1]) for row in rows]} if in_plans else {}),
        "Sentence": [row.sentence for row in rows],
    }
