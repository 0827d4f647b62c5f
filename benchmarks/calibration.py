"""Fits the calibration that comes with docgraph, and says what it is worth on sets it was not fitted on.

    python -m benchmarks.calibration DATA

DATA = a folder with the public sets ``2wiki-780``, ``peps-small``, ``eips``, ``keps``, ``bips``, ``rustrfcs``,
``swift``, ``govuk-adrs``, ``foam-docs``; docs/calibration.md says where they come from. The sample corpus is another
one. Each is imported into a workspace of its own of the configured store, once. Deterministic; takes half an hour the
first time, five minutes afterwards.

Every set is asked its own questions and those of the others, which it cannot answer: *near* ones come from a set that
is technical prose like it, *far* ones do not. Some sets come with questions of their own field that they do not answer:
*field* ones, which weigh as much there as the near ones. Sets weigh alike; of the questions without an answer those two
weigh three quarters. Figures are those of a set that was left out altogether, documents and questions.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import docgraph
from docgraph.domain.calibration import LabelledQuestion
from docgraph.orchestration.calibration import CANDIDATES, SHOWN, THRESHOLD, _labelled
from docgraph.orchestration.confidences import weights_of
from docgraph.orchestration.packets import found_for
from docgraph.retrieval import calibration as platt
from docgraph.retrieval.calibration import SHIPPED, calibration_id
from docgraph.retrieval.confidence import FALL, evidence, share_held

SAMPLE = Path(__file__).resolve().parent.parent / "sample_data"
ASKED = ("harbor", "2wiki-780", "peps-small", "eips", "keps", "bips", "rustrfcs", "swift")
SETS = (*ASKED, "govuk-adrs", "foam-docs")
ENCYCLOPEDIC = "2wiki-780"
NEAR_WEIGHT = 0.75
COSINE_ALONE = platt.Constants(9.3594, -3.2639)
"""What was shipped before words counted; fitted on pairs of the first three sets."""


@dataclass(frozen=True)
class Cases:
    """One row a question asked of a set; ``kind`` = own, field, near, far, or left (own, without its documents)."""

    scores: NDArray[np.float64]
    shares: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    corpus: NDArray[np.str_]
    origin: NDArray[np.str_]
    kind: NDArray[np.str_]

    def only(self, rows: NDArray[np.bool_]) -> Cases:
        return Cases(*(column[rows] for column in vars(self).values()))

    def weights(self) -> NDArray[np.float64]:
        """Sets weigh alike; near and far questions of a set as ``NEAR_WEIGHT`` says."""
        found = np.zeros(len(self.scores))
        for name in SETS:
            has_field = ((self.corpus == name) & (self.kind == "field")).any()
            near = NEAR_WEIGHT / 2 if has_field else NEAR_WEIGHT
            for kind, total in (("own", 1.0), ("field", near), ("near", near), ("far", 1 - NEAR_WEIGHT)):
                here = (self.corpus == name) & (self.kind == kind)
                found[here] = total / max(1, here.sum())
        return found

    def fit(self, *, words: bool = True) -> platt.Constants:
        asked = self.only(self.kind != "left")
        shares = asked.shares if words else None
        labels = asked.relevant.tolist()
        return platt.fit(asked.scores, labels, asked.weights(), shares=shares, answerable=platt.ANSWERABLE)


def read_questions(data: Path) -> dict[str, list[LabelledQuestion]]:
    found = {}
    for name in ASKED:
        path = SAMPLE / "queries.jsonl" if name == "harbor" else data / name / "queries.jsonl"
        rows = list(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
        found[name] = [_labelled_question(row) for row in rows if row["relevant"]]
        for kind, mark in (("field", "-unans-near-"), ("far", "-unans-far-")):
            if unanswered := [_labelled_question(row) for row in rows if not row["relevant"] and mark in row["id"]]:
                found[f"{name} {kind}"] = unanswered
    return found


def _labelled_question(row: dict[str, Any]) -> LabelledQuestion:
    return LabelledQuestion(query=row["query"], relevant=tuple(row["relevant"]))


def proposals(folder: Path) -> Iterator[dict[str, Any]]:
    """The KEPs as records: a folder each, its number the id, README.md the text, the title in kep.yaml."""
    seen = set()
    for beside in sorted(folder.glob("*/**/kep.yaml")):
        number, text = re.match(r"0*(\d+)-", beside.parent.name), beside.parent / "README.md"
        if number is None or number[1] in seen or not text.exists():
            continue
        seen.add(number[1])
        title = re.search(r"^title:\s*\"?(.*?)\"?\s*$", beside.read_text(errors="replace"), re.MULTILINE)
        body = re.sub(r"<!--.*?-->", "", text.read_text(errors="replace"), flags=re.DOTALL)[:400_000]
        yield {
            "document_id": f"kep-{number[1]}",
            "title": (title[1] if title else "") or f"KEP {number[1]}",
            "text": "\n".join(line[:20_000] for line in body.replace("\x00", "").splitlines()),
            "doc_type": beside.parts[-3],
        }


def ingest(opened: docgraph.Docgraph, name: str, data: Path) -> None:
    if name == "keps":
        opened.ingest_records(proposals(data / name / name))
        return
    opened.ingest({"harbor": SAMPLE / name, "eips": data / name / "EIPS"}.get(name, data / name))


@dataclass(frozen=True)
class Passages:
    """One row a passage found for a question that is answered: score, share of words, whether its document answers."""

    question: NDArray[np.int64]
    scores: NDArray[np.float64]
    shares: NDArray[np.float64]
    relevant: NDArray[np.bool_]

    def behind(self, constants: platt.Constants) -> NDArray[np.float64]:
        """By how much the evidence of each lies behind the best one of its question."""
        each = evidence(self.scores, self.shares, constants.slope, constants.words)
        return np.asarray([each[self.question == q].max() for q in self.question] - each)

    def fall(self, constants: platt.Constants) -> float:
        """The most likely ``f`` of *relevant = that of the best · exp(-behind / f)*, to half a point."""
        behind = self.behind(constants)
        best = self.relevant[behind == 0].mean()

        def loss(fall: float) -> float:
            said = np.clip(best * np.exp(-behind / fall), 1e-6, 1 - 1e-6)
            return float(-np.log(np.where(self.relevant, said, 1 - said)).mean())

        return float(min(np.arange(1.0, 10.5, 0.5), key=loss))


def passages(opened: docgraph.Docgraph, asked: list[LabelledQuestion], first: int) -> Iterator[tuple[Any, ...]]:
    """Rows of ``Passages``, the questions numbered from ``first`` on."""
    for number, question in enumerate(asked, start=first):
        with opened.session.reading() as snapshot:
            weights = weights_of(question.query, snapshot)
        lists = found_for(opened.session, question.query, limit=CANDIDATES)
        hits = {hit.key: hit for found in lists for hit in found[:SHOWN]}.values()
        if any(hit.key[0] in question.relevant for hit in hits):
            for hit in hits:
                yield number, hit.score, share_held(hit, weights), hit.key[0] in question.relevant


def collect(data: Path) -> tuple[Cases, Passages, str]:
    """Every set with every question, the passages of those that it answers, and the embedder's id."""
    questions = read_questions(data)
    shown: list[tuple[Any, ...]] = []
    rows: list[tuple[float, float, bool, str, str, str]] = []
    for name in SETS:
        with docgraph.connect(workspace=f"s-{name}") as opened:
            if opened.workspace_name not in {each.name for each in opened.workspaces()}:
                ingest(opened, name, data)
            embedder_id = opened.embedder.embedder_id
            for origin, asked in questions.items():
                of, _, unanswered = origin.partition(" ")
                if unanswered and of != name:
                    continue
                own = origin == name
                kind = unanswered or ("own" if own else "far" if ENCYCLOPEDIC in (origin, name) else "near")
                given = [q if own else q.model_copy(update={"relevant": ()}) for q in asked]
                _, found = _labelled(opened.session, given, CANDIDATES)
                if own:
                    shown += passages(opened, asked, 10_000 * SETS.index(name))
                kinds = [kind if asked else "left" for asked in found.asked]
                columns = zip(found.scores, found.shares, found.relevant, kinds, strict=True)
                rows += [(a, b, c, name, of, d) for a, b, c, d in columns]
        print(f"asked {name}", file=sys.stderr)
    cases, found_passages = ([np.asarray(column) for column in zip(*each, strict=True)] for each in (rows, shown))
    return Cases(*cases), Passages(*found_passages), embedder_id


def left_out(cases: Cases, *, words: bool) -> NDArray[np.float64]:
    """The confidence of each case by constants that saw neither its set nor the questions of its set."""
    found = np.zeros(len(cases.scores))
    for name in SETS:
        here = cases.corpus == name
        constants = cases.only(~here & (cases.origin != name)).fit(words=words)
        found[here] = platt.confidences(cases.scores[here], *constants, shares=cases.shares[here])
    return found


def figures(cases: Cases, given: NDArray[np.float64], rows: NDArray[np.bool_]) -> str:
    """Coverage, wrong *proceed* by kind, and the balanced error over own and near questions."""

    def share(kind: str) -> str:
        here = rows & (cases.kind == kind)
        return f"{(given[here] >= THRESHOLD).mean():6.1%} of {here.sum():3}" if here.any() else f"{'--':>13}"

    judged = rows & np.isin(cases.kind, ["own", "field", "near"])
    two = cases.relevant[judged].any() and not cases.relevant[judged].all()
    error = f"{platt.calibration_error(given[judged], cases.relevant[judged]):.3f}" if two else "--"
    held = rows & cases.relevant
    holding = f"{(given[held] >= THRESHOLD).mean():6.1%}" if held.any() else "--"
    said = [f"{kind} {share(kind)}" for kind in ("own", "field", "near", "far", "left")]
    return f"{'  '.join(said)}  holding {holding}  error {error}"


def _relevant(behind: NDArray[np.float64], relevant: NDArray[np.bool_]) -> str:
    edges = (0.0, 1e-9, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 9.0, 99.0)
    said = []
    for low, high in pairwise(edges):
        here = (behind >= low) & (behind < high)
        said.append(f"{behind[here].mean():.1f} ({relevant[here].mean():.2f} of {here.sum()})")
    return ", ".join(said)


def main() -> None:
    """Print the constants and what they are worth."""
    cases, shown, embedder_id = collect(Path(sys.argv[1]))
    constants = platt.Constants(*(round(value, 4) for value in cases.fit()))
    asked = cases.only(cases.kind != "left")
    print(
        f"calibration_id  {calibration_id(embedder_id, 'cosine', *constants)}   (shipped {SHIPPED[0].calibration_id})"
    )
    print(f"{constants}; cases {len(asked.scores)}, holding an answer {asked.relevant.sum()}")
    behind = shown.behind(constants)
    print(f"{len(behind)} passages; behind the best by (share relevant): {_relevant(behind, shown.relevant)}")
    print(f"fall {shown.fall(constants)} (used {FALL})")
    ways = {
        "the cosine itself, clipped": np.clip(cases.scores, 0, 1),
        "shipped before (cosine alone, by pairs)": platt.confidences(cases.scores, *COSINE_ALONE),
        "cosine alone, set left out": left_out(cases, words=False),
        "with words, set left out": left_out(cases, words=True),
    }
    for way, given in ways.items():
        print(f"{way}: questions that reach {THRESHOLD}")
        for name in SETS:
            print(f"  {name:12} {figures(cases, given, cases.corpus == name)}")
        print(f"  {'all':12} {figures(cases, given, np.ones(len(given), dtype=bool))}")


if __name__ == "__main__":
    main()
