"""The sample questions of the sample corpus, one for each effect that relationships can have."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from docgraph.boundary.installed import sample_folder
from docgraph.domain.passages.evidence import Evidence, given_evidence
from docgraph.errors import EnvironmentProblem
from docgraph.orchestration.evaluating.sample import effect_words
from docgraph.ui.frame.layout import Glyph
from docgraph.ui.frame.resources import SAMPLE_WORKSPACE

_GLYPHS: tuple[tuple[str, Glyph, str], ...] = (
    ("add", "added", "added"),
    ("lost", "left", "cut"),
    ("displac", "left", "cut"),
    ("cap", "cut", "cut"),
    ("cut", "cut", "cut"),
    ("conflict", "finding", "kept"),
    ("supersed", "finding", "kept"),
)


@dataclass(frozen=True)
class Sample:
    """A question with the effect it shows and one sentence on it; ``shown`` = it is among the few on Home.

    ``relevant`` = ids of the documents that answer it; ``evidence`` = the passages in them that do, where it is known.
    """

    id: str
    query: str
    effect: str
    note: str
    shown: bool = False
    relevant: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    @property
    def title(self) -> str:
        """The effect as a person reads it."""
        return effect_words(self.effect)

    @property
    def sign(self) -> tuple[Glyph, str]:
        """Drawn sign and tone (name of a token) of the effect."""
        effect = self.effect.lower()
        return next(((glyph, tone) for part, glyph, tone in _GLYPHS if part in effect), ("kept", "kept"))


@cache
def _read(path: Path) -> tuple[Sample, ...]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    records = [json.loads(line) for line in lines if line.strip()]
    return tuple(
        Sample(
            str(r["id"]),
            str(r["query"]),
            str(r.get("effect", "")),
            str(r.get("note", "")),
            shown=r.get("sample") is True,
            relevant=tuple(map(str, r.get("relevant", ()))),
            evidence=given_evidence(r.get("evidence")),
        )
        for r in records
    )


def samples(workspace: str) -> tuple[Sample, ...]:
    """All sample questions when ``workspace`` is the sample corpus, in their own order; none for other corpora."""
    if workspace != SAMPLE_WORKSPACE:
        return ()
    try:
        folder = sample_folder()
    except EnvironmentProblem:
        return ()
    return _read(folder / "queries.jsonl")


def a_few(everything: tuple[Sample, ...]) -> tuple[Sample, ...]:
    """Those marked for Home; where none is marked, the first question of each effect. In their own order."""
    first: dict[str, Sample] = {}
    for sample in everything:
        first.setdefault(sample.effect, sample)
    return tuple(sample for sample in everything if sample.shown) or tuple(first.values())
