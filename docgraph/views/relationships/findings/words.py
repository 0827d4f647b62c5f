"""Findings in words: what a check found, how a finding was ignored, the passages, and what an edit did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.curation import Dismissal
from docgraph.domain.edge_evidence import Passage
from docgraph.domain.edit import edge_words
from docgraph.domain.finding import CheckReport, CheckResult, Finding
from docgraph.domain.history import HistoryEntry
from docgraph.domain.overrides import EdgeKey
from docgraph.views.relationships.history.words import Named, change_text
from docgraph.views.words import texts
from docgraph.views.words.counts import UNKNOWN, plural
from docgraph.views.words.moments import moment, person
from docgraph.views.words.reading import readable

MAX_LEAD = 240
"""Characters that stand before the paragraph with the naming sentence at most."""

_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s")
_MARK = re.compile(r"[ \t]*(?:(?:[-*+>]|#{1,6}|\d{1,3}[.)])[ \t]+)*")
"""Marks of a block: they have to stay at the beginning of their line."""
OPEN, CLOSE = "⸠", "⸡"
"""Stand around a naming sentence while the marks of its text are taken away; taken out of the text before."""


@dataclass(frozen=True)
class CheckRow:
    """One check: its title, what it ``found`` ("0 of 61 relationships"), and a ``note`` why it looked at nothing."""

    title: str
    found: str
    note: str


def check_rows(report: CheckReport) -> tuple[CheckRow, ...]:
    """Every check of a report, in its order."""
    return tuple(CheckRow(result.title, *_found(result)) for result in report.results)


def _found(result: CheckResult) -> tuple[str, str]:
    if not result.on:
        return UNKNOWN, "switched off"
    if result.skipped:
        return UNKNOWN, result.skipped
    return f"{len(result.findings):,} of {result.n_checked:,}", result.unit


def dismissal_words(dismissal: Dismissal) -> str:
    """``Ann, 22 Nov 2026, 02:04 UTC``."""
    return f"{person(dismissal.by)}, {moment(dismissal.at)}"


def parameter_text(value: Any) -> str:
    """A parameter's value as one edits it: a list as words with commas, a list of lists with ``=`` inside."""
    if isinstance(value, list | tuple):
        return ", ".join("=".join(map(str, each)) if isinstance(each, list | tuple) else str(each) for each in value)
    return str(value)


def parameter_value(text: str, like: Any) -> Any:
    """``text`` as a value of the shape of ``like``. Raises ValueError with one line that says what was expected."""
    if isinstance(like, bool):
        return text.strip().lower() in ("true", "yes", "on", "1")
    if isinstance(like, int | float):
        try:
            return int(text) if isinstance(like, int) else float(text)
        except ValueError:
            raise ValueError(f"{text[:40]!r} is not a number") from None
    if isinstance(like, list | tuple):
        words = [word.strip() for word in text.split(",") if word.strip()]
        nested = bool(like) and isinstance(like[0], list | tuple)
        return [tuple(part.strip() for part in word.split("=")) for word in words] if nested else words
    return text


def naming_words(passage: Passage | None, other: Passage | None) -> str:
    """How often one text names the other: ``3 sentences``, ``never``, ``--`` when one of them is not stored."""
    if passage is None or other is None:
        return UNKNOWN
    return plural(passage.n_naming, "sentence") if passage.n_naming else "never"


def place_words(passage: Passage) -> str:
    """``Decision > Limits, chunk 7 of 23``."""
    parts = [*([" › ".join(passage.heading_path)] if passage.heading_path else [])]
    parts.append(f"passage {passage.chunk_index + 1:,} of {passage.n_chunks:,}" if passage.n_chunks else "no text")
    return ", ".join(parts)


@dataclass(frozen=True)
class Segment:
    """A stretch of text; ``names`` = it is (part of) a sentence that names the other document."""

    text: str
    names: bool


@dataclass(frozen=True)
class Excerpt:
    """A passage in paragraphs of segments; ``cut_before`` = paragraphs before the first were left out."""

    paragraphs: tuple[tuple[Segment, ...], ...]
    cut_before: bool = False


def excerpt(passage: Passage, *, source: str = "", lead: int = 1) -> Excerpt:
    """The passage from ``lead`` paragraphs before the first naming sentence on (from its start without one).

    Without the marks of its format, which ``source`` names. A long paragraph before the sentence is left out: it would
    push it out of sight.
    """
    text = readable(_marked(passage), source=source)
    paragraphs = _segmented(text[start:end] for start, end in _paragraphs(text))
    first = next((n for n, each in enumerate(paragraphs) if any(s.names for s in each)), 0)
    skipped = max(0, first - lead)
    if sum(len(segment.text) for each in paragraphs[skipped:first] for segment in each) > MAX_LEAD:
        skipped = first
    return Excerpt(tuple(paragraphs[skipped:]), cut_before=skipped > 0)


def _marked(passage: Passage) -> str:
    """The text with the naming sentences between ``OPEN`` and ``CLOSE``."""
    text = passage.text.replace(OPEN, "|").replace(CLOSE, "|")
    parts, at = [], 0
    for quote in sorted(passage.names, key=lambda quote: (quote.start, quote.end)):
        first, last = max(quote.start, at), min(quote.end, len(text))
        mark = _MARK.match(text, first, last)
        first = mark.end() if mark else first
        if first < last:
            parts += [text[at:first], OPEN, text[first:last], CLOSE]
            at = last
    return "".join((*parts, text[at:]))


def _segmented(paragraphs: Iterable[str]) -> list[tuple[Segment, ...]]:
    """Each paragraph cut where a naming sentence begins and ends; one may go on over several."""
    found, names = [], False
    for paragraph in paragraphs:
        segments = []
        for part in _EDGES.split(paragraph):
            if part in (OPEN, CLOSE):
                names = part == OPEN
            elif part:
                segments.append(Segment(part, names))
        if segments:
            found.append(tuple(segments))
    return found


_EDGES = re.compile(f"([{OPEN}{CLOSE}])")


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of each stretch between blank lines, and of each item of a list."""
    start: int | None = None
    end = place = 0
    for each in text.splitlines(keepends=True):
        if start is not None and _ITEM.match(each):
            yield start, end
            start = None
        if each.strip():
            start = place if start is None else start
            end = place + len(each.rstrip())
        elif start is not None:
            yield start, end
            start = None
        place += len(each)
    if start is not None:
        yield start, end


MAX_NAMED = 2
MAX_TITLE = 80


def ignored_words(dismissal: Dismissal) -> str:
    """``ignored by Ann on 22 Nov 2026, 02:04 UTC``. Holds a name: hostile data."""
    return f"ignored by {texts.excerpt(person(dismissal.by), MAX_TITLE)} on {moment(dismissal.at)}"


def reopened_words(finding: Finding) -> str:
    """``ignored by Ann on …, but the text of B changed since``; empty for a finding that nobody ignored before."""
    if finding.dismissal is None:
        return ""
    titles = [texts.excerpt(each.title, MAX_TITLE) or each.document_id for each in finding.texts_changed]
    rest = len(titles) - MAX_NAMED
    named = [*titles[:MAX_NAMED], *([plural(rest, "other document")] if rest > 0 else [])]
    whose = ", ".join(named[:-1]) + " and " + named[-1] if len(named) > 1 else "".join(named)
    return f"{ignored_words(finding.dismissal)}, but the text of {whose} changed since"


def depends_words(finding: Finding, n_questions: int) -> str:
    """``3 of 12 saved questions``; empty where none depends on it."""
    noun = "saved question" if n_questions == 1 else "saved questions"
    return f"{finding.n_questions:,} of {n_questions:,} {noun}" if finding.n_questions else ""


def done_words(entries: Sequence[HistoryEntry], *, named: Named = str) -> str:
    """``Removed a —explains→ b``; of several, the first and how many more. Holds titles and ids: hostile data."""
    if not entries:
        return "Nothing was changed"
    said = change_text(entries[0], named=named)
    more = f", and {len(entries) - 1:,} more" if len(entries) > 1 else ""
    return f"{said[:1].upper()}{said[1:]}{more}"


def ids_in(entries: Sequence[HistoryEntry]) -> tuple[str, ...]:
    """Documents that the sentence on these entries names."""
    keys = [key for entry in entries[:1] for key in (*entry.keys, entry.edit.key)]
    return tuple(sorted({end for key in keys for end in (key[0], key[2])}))


def with_titles(message: str, keys: Iterable[EdgeKey], *, named: Named) -> str:
    """A message of the product with the relationships that it names by ids named by titles. Hostile data."""
    for key in sorted(set(keys), key=lambda each: (-len(edge_words(each)), each)):
        message = message.replace(edge_words(key), f"{named(key[0])} —{key[1]}→ {named(key[2])}")
    return message
