"""The sample questions of the sample corpus, and the button that adds them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import streamlit as st

from docgraph.boundary.installed import sample_folder
from docgraph.domain.passages.evidence import Evidence, given_evidence
from docgraph.errors import DocgraphError, EnvironmentProblem
from docgraph.orchestration.evaluating.sample import SAMPLE_SET, add_sample_questions, effect_words
from docgraph.ui.frame import resources
from docgraph.ui.frame.layout import Glyph
from docgraph.ui.frame.resources import SAMPLE_WORKSPACE
from docgraph.ui.frame.state import session

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


LABEL = "Add the sample questions"


def sample_questions(workspace: str, *, key: str) -> bool:
    """Draw the button; False, with nothing drawn, where there are none to add. ``key`` is unique on the page."""
    if not can_be_added(workspace):
        return False
    st.button(LABEL, key=f"{key}.add", type="primary", on_click=_add, args=(workspace,))
    return True


def can_be_added(workspace: str) -> bool:
    """Whether this is the sample corpus without its questions, and this reader may keep some."""
    if not samples(workspace) or not resources.may("keep_set"):
        return False
    try:
        docgraph = resources.docgraph(workspace)
        if not docgraph.workspace.n_documents or not docgraph.may_write():
            return False
        return all(each.name != SAMPLE_SET for each in docgraph.query_sets.list())
    except EnvironmentProblem:
        return False


def _add(workspace: str) -> None:
    try:
        if add_sample_questions(resources.docgraph(workspace).session):
            session().notices.append(f"The {len(samples(workspace)):,} sample questions were added, with judgments.")
    except DocgraphError as problem:
        session().problems.append(problem)
