"""A file of relationships read back: rows that ask for something, and everything that cannot be understood."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from docgraph.boundary.limits import MAX_ASKED, MAX_REFUSED
from docgraph.boundary.text import clean
from docgraph.curation.exchange.records import IN_PARTS, MAX_SHOWN, Record, Unreadable, problem, records_of
from docgraph.domain.curation import Dismissal, TriageEntry
from docgraph.domain.exchange import MAX_LISTED, ExchangeProblem
from docgraph.domain.overrides import EdgeKey, parse_edge
from docgraph.domain.person import MAX_REASON
from docgraph.errors import RequestError

DECISIONS = ("", "accept", "remove")
KEY_COLUMNS = ("from", "type", "to")
_KEY: TypeAdapter[tuple[str, str, str]] = TypeAdapter(EdgeKey)
_MARK = re.compile(r"(whole export|part) of revision ([0-9a-f]{32})")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row that asks for something: ``edge`` = as it was exported (None: a new one), ``key`` = as it is wanted (None:
    not at all). ``state`` and ``texts`` = what was seen; ``accept`` = it is reviewed with that."""

    line: int
    edge: EdgeKey | None
    state: str
    texts: str
    key: EdgeKey | None
    accept: bool
    reason: str


@dataclass
class Sheet:
    """What a file says. ``edges`` = every relationship that it names as exported; ``n_rows`` counts rows with content.

    ``whole`` and ``revision`` = whether it held all relationships when it was exported, and of which data.
    """

    rows: list[SheetRow] = field(default_factory=list)
    edges: dict[EdgeKey, int] = field(default_factory=dict)
    dismissals: list[tuple[int, Dismissal]] = field(default_factory=list)
    triage: list[tuple[int, TriageEntry]] = field(default_factory=list)
    n_rows: int = 0
    n_unchanged: int = 0
    whole: bool = False
    revision: str = ""
    ignored_columns: tuple[str, ...] = ()
    problems: list[ExchangeProblem] = field(default_factory=list)
    n_problems: int = 0

    def refuse(self, problem: ExchangeProblem) -> None:
        """Count a problem, and list it while there are not too many."""
        self.n_problems += 1
        if len(self.problems) < MAX_LISTED:
            self.problems.append(problem)

    def end(self, problem: ExchangeProblem) -> None:
        """Count the problem behind which nothing is read, and list it, in the place of another if need be."""
        self.n_problems += 1
        self.problems[MAX_LISTED - 1 :] = [problem]


def read_sheet(data: bytes) -> Sheet:
    """The rows of a CSV (commas, semicolons or tabs) or of JSON Lines; never raises for what stands in them."""
    sheet, made = Sheet(), dict[EdgeKey, int]()
    try:
        for record in records_of(data):
            _check_room(sheet, record)
            _take(sheet, record, made)
    except Unreadable as error:
        sheet.end(error.problem)
    return sheet


def _check_room(sheet: Sheet, record: Record) -> None:
    """Raises Unreadable where nothing is gained by reading on: such a file is not imported anyway."""
    if sheet.n_problems >= MAX_REFUSED:
        said = f"the rest of the file is not read: {sheet.n_problems:,} rows before it cannot be understood"
        raise Unreadable(record.line, said, "correct those rows first")
    if len(sheet.rows) + len(sheet.dismissals) + len(sheet.triage) >= MAX_ASKED:
        raise Unreadable(record.line, f"more rows ask for a change than are read: {MAX_ASKED:,}", IN_PARTS)


def _take(sheet: Sheet, record: Record, made: dict[EdgeKey, int]) -> None:
    match record.kind:
        case "header":
            sheet.ignored_columns = record.ignored
            _read_mark(sheet, record.cells.get("mark", ""))
        case "relationship":
            sheet.n_rows += 1
            try:
                _take_row(sheet, record, made)
            except _BadRow as error:
                sheet.refuse(error.problem)
        case "dismissal":
            sheet.n_rows += 1
            _take_decided(sheet, record, sheet.dismissals, Dismissal)
        case "triage":
            sheet.n_rows += 1
            _take_decided(sheet, record, sheet.triage, TriageEntry)


def _take_row(sheet: Sheet, record: Record, made: dict[EdgeKey, int]) -> None:
    line, cells = record.line, record.cells
    edge = _edge(record)
    decision = cells.get("decision", "").strip().casefold()
    if decision not in DECISIONS:
        raise _BadRow(
            line, "decision", cells["decision"], "is not a decision", "write accept or remove, or leave it empty"
        )
    if edge is not None:
        if edge in sheet.edges:
            first = sheet.edges[edge]
            raise _BadRow(line, "edge", cells["edge"], f"is already in line {first}", "keep one of the two rows")
        sheet.edges[edge] = line
        if not cells.get("state", "").strip():
            raise _BadRow(line, "state", "", "is empty, but edge is not", "leave both columns as they were exported")
    key = _key(record, edge)
    if decision == "remove":
        _check_removal(record, edge, key)
    elif edge == key and not decision:
        sheet.n_unchanged += 1
        return
    elif edge != key and made.setdefault(key, line) != line:
        raise _BadRow(line, "to", key[2], f"line {made[key]} makes the same relationship", "keep one of the two rows")
    state, texts = (cells.get(name, "").strip().casefold() for name in ("state", "texts"))
    wanted = None if decision == "remove" else key
    sheet.rows.append(SheetRow(line, edge, state, texts, wanted, decision == "accept", _reason(record)))


def _edge(record: Record) -> EdgeKey | None:
    text = record.cells.get("edge", "")
    if not text.strip():
        return None
    for candidate in (text, text.strip()):
        try:
            return parse_edge(candidate)
        except RequestError:
            continue
    hint = "leave it as exported, or empty it for a new relationship"
    raise _BadRow(record.line, "edge", text, "does not name a relationship", hint)


def _key(record: Record, edge: EdgeKey | None) -> EdgeKey:
    """The relationship that a row wants. A spreadsheet that trims cells has changed nothing."""
    parts = []
    for place, column in enumerate(KEY_COLUMNS):
        exported = edge[place] if edge is not None else ""
        cell = record.cells.get(column, exported)
        cut = cell.strip()
        if edge is not None and (cell == exported or cut == exported.strip()):
            parts.append(exported)
            continue
        if not cut:
            hint = "to remove a relationship, write remove as its decision" if edge else "name a document and a type"
            raise _BadRow(record.line, column, cell, "is empty", hint)
        parts.append(cut)
    if edge is not None and tuple(parts) == edge:
        return edge
    try:
        return _KEY.validate_python(tuple(parts))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)[0]["loc"][0]
        hint = "ids have 1 to 512 characters, types 1 to 100, none of them a control character"
        column, value = dict(enumerate(zip(KEY_COLUMNS, parts, strict=True))).get(int(wrong), ("from", ""))
        raise _BadRow(record.line, column, value, "cannot be stored", hint) from None


def _check_removal(record: Record, edge: EdgeKey | None, key: EdgeKey) -> None:
    if edge is None:
        raise _BadRow(record.line, "decision", "remove", "has no relationship to remove", "fill in its edge and state")
    if key != edge:
        column = next(name for name, was, now in zip(KEY_COLUMNS, edge, key, strict=True) if was != now)
        hint = "change it or remove it"
        raise _BadRow(record.line, column, record.cells[column], "is changed in a row that is to be removed", hint)


def _reason(record: Record) -> str:
    text = clean(record.cells.get("reason", "")).strip()
    if len(text) > MAX_REASON:
        message = f"has {len(text):,} characters; at most {MAX_REASON:,} are kept"
        raise _BadRow(record.line, "reason", text, message, "shorten it")
    return text


_Kept = TypeVar("_Kept", bound=Dismissal | TriageEntry)


def _take_decided(sheet: Sheet, record: Record, kept: list[tuple[int, _Kept]], model: type[_Kept]) -> None:
    try:
        found = model.model_validate(record.value.get(record.kind))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        column = ".".join(map(str, (record.kind, *first["loc"])))
        hint = "leave such rows as they were exported, or delete them"
        sheet.refuse(ExchangeProblem(line=record.line, column=column[:MAX_SHOWN], message=first["msg"], hint=hint))
        return
    if not found.by.strip():
        hint = "name the person who decided it" if record.kind == "dismissal" else "name the author"
        sheet.refuse(ExchangeProblem(line=record.line, column="by", message="is empty", hint=hint))
        return
    kept.append((record.line, cast(_Kept, found)))


def _read_mark(sheet: Sheet, mark: str) -> None:
    if found := _MARK.fullmatch(mark.strip()):
        sheet.whole, sheet.revision = found.group(1) == "whole export", found.group(2)


class _BadRow(Exception):
    """Carries the problem of one row."""

    def __init__(self, line: int, column: str, value: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.problem = problem(line, message, hint, column=column, value=value)
