"""The tables of docs/quality.md: passages, documents, sentences, published systems; intervals beside every figure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.quality.sentences import sentences
from benchmarks.quality.sets import Question
from docgraph import Docgraph
from docgraph.domain.evaluation import Evaluation
from docgraph.domain.query_set import JudgedQuery
from docgraph.evaluation.significance import interval

WAYS = ("off", "vectors", "on")
"""The first one is what the others are compared with."""

BUDGETS = (2_000, 4_000)
MANY_CHUNKS = 100
"""So many chunks that the token budget is what ends them."""

HEAD = "| set | questions | measure | plain | off | on | difference, 95 % |\n|---|---|---|---|---|---|---|"
SENTENCES_HEAD = "| sentences of | number | measure | off | on | difference, 95 % |\n|---|---|---|---|---|---|"


def passages(name: str, there: Docgraph, asked: Sequence[Question], fields: Mapping[str, Any]) -> Iterator[str]:
    """Target documents that are read, then answering passages: within 10 chunks, and within each token budget.

    ``fields`` as they are for the target and the 10 chunks; under a budget as many chunks are read as there is room.
    Of a question with evidence in two documents both passages have to be read.
    """
    having = [each for each in asked if each.evidence]
    if not having:
        return
    ten = {**fields, "max_chunks": 10}
    targets = [replace(each, relevant=frozenset({each.target})) if each.target else each for each in having]
    yield _line(name, "target read", there.evaluate(_set(targets), WAYS, measures=["recall@10"], request=ten))
    yield _line(name, "passage@10", there.evaluate(_set(having), WAYS, measures=["passage@10"], request=ten))
    for budget, request in _budgets(fields):
        measure = f"passage@{budget}t"
        yield _line(name, measure, there.evaluate(_set(having), WAYS, measures=[measure], request=request))


def _budgets(fields: Mapping[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each budget with its request: as many chunks as there is room for."""
    for budget in BUDGETS:
        yield budget, {**fields, "token_budget": budget, "max_chunks": MANY_CHUNKS}


def documents(name: str, there: Docgraph, asked: Sequence[Question], fields: Mapping[str, Any]) -> Iterator[str]:
    """A line for each measure: all questions, and the kinds that the set names; every value is of ``evaluate``."""
    k = max(fields["max_documents"], fields["max_chunks"])  # all that is read: plain vectors plan no documents
    whole = _kept(there, name, asked, WAYS, measures=[f"recall@{k}", f"perfect@{k}"], fields=fields)
    yield _line(name, "recall", whole, f"recall@{k}")
    yield _line(name, "perfect", whole, f"perfect@{k}")
    if having := [question for question in asked if question.target]:
        title = "target" if len(having) == len(asked) else f"target, {len(having)} of {len(asked)}"
        targets = [replace(question, relevant=frozenset({question.target})) for question in having]
        yield _line(name, title, there.evaluate(_set(targets), WAYS, measures=[f"recall@{k}"], request=fields))
    for kind in sorted({question.kind for question in asked if question.kind}):
        inside = [each for each in asked if each.kind == kind]
        found = there.evaluate(_set(inside), WAYS, measures=[f"recall@{k}"], request=fields)
        yield _line(f"{name}, {kind}", "recall", found)


def plain_sentences(name: str, there: Docgraph, fields: Mapping[str, Any]) -> Iterator[str]:
    """What relationships cost a sentence: its document at 5 documents and 5 chunks, its passage under each budget."""
    asked = _set(sentences(there))
    five = {**fields, "max_documents": 5, "max_chunks": 5}
    ways = ("off", "on")
    yield _loss(name, there.evaluate(asked, ways, measures=["recall@5"], request=five))
    for budget, request in _budgets(fields):
        yield _loss(name, there.evaluate(asked, ways, measures=[f"passage@{budget}t"], request=request))


def published(folder: Path, there: Docgraph, asked: Sequence[Question], fields: Mapping[str, Any]) -> Iterator[str]:
    """A line for each published system beside ours, over the passages that its authors say it returned.

    Ours under the mode that was asked for, always at eight passages: further fields of a request are not taken here.
    """
    path = folder / "reference_results.json"
    if not path.is_file():
        return
    ids = {question.query: f"q{number}" for number, question in enumerate(asked)}
    systems = {
        name: {ids[row["question"]]: row["evidence_titles"] for row in rows if row["question"] in ids}
        for name, rows in json.loads(path.read_text(encoding="utf-8")).items()
    }
    measures = ["recall@8", "perfect@8", "ndcg@8"]
    ways = {**systems, "off": "off", "on": "on"}
    found = _kept(there, f"{folder.name}, published systems", asked, ways, measures=measures, fields=fields)
    mode = "" if fields.get("mode", "accurate") == "accurate" else f", {fields['mode']}"
    yield f"\n| 2wiki-780, 8 passages{mode} | questions | recall | perfect | nDCG |\n|---|---|---|---|---|"
    for each in found.configurations:
        n = next((figure.n for measure in measures if (figure := found.figure(each.name, measure)) is not None), 0)
        means = " | ".join(_with_interval(found, each.name, measure) for measure in measures)
        yield f"| {each.label} | {n} | {means} |"


def _kept(
    there: Docgraph,
    name: str,
    asked: Sequence[Question],
    ways: Sequence[str] | Mapping[str, Any],
    *,
    measures: Sequence[str],
    fields: Mapping[str, Any],
) -> Evaluation:
    """The evaluation, kept under the name of its set and its mode."""
    named = f"{name}, {fields['mode']}" if fields.get("mode", "accurate") != "accurate" else name
    there.query_sets.keep(_set(asked), name=named)
    return there.query_sets.result(there.query_sets.run(named, ways, measures=measures, request=fields).evaluation_id)


def _set(asked: Sequence[Question]) -> list[JudgedQuery]:
    return [each.judged.model_copy(update={"query_id": f"q{number}"}) for number, each in enumerate(asked)]


def _line(name: str, title: str, found: Evaluation, measure: str = "") -> str:
    measure = measure or found.measures[0]
    figures = " | ".join(_with_interval(found, way, measure) for way in ("vectors", "off", "on"))
    return f"| {name} | {found.n} | {title} | {figures} | {_gain(found, measure)} |"


def _loss(name: str, found: Evaluation) -> str:
    measure = found.measures[0]
    figures = " | ".join(_with_interval(found, way, measure) for way in ("off", "on"))
    return f"| {name} | {found.n} | {measure} | {figures} | {_gain(found, measure)} |"


def _gain(found: Evaluation, measure: str) -> str:
    """On minus off, with its paired interval, and how many questions got better and worse."""
    gain = found.difference("on", measure)
    assert gain is not None
    low, high = (_signed(value) for value in (gain.low, gain.high))
    return f"{_signed(gain.mean)} ({low} … {high}), {gain.improved} better, {gain.worse} worse"


def _with_interval(found: Evaluation, way: str, measure: str) -> str:
    """A mean in percent with the bootstrap interval (95 %) over its questions."""
    values = [value for each in found.outcomes if (value := each.value(way, measure)) is not None]
    if not values:
        return "--"
    bounds = interval(values)
    shown = "" if bounds is None else f" ({100 * bounds[0]:.0f} … {100 * bounds[1]:.0f})"
    return f"{100 * sum(values) / len(values):.1f}{shown}"


def _signed(value: float | None) -> str:
    return "--" if value is None else f"{100 * value:+.1f}"
