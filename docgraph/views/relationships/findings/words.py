"""Words about checks and findings for the page: what each check looked at, its parameters, who ignored what."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from docgraph.domain.curators.dismissal import Dismissal
from docgraph.domain.edge_evidence import Passage
from docgraph.domain.finding import CheckReport, CheckResult
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
    parts.append(f"chunk {passage.chunk_index + 1:,} of {passage.n_chunks:,}" if passage.n_chunks else "no text")
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
