"""Named measures of an answer: ``ndcg@5``, ``tokens``; each a value, or none where nothing is known."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from docgraph.domain.evaluation import COSTS, NEUTRAL, OVERLAPS, Answer
from docgraph.domain.query_set import JudgedQuery
from docgraph.errors import NotFoundError, RequestError
from docgraph.ports.plugins import AnyMeasure, JudgedMeasure, Measure

EVIDENCE, PASSAGE = "evidence", "passage"
"""Whether all passages that an answer needs are read: at all, or within so many chunks or tokens."""

SHORT = {"rr": "reciprocal_rank", "mrr": "reciprocal_rank", "map": "average_precision", "latency": "milliseconds"}
_NAMED = re.compile(r"([a-z_0-9]+)(?:@([0-9]{1,6})(t?))?")
MAX_K, MIN_TOKENS, MAX_TOKENS = 1_000, 50, 200_000


@dataclass(frozen=True)
class NamedMeasure:
    """One measure as it was asked for; ``judged`` is none for costs, overlaps and evidence, ``k`` for what has no cut.

    ``overlap`` = with what the first configuration reads. ``tokens`` = the token budget of ``passage@2000t``.
    """

    name: str
    judged: JudgedMeasure | None = None
    k: int | None = None
    overlap: Measure | None = None
    tokens: int | None = None

    @property
    def is_cost(self) -> bool:
        """Whether it is neither better nor worse."""
        return self.name in NEUTRAL

    def value(self, answer: Answer, query: JudgedQuery, first: Answer | None = None) -> float | None:
        """What the answer is worth; ``None`` where it failed, or nothing is known to be relevant.

        ``first`` = the first configuration's answer: overlaps are with it, and ``None`` where both read nothing.
        """
        if answer.failure:
            return None
        if self.overlap is not None:
            return None if first is None or first.failure else self.overlap.compute(first.documents, answer.documents)
        if self.judged is not None:
            assert self.k is not None
            relevant = query.relevant
            return self.judged.compute(answer.documents, relevant, k=self.k) if relevant else None
        if self.is_passage:
            return self._passage(answer)
        if self.name == "tokens":
            return None if answer.tokens is None else float(answer.tokens)
        return answer.milliseconds if self.name == "milliseconds" else float(len(answer.documents))

    @property
    def is_passage(self) -> bool:
        """Whether it asks for the passages that an answer needs."""
        return self.name == EVIDENCE or self.name.startswith(f"{PASSAGE}@")

    def _passage(self, answer: Answer) -> float | None:
        """1 or 0; ``None`` where no evidence is known, or what is read of it is not."""
        if answer.has_evidence is None:
            return None
        if self.tokens is not None:
            within = answer.within_tokens.get(str(self.tokens))
            return None if within is None else float(within)
        if self.k is not None:
            return float(answer.evidence_rank is not None and answer.evidence_rank <= self.k)
        return float(answer.has_evidence)


def default_measures(k: int = 6, *, passages: bool = False) -> tuple[str, ...]:
    """What is measured where nothing else is asked for, over the ``k`` documents that a request reads.

    The first one decides which questions improve: where ``passages`` are known that is whether they are read. A plan
    names its seeds before their neighbours, so a smaller ``k`` would not look at what relationships bring.
    """
    first = ("passage@2000t", "passage@4000t") if passages else ()
    return *first, f"ndcg@{k}", f"recall@{k}", f"reciprocal_rank@{k}", "tokens", "documents"


def named_measures(names: Iterable[str], installed: Sequence[AnyMeasure]) -> tuple[NamedMeasure, ...]:
    """The measures of these names, each once: ``NAME@K`` for the first K documents, ``NAME`` for costs and evidence,
    ``passage@K`` within the first K chunks that are read, ``passage@2000t`` within a context of so many tokens.

    ``mrr``, ``map`` and ``latency`` are taken for ``reciprocal_rank``, ``average_precision`` and ``milliseconds``.
    Raises NotFoundError for an unknown name, and RequestError for one without its K, or none at all.
    """
    judged = {each.name: each for each in installed if each.kind == "judged" or each.kind == "judged_in_sets"}
    overlaps = {each.name: each for each in installed if each.kind == "overlap" and each.name in OVERLAPS}
    found = {each.name: each for each in (_named(name, judged, overlaps) for name in names)}
    if not found:
        raise RequestError("no measure was named", hint=f"name some: {', '.join(default_measures())}")
    return tuple(found.values())


def canonical(name: str) -> str:
    """A measure's name as results write it: ``MRR@5`` is ``reciprocal_rank@5``. What is none stays what it is."""
    matched = _NAMED.fullmatch(name.strip().lower())
    if matched is None:
        return name.strip().lower()
    return SHORT.get(matched[1], matched[1]) + (f"@{int(matched[2])}{matched[3]}" if matched[2] else "")


def _named(given: str, judged: Mapping[str, JudgedMeasure], overlaps: Mapping[str, Measure]) -> NamedMeasure:
    matched = _NAMED.fullmatch(given.strip().lower())
    passages = ("passage@10", "passage@2000t", EVIDENCE)
    known = ", ".join((*(f"{name}@5" for name in sorted(judged)), *passages, *COSTS, *overlaps))
    if matched is None:
        raise RequestError(f"{given[:60]!r} is no measure", hint=f"write one of: {known}")
    name, k = SHORT.get(matched[1], matched[1]), matched[2]
    if name in COSTS or name in overlaps or name == EVIDENCE:
        if k is not None:
            raise RequestError(
                f"the measure {name!r} has no cut, so {given[:60]!r} means nothing", hint=f"write {name}"
            )
        return NamedMeasure(name, overlap=overlaps.get(name))
    if name == PASSAGE:
        return _passage(given, k, matched[3])
    measure = judged.get(name)
    if measure is None:
        raise NotFoundError(f"there is no measure {given[:60]!r}", hint=f"there are: {known}")
    if k is None or not 1 <= int(k) <= MAX_K or matched[3]:
        raise RequestError(
            f"the measure {given[:60]!r} needs the number of documents that it looks at, from 1 to {MAX_K:,}",
            hint=f"write {name}@5",
        )
    return NamedMeasure(f"{name}@{int(k)}", measure, int(k))


def _passage(given: str, number: str | None, unit: str | None) -> NamedMeasure:
    """``passage@10`` or ``passage@2000t``. Raises RequestError."""
    n, least, most = int(number or 0), MIN_TOKENS if unit else 1, MAX_TOKENS if unit else MAX_K
    if not least <= n <= most:
        raise RequestError(
            f"the measure {given[:60]!r} needs the number of chunks that it looks at, from 1 to {MAX_K:,}, or of "
            f"tokens, from {MIN_TOKENS}t to {MAX_TOKENS}t",
            hint="write passage@10 or passage@2000t",
        )
    named = f"{PASSAGE}@{n}{unit or ''}"
    return NamedMeasure(named, tokens=n) if unit else NamedMeasure(named, k=n)
