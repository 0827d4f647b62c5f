"""Evidence: what an answer to a question has to be read from, and whether passages hold it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, NamedTuple, Self

import regex
from pydantic import BeforeValidator, Field, model_validator

from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import Identifier
from docgraph.errors import RequestError

MAX_PATTERN = 500
MAX_REPEATS, MAX_MINIMUM = 8, 10_000
"""Repeats with a count (``{2,5}``) that a pattern may have, and how large their minima may be, multiplied."""

SECONDS = 0.5
"""What one pattern may take on one passage."""

MAX_EVIDENCE, MAX_TEXT = 20, 20_000
_COUNTED = re.compile(r"\{\s*(\d*)\s*(?:,\s*(\d*)\s*)?\}")


class Evidence(Frozen):
    """A passage that an answer needs; it is read when a chunk that is read is it, or holds it.

    Each way to name it that is given suffices: ``pattern`` = a regular expression, or a piece of plain text; ``text`` =
    plain text; ``chunk_ids``; ``text_hashes`` = of passages (``judgment.passage_hash``). Patterns and texts are looked
    for with white space collapsed and capitals ignored, within one chunk. ``document_id`` = the document that the chunk
    has to belong to; empty = any document that is relevant to the question.
    """

    pattern: str = Field(default="", max_length=MAX_TEXT)
    text: str = Field(default="", max_length=MAX_TEXT)
    chunk_ids: tuple[Identifier, ...] = ()
    text_hashes: tuple[Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")], ...] = ()
    document_id: str = Field(default="", max_length=500)

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        if not (self.pattern.strip() or self.text.strip() or self.chunk_ids or self.text_hashes):
            raise ValueError("evidence names no passage: give a pattern, a text or chunk_ids")
        if self.pattern:
            check_pattern(self.pattern)
        return self


def given_evidence(given: Any, *, target: Any = None) -> tuple[Evidence, ...]:
    """Evidence as files and callers write it: a regular expression, an object, or a list of either, all needed.

    ``target`` = the document that holds what names no document. Raises ValueError for what is none.
    """
    if given is None or given in ("", [], ()):
        return ()
    found = []
    for each in given if isinstance(given, list | tuple) else [given]:
        if isinstance(each, str):
            check_pattern(each)
            each = {"pattern": each}
        made = each if isinstance(each, Evidence) else Evidence.model_validate(each)
        if not made.document_id and isinstance(target, str):
            made = made.model_copy(update={"document_id": target})
        found.append(made)
    return tuple(found)


def check_pattern(pattern: str) -> None:
    """Raises ValueError for what is not a regular expression, or one that can take too long or too much memory."""
    shown = repr(pattern[:60])
    if len(pattern) > MAX_PATTERN:
        raise ValueError(f"the pattern {shown} … has {len(pattern):,} characters; at most {MAX_PATTERN} are looked for")
    minimum, counted = 1, _COUNTED.findall(pattern)
    for low, high in counted:
        if max(len(low), len(high)) > 5:
            raise ValueError(f"the pattern {shown} repeats something too often: {max(low, high, key=len)[:20]} times")
        minimum *= max(int(low or 0), 1)
    if len(counted) > MAX_REPEATS or minimum > MAX_MINIMUM:
        raise ValueError(f"the pattern {shown} counts too many repeats; write fewer, or smaller ones")
    try:
        _compiled(pattern)
    except (regex.error, RecursionError, MemoryError, OverflowError) as error:
        raise ValueError(
            f"the pattern {shown} is not a regular expression: {str(error)[:100]}; for plain text write "
            '{"text": …} instead'
        ) from error


def _given(value: Any) -> Any:
    """A text is the evidence of any relevant document; one that is not a regular expression is plain text."""
    if isinstance(value, str):
        if not value.strip():
            return ()
        try:
            check_pattern(value)
        except ValueError:
            return ({"text": value},)
        return ({"pattern": value},)
    return () if value is None else value


def as_text(evidence: Sequence[Evidence]) -> str | None:
    """The text that is taken for this evidence; ``None`` where it takes more to say it."""
    if len(evidence) > 1:
        return None
    text = "".join(each.pattern or each.text for each in evidence)
    return text if tuple(evidence) == tuple(Evidence(**each) for each in _given(text)) else None


GivenEvidence = Annotated[tuple[Evidence, ...], BeforeValidator(_given), Field(max_length=MAX_EVIDENCE)]
"""Several are all needed. A plain text is taken too, as files and stored sets have it."""


class ReadPassage(NamedTuple):
    """What is read of one chunk; ``text_hash`` = of the chunk (``judgment.passage_hash``), empty where cut off."""

    document_id: str
    chunk_id: str
    text: str
    text_hash: str = ""


def evidence_rank(
    evidence: Sequence[Evidence], passages: Sequence[ReadPassage], relevant: Collection[str]
) -> int | None:
    """How many of the passages, in their order, have to be read until all evidence is; ``None`` when it is not there.

    ``relevant`` = documents of which evidence that names no document may be read; empty = any. Raises RequestError for
    a pattern that takes too long. Without evidence nothing is known: not to be asked.
    """
    last = 0
    for each in evidence:
        found = next((n for n, passage in enumerate(passages, start=1) if holds(each, passage, relevant)), None)
        if found is None:
            return None
        last = max(last, found)
    return last


def holds(evidence: Evidence, passage: ReadPassage, relevant: Collection[str]) -> bool:
    """Whether the passage is the evidence, or holds it; of one that was cut off only its text counts.

    Raises RequestError for a pattern that takes longer than half a second.
    """
    wanted = {evidence.document_id} if evidence.document_id else relevant
    if wanted and passage.document_id.casefold() not in {each.casefold() for each in wanted}:
        return False
    whole = passage.text_hash != ""
    if whole and (passage.chunk_id in evidence.chunk_ids or passage.text_hash in evidence.text_hashes):
        return True
    return _found(evidence, passage.text)


def _found(evidence: Evidence, text: str) -> bool:
    flat = _flat(text)
    folded = flat.casefold()
    for plain in (evidence.text, evidence.pattern):
        if (wanted := _flat(plain).casefold()) and wanted in folded:
            return True
    if not evidence.pattern:
        return False
    try:
        return _compiled(evidence.pattern).search(flat, timeout=SECONDS) is not None
    except (TimeoutError, MemoryError) as error:
        raise RequestError(
            f"the evidence {evidence.pattern[:60]!r} takes more than {SECONDS} seconds on one passage",
            hint="write the pattern without repeats inside repeats",
        ) from error


def with_marked(
    evidence: Sequence[Evidence], marked: Mapping[str, Collection[str]], stored: Collection[str]
) -> tuple[Evidence, ...]:
    """The evidence with passages that people marked: of evidence that names their document, or of the only one.

    ``marked`` = document_id → hashes of its passages, those of ``stored`` documents count. Where no evidence is known,
    the marked passages are it: one of them suffices.
    """
    hashes = {i: tuple(sorted(found)) for i, found in sorted(marked.items()) if found and i in stored}
    every = tuple(each for found in hashes.values() for each in found)
    if not every:
        return tuple(evidence)
    if not evidence:
        return (Evidence(text_hashes=every),)
    return tuple(
        each.model_copy(
            update={
                "text_hashes": tuple(
                    dict.fromkeys(
                        (*each.text_hashes, *(every if _alone(each, evidence) else hashes.get(each.document_id, ())))
                    )
                )
            }
        )
        for each in evidence
    )


def _alone(each: Evidence, evidence: Sequence[Evidence]) -> bool:
    return len(evidence) == 1 and not each.document_id


def _flat(text: str) -> str:
    return " ".join(text.split())


@lru_cache(maxsize=1_000)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, regex.IGNORECASE)
