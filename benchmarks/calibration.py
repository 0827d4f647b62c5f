"""Fits the calibration that comes with docgraph, and says what it is worth on questions it was not fitted on.

    python -m benchmarks.calibration DATA

DATA = a folder with the public sets ``2wiki-780``, ``peps-small``, ``govuk-adrs`` and ``foam-docs``, each with
``docs.jsonl`` and, but for the last two, ``queries.jsonl`` (docs/formats.md); docs/calibration.md says where they come
from. The sample corpus is the third set with questions. Deterministic; takes a minute or two.

Every set is asked its own questions, and those of the others: it cannot answer these. All sets weigh alike, so do
relevant and irrelevant pairs, and among the irrelevant ones those of own and of foreign questions.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import docgraph
from docgraph.domain.calibration import LabelledQuestion
from docgraph.orchestration.calibration import CANDIDATES, THRESHOLD, LabelledScores
from docgraph.retrieval import calibration as platt
from docgraph.retrieval.shipped import calibration_id

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data"
ASKED = ("harbor", "peps-small", "2wiki-780")
UNASKED = ("foam-docs", "govuk-adrs")
N_FOLDS = 5


@dataclass(frozen=True)
class Pairs:
    """The pairs of some sets, one row each; ``corpus`` and ``origin`` are places in ``ASKED``/all sets."""

    scores: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    questions: NDArray[np.int64]
    corpus: NDArray[np.int64]
    origin: NDArray[np.int64]
    weights: NDArray[np.float64]

    def only(self, rows: NDArray[np.bool_]) -> Pairs:
        return Pairs(*(column[rows] for column in vars(self).values()))

    def fit(self) -> tuple[float, float]:
        return platt.fit(self.scores, self.relevant.tolist(), self.weights)

    def best(self, given: NDArray[np.float64]) -> NDArray[np.float64]:
        """The highest confidence of each (corpus, question)."""
        keys = np.stack([self.corpus, self.origin, self.questions], axis=1)
        _, places = np.unique(keys, axis=0, return_inverse=True)
        found = np.zeros(places.max(initial=-1) + 1)
        np.maximum.at(found, places.ravel(), given)
        return found


def read_questions(data: Path) -> dict[str, list[LabelledQuestion]]:
    found = {}
    for name in ASKED:
        path = SAMPLE / "queries.jsonl" if name == "harbor" else data / name / "queries.jsonl"
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found[name] = [LabelledQuestion(query=row["query"], relevant=tuple(row["relevant"])) for row in rows]
    return found


def collect(data: Path) -> tuple[Pairs, str]:
    """Pairs of every set with every question, and the embedder's id."""
    questions = read_questions(data)
    parts: list[tuple[LabelledScores, int, int]] = []
    embedder_id = ""
    for corpus, name in enumerate((*ASKED, *UNASKED)):
        with docgraph.connect(store="memory", workspace="set") as opened:
            opened.ingest(SAMPLE / name if name == "harbor" else data / name)
            embedder_id = opened.embedder.embedder_id
            for origin, asked in enumerate(ASKED):
                own = asked == name
                given = [q if own else q.model_copy(update={"relevant": ()}) for q in questions[asked]]
                parts.append((opened._labelled(given, CANDIDATES)[1], corpus, origin))
    columns = [np.concatenate([getattr(found, field) for found, *_ in parts]) for field in ("scores", "relevant")]
    places = np.concatenate([found.questions for found, *_ in parts])
    corpora = np.concatenate([np.full(len(found.scores), corpus) for found, corpus, _ in parts])
    origins = np.concatenate([np.full(len(found.scores), origin) for found, _, origin in parts])
    weights = _weights(columns[1], corpora, origins)
    return Pairs(columns[0], columns[1], places, corpora, origins, weights), embedder_id


def _weights(relevant: NDArray[np.bool_], corpora: NDArray[np.int64], origins: NDArray[np.int64]) -> NDArray:
    """1 for each set's relevant pairs together, ½ for its own irrelevant ones, ½ for those of foreign questions."""
    weights = np.zeros(len(relevant))
    for corpus in range(len(ASKED)):
        here, own = corpora == corpus, origins == corpus
        for rows, total in ((here & own & relevant, 1.0), (here & own & ~relevant, 0.5), (here & ~own, 0.5)):
            weights[rows] = total / rows.sum()
    return weights


def rates(pairs: Pairs, given: NDArray[np.float64]) -> list[str]:
    """For each set: own questions whose best candidate reaches the threshold, foreign ones whose best does not."""
    said = []
    for corpus, name in enumerate((*ASKED, *UNASKED)):
        own = (pairs.corpus == corpus) & (pairs.origin == corpus)
        foreign = (pairs.corpus == corpus) & (pairs.origin != corpus)
        below = pairs.only(foreign).best(given[foreign]) < THRESHOLD
        met = pairs.only(own).best(given[own]) >= THRESHOLD if own.any() else np.array([])
        answered = f"{met.sum()}/{len(met)} = {met.mean():.0%}" if len(met) else "--"
        said.append(
            f"  {name:12} answerable ≥ {THRESHOLD}: {answered:16} others below: {below.mean():.0%} of {len(below)}"
        )
    return said


def main() -> None:
    """Print the constants and what they are worth."""
    pairs, embedder_id = collect(Path(sys.argv[1]))
    asked = pairs.only(pairs.corpus < len(ASKED))
    slope, intercept = (round(value, 4) for value in asked.fit())
    after, _ = platt.out_of_fold(asked.scores, asked.relevant, asked.questions, weights=asked.weights, n_folds=N_FOLDS)
    before = np.clip(asked.scores, 0, 1)
    print(f"calibration_id  {calibration_id(embedder_id, 'cosine', slope, intercept)}")
    print(f"slope {slope}, intercept {intercept}; {THRESHOLD} is at cosine {(np.log(1.5) - intercept) / slope:.3f}")
    print(f"pairs {len(asked.scores)}, relevant {asked.relevant.sum()}, candidates {CANDIDATES} a question")
    errors = [platt.calibration_error(given, asked.relevant, asked.weights) for given in (before, after)]
    print(f"expected calibration error: before {errors[0]:.3f}, after {errors[1]:.3f} ({N_FOLDS}-fold over questions)")
    held_out = np.empty(len(pairs.scores))
    for fold in range(N_FOLDS):
        here = pairs.questions % N_FOLDS == fold
        held_out[here] = platt.confidences(pairs.scores[here], *pairs.only(~here & (pairs.corpus < len(ASKED))).fit())
    print("held-out questions:", *rates(pairs, held_out), sep="\n")
    other = np.empty(len(pairs.scores))
    for corpus in range(len(ASKED) + len(UNASKED)):
        here = pairs.corpus == corpus
        fitted = pairs.only((pairs.corpus < len(ASKED)) & ~here & (pairs.origin != corpus)).fit()
        other[here] = platt.confidences(pairs.scores[here], *fitted)
    print("fitted without the whole set:", *rates(pairs, other), sep="\n")
    for one in platt.reliability(after, asked.relevant, asked.weights):
        shown = "--" if one.relevant is None else f"said {one.confidence:.2f}  relevant {one.relevant:.2f}"
        print(f"  {one.lower:.1f}–{one.upper:.1f}  {one.n_pairs:6}  {shown}")


if __name__ == "__main__":
    main()
