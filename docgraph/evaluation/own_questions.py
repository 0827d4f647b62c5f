"""Makes questions out of a corpus without a language model, and sums up what they say of its relation types.

A real question seldom repeats a sentence: it lacks the words that only its answer has. So of a sentence from the middle
third of a document those words are kept that other documents use as well, and none of the document's title. Of a
question about a related document the title of A is given whole: who asks knows where to begin.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from docgraph.domain.content_words import sentence_spans
from docgraph.domain.own_questions import (
    MIN_DOCUMENT,
    MIN_RELATED,
    KindResult,
    OwnKind,
    OwnQuestion,
    TypeResult,
)
from docgraph.domain.type_roles import OwnFigures, TypeDecision, TypeRole
from docgraph.evaluation.significance import N_RESAMPLES, SEED

MIN_WORDS, MAX_WORDS = 8, 40
"""Words of a sentence that a question is made of."""
MIN_KEPT = 4
"""Words that are left at least."""
MIN_SHARE = 0.02
"""Share of all documents that use a word, from which on it is kept."""
MAX_SENTENCES = 5
"""Sentences of a document that are tried."""
MAX_PHRASES, MAX_RUN, MIN_LETTERS = 2, 3, 5
"""Phrases that a proposed question takes of a sentence, words of a phrase, and letters of one that stands alone."""
_LEADS = frozenset(
    re.findall(
        r"\w+",
        "the a an its their our your this that these those each no any of by for with from on in into",
    )
)
_SMALL_WORDS = _LEADS | frozenset(
    re.findall(
        r"\w+",
        "and or but nor not may can could will would shall should must might still again also only just very more "
        "most much every whoever whatever when where while what which who whom whose why how than then there here "
        "such same other about after before between during until since because though although however therefore "
        "once twice one two three nothing something anything everything nobody somebody anybody it they them he she "
        "we you i me us him her",
    )
)
"""Small words of English, which begin and end what is spoken of; another language has fewer and longer runs."""
_OF_VERBS = ("ed", "ing", "ly")
_WORD = re.compile(r"[^\W\d_][\w'-]*")
_LETTERS = 0.85
"""Share of letters and spaces, from which on a sentence is no table, code or list of numbers."""


def order(seed: int, *parts: str) -> bytes:
    """What things are taken in the order of: the same at every time for the same seed, and otherwise like chance."""
    return hashlib.sha256("\0".join((str(seed), *parts)).encode("utf-8", "surrogatepass")).digest()


def sentences_of(texts: Sequence[str], *, seed: int, document_id: str) -> tuple[str, ...]:
    """At most ``MAX_SENTENCES`` whole sentences from the middle third of a document's chunks, in the seed's order."""
    third = len(texts) // 3
    found = {s for text in texts[third : max(len(texts) - third, third + 1)] for s in _sentences(text)}
    return tuple(sorted(found, key=lambda s: (order(seed, document_id, s), s))[:MAX_SENTENCES])


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, in order."""
    return tuple(word.casefold() for word in _WORD.findall(text))


def softened(sentences: Iterable[str], title: str, holding: Mapping[str, int], n_documents: int) -> str | None:
    """The first sentence that enough is left of without words of the title and words that few documents hold.

    ``holding``: word → number of documents; stop words are not among them.
    """
    least, named = max(2, MIN_SHARE * n_documents), set(words_of(title))
    for sentence in sentences:
        kept = [
            w for w in _WORD.findall(sentence) if w.casefold() not in named and holding.get(w.casefold(), 0) >= least
        ]
        if len(kept) >= MIN_KEPT:
            return " ".join(kept)
    return None


def phrases(
    sentence: str, title: str, holding: Mapping[str, int], n_documents: int, *, led: bool = True
) -> tuple[str, ...]:
    """What a sentence speaks of, as it is written there: at most ``MAX_PHRASES`` runs of words that stand side by side.

    Words are kept as in ``softened``; those runs are taken whose words fewest documents hold. ``led`` = only those
    behind an article or a preposition, which in English are names of things.
    """
    least, named = max(2, MIN_SHARE * n_documents), set(words_of(title))
    found: list[tuple[int, int, str]] = []
    run: list[str] = []
    is_led, before, end = False, "", 0
    for place in [*_WORD.finditer(sentence), None]:
        word = place.group() if place else ""
        key, joined = word.casefold(), place is not None and sentence[end : place.start()] == " "
        kept = key not in named and key not in _SMALL_WORDS and holding.get(key, 0) >= least
        if run and not (kept and joined and len(run) < MAX_RUN):
            while len(run) > 1 and run[-1].endswith(_OF_VERBS):
                run.pop()
            if max(map(len, run)) >= MIN_LETTERS and (is_led or not led):
                found.append((min(holding[each.casefold()] for each in run), len(found), " ".join(run)))
            run = []
        if kept:
            is_led = is_led if run else before in _LEADS
            run.append(word)
        before, end = key, place.end() if place else end
    chosen = sorted(found)[:MAX_PHRASES]
    return tuple(dict.fromkeys(phrase for *_, phrase in sorted(chosen, key=lambda each: each[1])))


@dataclass(frozen=True)
class Asked:
    """One question's recall (0 to 1) with a type's documents and without them."""

    question: OwnQuestion
    on: float
    off: float


def result_of(
    decision: TypeDecision, asked: Sequence[Asked], *, is_declared: bool, from_types: Sequence[str]
) -> TypeResult:
    """What the questions say of a type, and what is proposed by that."""
    kinds: tuple[OwnKind, ...] = ("document", "related")
    parts = {kind: [each for each in asked if each.question.kind == kind] for kind in kinds}
    figures = _figures([[100 * (each.on - each.off) for each in parts[kind]] for kind in kinds])
    enough = len(parts["document"]) >= MIN_DOCUMENT and len(parts["related"]) >= MIN_RELATED
    proposal, why = _proposal(decision, figures, enough=enough)
    return TypeResult(
        relation_type=decision.relation_type,
        role=decision.role,
        is_declared=is_declared,
        from_types=tuple(from_types),
        kinds=tuple(_kind(kind, parts[kind]) for kind in kinds if parts[kind]),
        figures=figures,
        proposal=proposal,
        why=why,
    )


def _figures(kinds: Sequence[Sequence[float]]) -> OwnFigures | None:
    """Mean over the kinds of their mean differences, in points; a paired bootstrap inside each kind (95 %)."""
    there = [np.sort(np.asarray(each, dtype=float)) for each in kinds if len(each)]
    if not there:
        return None
    pooled = np.concatenate(there)
    point = float(np.mean([each.mean() for each in there]))
    low = high = point
    if len(pooled) > 1 and any(np.ptp(each) > 0 for each in there):
        chance = np.random.default_rng(SEED)
        drawn = [chance.choice(each, (N_RESAMPLES, len(each))).mean(axis=1) for each in there]
        low, high = (float(each) for each in np.percentile(np.mean(drawn, axis=0), (2.5, 97.5)))
    return OwnFigures(
        n=len(pooled),
        better=int((pooled > 0).sum()),
        worse=int((pooled < 0).sum()),
        points=round(point, 2),
        low=round(low, 2),
        high=round(high, 2),
    )


def _proposal(decision: TypeDecision, figures: OwnFigures | None, *, enough: bool) -> tuple[TypeRole | None, str]:
    if figures is None or not enough:
        return None, "too few questions to say"
    wanted: TypeRole | None = "adds_documents" if figures.low > 0 else "reasons_only" if figures.high < 0 else None
    if wanted is None:
        return None, "no clear difference"
    if decision.by == "person":
        return None, f"{decision.words}: that stands"
    if wanted == "reasons_only" and decision.role == "off":
        return "off", "adds nothing"
    return wanted, "its documents help" if wanted == "adds_documents" else "its documents cost more than they bring"


def _kind(kind: OwnKind, asked: Sequence[Asked]) -> KindResult:
    return KindResult(
        kind=kind,
        n=len(asked),
        better=sum(each.on > each.off for each in asked),
        worse=sum(each.on < each.off for each in asked),
        on=round(100 * sum(each.on for each in asked) / len(asked), 2),
        off=round(100 * sum(each.off for each in asked) / len(asked), 2),
    )


def _sentences(text: str) -> Iterator[str]:
    for start, end in sentence_spans(text):
        sentence = " ".join(text[start:end].split())
        if not MIN_WORDS <= len(_WORD.findall(sentence)) <= MAX_WORDS or sentence[-1] not in ".?!":
            continue
        if sum(letter.isalpha() or letter == " " for letter in sentence) >= _LETTERS * len(sentence):
            yield sentence
