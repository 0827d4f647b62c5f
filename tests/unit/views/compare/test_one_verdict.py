"""One baseline, one score: every place that speaks of a comparison counts alike, and flipping runs moves nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from docgraph import plugins
from docgraph.boundary.installed import SAMPLE_JUDGE, sample_folder, sample_relevant
from docgraph.cli.text.blocks import show_blocks
from docgraph.domain.baselines import LITERAL, MS3, PLAIN
from docgraph.domain.comparison import Comparison
from docgraph.domain.request import RetrievalRequest
from docgraph.domain.run import Run
from docgraph.mcp_server.results import CompareRunsResult
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from docgraph.ui.presenter.story import BASELINE
from docgraph.views.lanes.union import union
from docgraph.views.presenter import story
from docgraph.views.presenter.picture import picture
from docgraph.views.report.file import report
from docgraph.views.report.of_comparisons import comparison_blocks
from docgraph.views.words.changes import filter_text
from docgraph.views.words.sides import side_name

pytestmark = pytest.mark.slow

QUESTIONS = tuple(sample_relevant())
BASELINE_WORDS = {PLAIN: "plain vector search", LITERAL: "the literal run"}


@pytest.fixture(scope="module")
def sample() -> Iterator[Docgraph]:
    """The sample corpus with its judgments, over the reference store and an embedder that needs no model."""
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(dimension=256),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(plugins.build("loaders", "markdown"),),
        extractors=(plugins.build("extractors", "front_matter"),),
        clock=lambda: 0.0,
        measures=tuple(plugins.build("measures", name) for name in ("ndcg", "recall", "jaccard")),
    )
    with Docgraph(adapters, "harbor") as dg:
        dg.ingest(sample_folder() / "harbor")
        dg.judgments.import_relevant(sample_relevant(), by=SAMPLE_JUDGE)
        for query in QUESTIONS[:6]:
            dg.runs.save(query, name=query)
        yield dg


@pytest.fixture(scope="module")
def compared(sample: Docgraph) -> dict[str, Comparison]:
    saved = {row.run_id: sample.compare(sample.runs.get(row.run_id)) for row in sample.runs.list()}
    return {query: sample.compare(query) for query in QUESTIONS} | saved


@pytest.fixture(scope="module")
def other_baselines(sample: Docgraph) -> dict[tuple[str, str], Comparison]:
    """(question, baseline) → its comparison, for every baseline that is not the same request without relationships."""
    saved = sample.runs.list()[0]
    found = {(query, name): sample.compare(query, name) for query in QUESTIONS for name in (PLAIN, LITERAL)}
    return found | {(saved.query, saved.name): sample.compare(_narrow(saved.query), saved.run_id)}


def _narrow(query: str) -> RetrievalRequest:
    return RetrievalRequest(query=query, max_documents=3, max_chunks=4)


def _of(text: str, *words: str) -> tuple[int, ...]:
    """The numbers before each of the words, 0 where it says ``no``; what is not said counts as 0."""
    found = [re.search(rf"([\d,]+|no) {word}", text) for word in words]
    return tuple(0 if m is None or m[1] == "no" else int(m[1].replace(",", "")) for m in found)


def _counts(made: Comparison) -> tuple[int, int]:
    return len(made.documents_with("added")), len(made.documents_with("left"))


def _read(made: Comparison) -> tuple[int, int, int]:
    return sum(d.in_a for d in made.relevant), sum(d.in_b for d in made.relevant), len(made.relevant)


def test_card_headline_step_report_terminal_and_mcp_say_one_comparison(
    compared: dict[str, Comparison], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The presenter's card once contradicted its headline in 19 of 27 sample questions."""
    for query, made in compared.items():
        documents, read = _counts(made), _read(made)
        card = "".join(p.text for p in made.verdict if p.part == "change")
        assert _of(card, r"documents?\b(?! is| are)", "documents? (?:is|are) removed") == documents, query
        chips = [filter_text(made, name, "document") for name in ("documents_added", "documents_left")]
        assert _of(", ".join(chips), "added", "removed") == documents
        detail = "".join(p.text for p in made.verdict if p.part == "detail")
        chunks = tuple(len(made.chunks_with(change)) for change in ("added", "left", "kept"))
        assert _of(detail, r"added", r"removed", "in both") == chunks, query
        value = "".join(p.text for p in made.verdict if p.part == "value")
        assert tuple(map(int, re.findall(r"\d+", value)[:3])) == read, query
        lost = "".join(p.text for p in made.verdict if p.part == "lost")
        assert all(d.title in lost for d in made.lost[:2])
        assert bool(lost) == bool(made.lost)
        _presenter(made, documents, read)
        _everywhere(made, monkeypatch)


def _presenter(made: Comparison, documents: tuple[int, int], read: tuple[int, int, int]) -> None:
    lines = ["".join(part.text for part in line) for line in story.changed(made)]
    footer = ", ".join(fact.text for fact in story.facts(made, contract=True))
    if made.identical:
        assert lines == [story.POINT]
        return
    if any(documents):
        said = re.findall(r"\b(?:no|none|\d[\d,]*)\b", lines[-1])
        assert tuple(0 if n in ("no", "none") else int(n.replace(",", "")) for n in said) == documents
    assert _of(footer, "documents? added", "documents? removed") == documents
    assert _of(story.counted(made, "added"), "documents?", "passages?") == (
        documents[0],
        len(made.chunks_with("added")),
    )
    assert (
        sum(cost.document_id in {d.document_id for d in made.documents_with("left")} for cost in story.costs(made))
        == (documents[1])
    )
    _, after, n = read
    if made.lost:
        assert _of(lines[0], "relevant documents? (?:is|are) lost", "gained") == (len(made.lost), len(made.gained))
    elif n:
        assert tuple(map(int, re.findall(r"\d+", lines[0])))[:2] == (after, n)
    rows = story.read_rows(made)
    assert (sum(r.before for r in rows), sum(r.after for r in rows), len(rows)) == read


def _everywhere(made: Comparison, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text outside the dashboard holds the whole verdict, word by word."""
    assert CompareRunsResult.of(made).verdict == made.sentence
    assert CompareRunsResult.of(made).relevant == made.relevant
    when = "2026-11-22T08:00:00+00:00"
    plain = re.sub(r"<[^>]+>|\\|\u2060", "", report(made, "html", made_at=when).decode())
    assert " ".join(made.sentence.split()) in " ".join(plain.replace("&#39;", "'").replace("&amp;", "&").split())
    markdown = report(made, "markdown", made_at=when).decode().replace("\\", "").replace("\u2060", "")
    assert made.sentence in markdown
    assert json.loads(report(made, "json", made_at=when))["comparison"]["verdict"][0]["text"] == made.verdict[0].text
    said: list[str] = []
    monkeypatch.setattr("docgraph.cli.text.blocks.line", lambda *parts, **_: said.append(str(parts)))
    for name in ("table", "heading"):
        monkeypatch.setattr(f"docgraph.cli.text.blocks.{name}", lambda *_, **__: None)
    show_blocks(comparison_blocks(made))
    assert any(repr(made.sentence)[1:-1] in text for text in said)


def test_every_baseline_is_named_alike_everywhere(
    compared: dict[str, Comparison],
    other_baselines: dict[tuple[str, str], Comparison],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only beside the same request without relationships do relationships bring anything in."""
    n_named = 0
    for query, made in compared.items():
        assert made.identical or made.by_relationships, query
    for (query, name), made in other_baselines.items():
        assert not made.by_relationships, (query, name)
        _everywhere(made, monkeypatch)
        card = "".join(p.text for p in made.verdict if p.part == "change").strip()
        assert not card.startswith("Relationships"), card
        if made.identical or not card.startswith("Compared with"):
            continue
        n_named += 1
        label = f"“{made.a.label}”"
        assert card.startswith(f"Compared with {BASELINE_WORDS.get(name, label)}, "), card
        assert _of(card, r"documents?\b(?! is| are)", "documents? (?:is|are) removed") == _counts(made), card
        names = [side_name(side) for side in (made.a, made.b)]
        assert f"{names[0]} → {names[1]}:" in report(made, "html", made_at="2026-11-22T08:00:00+00:00").decode()
    assert n_named > len(QUESTIONS)


def test_the_presenter_compares_with_the_run_without_relationships_alone() -> None:
    """Its words say "without" and "relationships" of every comparison that it is given."""
    assert BASELINE == MS3


def _best(run: Run) -> dict[str, float]:
    return {d.document.document_id: d.score for d in run.context.documents if d.score is not None}


def test_flipping_the_runs_leaves_every_kept_bar_and_every_kept_place(compared: dict[str, Comparison]) -> None:
    """Bars once went from 0.64 to 1.00 at the same pixel: fused ranks of one run beside similarities of the other."""
    n_kept = 0
    for query, made in compared.items():
        a, b = _best(made.a.run), _best(made.b.run)
        boxes = {box.key: box for box in union(made).boxes}
        for document in made.documents_with("kept"):
            i = document.document_id
            assert a.get(i, document.score) == b.get(i, document.score) == document.score, (query, i)
            if document.role_a == document.role_b:
                box = boxes[f"{document.role_b}:{i}"]
                assert (box.look, box.in_a, box.in_b) == ("kept", True, True)
                assert box.bar == min(max(document.score or 0.0, 0.0), 1.0)
                n_kept += 1
        _no_two_share_a_place(boxes)
        stage = {box.document_id: box for box in picture(made).found}
        sources = {r.from_document_id for d in made.b.run.plan.expanded_documents[:4] for r in d.reasons}
        assert sources <= set(stage), "the seeds that carry edges are drawn"
    assert n_kept > 3 * len(QUESTIONS)


def _no_two_share_a_place(boxes: dict[str, Any]) -> None:
    places = [(box.lane, box.y) for box in boxes.values()]
    assert len(set(places)) == len(places)


def test_the_questions_of_this_file_hold_gains_and_losses(compared: dict[str, Comparison]) -> None:
    """Else the tests above would not see what they are for."""
    assert any(c.gained and not c.lost for c in compared.values())
    assert any(c.lost for c in compared.values())
