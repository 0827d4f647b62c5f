"""The Compare page: its states, its inputs in the address, its filters, and what it says of hostile data."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

from docgraph import plugins
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration import comparisons
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.saved_runs import Runs
from docgraph.ui.compare.state import CHIPS, CHUNK_TABLE, FOLD
from docgraph.ui.compare.switch import BASELINES_KEY, SWITCH
from docgraph.ui.frame import resources
from tests.ui.conftest import Open, page_text

QUESTION = "Why is the queue bounded?"
LIMITS = {"docs": "3", "related": "1", "chunks": "3", "per_doc": "2", "signal": "mean"}
HOSTILE = '<script>alert(1)</script> ![x](https://evil.example/p.png) ":red[x]'


def _write(docgraph: Docgraph, texts: dict[str, tuple[str, str, str]]) -> None:
    files = [
        (
            f"{name}.md",
            f"---\nid: {name}\ntitle: '{title}'\nsummary: {title}\n{edges}\n---\n# {title}\n\n{text}\n".encode(),
        )
        for name, (title, text, edges) in texts.items()
    ]
    docgraph.ingest_files(files)


@pytest.fixture
def corpus(docgraph: Docgraph) -> Docgraph:
    """The decision explains the interface, which the question's words do not find."""
    _write(
        docgraph,
        {
            "adr-1": (
                "Bounded queue",
                "The queue is bounded at 400 bookings.\n\n## Why\n\nThe queue was never bounded.",
                "explains: [api]",
            ),
            "api": ("API Reservations", "A refusal carries Retry-After.", ""),
            "runbook": ("Runbook", "Why is the alarm on? Is the queue long?", ""),
            "glossary": ("Glossary", "The queue is a line; why is it bounded?", ""),
            "prices": ("Prices", "A crossing costs twelve crowns.", ""),
        },
    )
    return docgraph


def _open(open_page: Open, **query: str) -> AppTest:
    return open_page("compare", query=QUESTION, **{**LIMITS, **query})


def _labels(at: AppTest, kind: str) -> list[str]:
    return [element.proto.label for element in at.get(kind)]


def _rows(at: AppTest) -> list[dict[str, Any]]:
    """The rows that the chart draws."""
    (chart,) = at.get("vega_lite_chart")
    frame = convert_arrow_bytes_to_pandas_df(chart.proto.data.data)
    return [dict(row) for row in frame.to_dict("records")]


def _address(at: AppTest, name: str) -> str:
    value = at.query_params[name]
    return value if isinstance(value, str) else value[-1]


def _table_title(at: AppTest) -> list[str]:
    return re.findall(r'cp-tabletitle">(\w+)<span class="dg-note">([^<]*)', page_text(at))  # type: ignore[return-value]


def test_without_documents_the_page_leads_to_the_library(docgraph: Docgraph, open_page: Open) -> None:
    at = open_page("compare", query=QUESTION)
    assert "holds no documents yet" in page_text(at)
    assert "Add documents" in _labels(at, "page_link")


def test_without_a_question_the_page_takes_one(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("compare")
    assert "Show what changed" in page_text(at)
    at.text_input(key="query").set_value(QUESTION)
    at.button(key="cp_go").click().run()
    assert not at.exception
    assert QUESTION in page_text(at)
    assert "cp-place" in page_text(at) or "No difference" in page_text(at)


def test_a_link_shows_verdict_cause_chart_and_contract(corpus: Docgraph, open_page: Open) -> None:
    at = _open(open_page)
    expected = corpus.compare(
        RetrievalRequest(
            query=QUESTION, max_documents=3, max_expanded=1, max_chunks=3, max_chunks_per_document=2, seed_signal="mean"
        )
    )
    text = page_text(at)
    numbers = [phrase.text for phrase in expected.verdict if phrase.rows not in ("", "tokens")]
    assert [n for n in numbers if n in _labels(at, "button")] == numbers
    assert "Relationships</span>" in text, "beside MS3 what changes is owed to relationships"
    assert f"Checks passed: {len(expected.b.run.contract)} of" in text
    assert "scores unchanged" in text
    assert "With relationships" in text
    assert "Without relationships" in at.button_group(key=SWITCH).options


def test_above_the_fold_stand_verdict_picture_and_changes_and_every_table_is_folded(
    corpus: Docgraph, open_page: Open
) -> None:
    at = _open(open_page)
    assert not at.dataframe
    assert not at.get("vega_lite_chart")
    assert len(at.get("bidi_component")) >= 1
    left = corpus.compare(_request()).chunks_with("left")
    assert page_text(at).count("cp-gone") == len({c.document_id for c in left})
    for name, n in (("documents", 1), ("chunks", 1)):
        at.button_group(key=FOLD).set_value(name).run()
        assert len(at.dataframe) == n
    assert len(at.get("vega_lite_chart")) == 1


def _request() -> RetrievalRequest:
    return RetrievalRequest(
        query=QUESTION, max_documents=3, max_expanded=1, max_chunks=3, max_chunks_per_document=2, seed_signal="mean"
    )


def test_a_judged_loss_turns_the_verdict_round_and_offers_the_one_way_back(corpus: Docgraph, open_page: Open) -> None:
    made = corpus.compare(_request())
    gone = made.documents_with("left")[0]
    corpus.judgments.judge(QUESTION, gone.document_id, True, by="Ann")
    corpus.judgments.judge(QUESTION, made.documents_with("added")[0].document_id, True, by="Ann")
    at = _open(open_page)
    words = [re.sub(r"<[^>]+>", "", block) for block in page_text(at).splitlines() if "cp-word" in block]
    assert f"{gone.title}, left out:" in " ".join(words)
    assert "1 relevant document is lost" in _labels(at, "button")
    back = [link for link in at.get("page_link") if link.proto.label.startswith("Bring it back: ")]
    assert len(back) == 1
    [limit] = re.findall(r"raise document limit to (\d)", back[0].proto.label)
    assert parse_qs(back[0].proto.query_string)["docs"] == [limit]
    assert "then 2 of 2 relevant are read, " in page_text(at)
    assert "relevant, lost" in page_text(at)


def test_what_nobody_judged_is_not_valued(corpus: Docgraph, open_page: Open) -> None:
    text = page_text(_open(open_page))
    assert "relevant document" not in text
    assert "cp-tag" not in text


def test_a_chip_opens_its_rows_and_dims_the_chart(corpus: Docgraph, open_page: Open) -> None:
    at = _open(open_page)
    n_all = len(corpus.compare(_request()).documents)
    at.button_group(key=CHIPS).set_value("documents_added").run()
    assert _table_title(at) == [("Documents", f"1 of {n_all}")]
    assert _address(at, "rows") == "documents_added"
    at.button_group(key=FOLD).set_value("chunks").run()
    lit = [row["kind"] for row in _rows(at) if row["opacity"] == 1]
    assert set(lit) == {"added"}


def test_a_number_of_the_verdict_filters_to_its_rows(corpus: Docgraph, open_page: Open) -> None:
    at = _open(open_page)
    number = next(b for b in at.button if (b.key or "").startswith("cp-number") and "document" in b.label)
    number.click().run()
    chosen = at.session_state[CHIPS]
    assert chosen in ("documents_added", "documents_left")
    assert _table_title(at) == [("Documents", f"{number.label.split()[0]} of 4")]


def test_filter_and_order_come_out_of_the_address(corpus: Docgraph, open_page: Open) -> None:
    at = _open(open_page, rows="left", order="by score", changes="only changes")
    assert at.session_state[CHIPS] == "left"
    assert at.session_state[FOLD] == "chunks", "a link to rows opens them"
    rows = _rows(at)
    assert all(row["kind"] != "same" for row in rows)
    junk = dict.fromkeys(("rows", "order", "changes", "b", "anyway"), "<img src=x>")
    assert _open(open_page, **junk).session_state[CHIPS] == "all"


def test_a_click_in_the_page_asks_the_database_nothing(
    corpus: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = _open(open_page)
    asked: list[str] = []
    monkeypatch.setattr(Docgraph, "run", lambda *_, **__: asked.append("run"))
    monkeypatch.setattr(comparisons, "run", lambda *_, **__: asked.append("run"))
    monkeypatch.setattr(Runs, "get", lambda *_, **__: asked.append("saved_run"))
    at.button_group(key=CHIPS).set_value("left").run()
    assert not at.exception
    assert asked == []


def test_plain_vector_search_is_a_third_run_by_choice_and_never_in_the_sentence_of_relationships(
    corpus: Docgraph, open_page: Open
) -> None:
    at = _open(open_page)
    at.button_group(key=SWITCH).set_value("plain").run()
    assert _address(at, "baseline") == "plain"
    assert "Relationships</span>" not in page_text(at), "plain vectors differ in more than relationships"
    at.selectbox(key=BASELINES_KEY).set_value("ms3").run()
    assert "baseline" not in at.query_params
    assert "Relationships</span>" in page_text(at)
    assert "No difference" in page_text(_open(open_page, b="ms3"))


def test_no_difference_is_said_with_its_reason(corpus: Docgraph, open_page: Open) -> None:
    at = open_page("compare", query="What does a crossing cost in crowns?", docs="2")
    text = page_text(at)
    assert "No difference, and why" in text
    assert "Without relationships and With relationships" in text
    at.button_group(key=FOLD).set_value("documents").run()
    assert _table_title(at)[0][1].startswith("all ")
    assert not at.get("vega_lite_chart")


def test_a_frozen_run_is_compared_with_the_baseline_saved_with_it(corpus: Docgraph, open_page: Open) -> None:
    saved = corpus.runs.save(RetrievalRequest(query=QUESTION, max_documents=3, max_chunks=4), name=HOSTILE)
    before = _texts(open_page, saved.run_id)
    _write(corpus, {"adr-1": ("Other", "Nothing about it.", "")})
    after = _texts(open_page, saved.run_id)
    assert "Saved version" in after
    assert re.findall(r"place \d+, \w+ by score", before) == re.findall(r"place \d+, \w+ by score", after)
    assert "<script>" not in after


def _texts(open_page: Open, run_id: str) -> str:
    at = open_page("compare", run=run_id)
    at.button_group(key=FOLD).set_value("texts").run()
    return page_text(at)


def test_two_versions_of_a_chunk_are_read_side_by_side(corpus: Docgraph, open_page: Open) -> None:
    saved = corpus.runs.save(RetrievalRequest(query=QUESTION), name="Before")
    text = "The queue is bounded at 600 bookings.\n\n## Why\n\nThe queue was never bounded."
    _write(corpus, {"adr-1": ("Bounded queue", text, "explains: [api]")})
    at = open_page("compare", query=QUESTION, baseline=saved.run_id, rows="rewritten")
    at.button_group(key=FOLD).set_value("texts").run()
    shown = page_text(at)
    assert "<del>400</del>" in shown
    assert "<ins>600</ins>" in shown
    assert "Different revisions" in shown


def test_another_corpus_is_refused_and_compared_anyway_with_a_label(corpus: Docgraph, open_page: Open) -> None:
    corpus.create_workspace("other")
    other = corpus.use_workspace("other")
    _write(other, {"x": ("Queue", "The queue is bounded.", "")})
    saved = other.runs.save(RetrievalRequest(query=QUESTION), name="elsewhere")
    at = _open(open_page, baseline=saved.run_id)
    assert "These two runs cannot be compared" in page_text(at)
    assert "different corpora" in page_text(at)
    at.button(key="cp_anyway").click().run()
    assert _address(at, "anyway") == "1"
    assert "Different corpora" in page_text(at)
    at.button_group(key=CHIPS).set_value("left").run()
    assert not at.exception


@pytest.mark.parametrize(
    "query", [{"run": "ffffffffffff"}, {"run": "x"}, {"query": QUESTION, "baseline": "ffffffffffff"}]
)
def test_an_unknown_run_is_a_written_state_with_a_way_on(
    corpus: Docgraph, open_page: Open, query: dict[str, str]
) -> None:
    at = open_page("compare", **query)
    assert "This did not work" in page_text(at)
    key = "cp_to_ms3" if "baseline" in query else "cp_ask_again"
    at.button(key=key).click().run()
    assert "This did not work" not in page_text(at)


def test_a_baseline_may_be_other_inputs_for_the_same_question(corpus: Docgraph, open_page: Open) -> None:
    """It was looked up as a saved run after it was asked: *Compare with base* of a draft ended in an error."""
    at = _open(open_page, baseline="?docs=1&signal=mean")
    assert "This did not work" not in page_text(at)
    assert "cp-place" in page_text(at)


def test_a_run_is_saved_for_its_frozen_link(corpus: Docgraph, open_page: Open) -> None:
    at = _open(open_page)
    next(b for b in at.button if (b.key or "").startswith("cp_save") and b.label == "Save").click().run()
    [saved] = corpus.runs.list()
    assert saved.query == QUESTION
    assert corpus.runs.get(saved.run_id).run.trace, "what is saved is the run as it was made"
    assert not [b for b in at.button if (b.key or "").startswith("cp_save")]


def test_hostile_titles_stay_text(docgraph: Docgraph, open_page: Open) -> None:
    evil = HOSTILE.replace("'", "")
    _write(
        docgraph,
        {
            "one": (evil, f"The queue is bounded. {evil}", "explains: [two]"),
            "two": (f"Two {evil}", f"Refused. {evil}", ""),
            "three": ("Three", "The queue.", ""),
        },
    )
    at = open_page("compare", query=f"Why is the queue bounded? {evil}", docs="2", related="1", chunks="2")
    text = page_text(at)
    assert "&lt;script&gt;" in text
    assert "<script>" not in text
    for kind in ("button", "page_link"):
        assert all("![x](" not in label for label in _labels(at, kind))


def test_the_selection_of_the_table_is_that_of_the_chart(corpus: Docgraph, open_page: Open) -> None:
    at = _open(open_page)
    at.button_group(key=FOLD).set_value("chunks").run()
    rows = _rows(at)
    [marked] = [row for row in rows if row["band"] != "transparent"]
    assert len(at.session_state[CHUNK_TABLE]["selection"]["rows"]) == 1
    at.button_group(key=FOLD).set_value("texts").run()
    assert marked["chunk"] in page_text(at)


def test_the_page_needs_no_second_look_at_the_revision(corpus: Docgraph, open_page: Open) -> None:
    """Both runs come out of the cache on the second visit."""
    _open(open_page)
    made: list[str] = []
    plain = resources.docgraph("harbor").run
    resources.docgraph("harbor").run = lambda *a, **k: made.append("run") or plain(*a, **k)  # type: ignore[method-assign]
    _open(open_page)
    assert made == []


def test_the_judged_figure_leads_to_the_documents_that_nobody_judged(
    corpus: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def link(at: AppTest) -> dict[str, list[str]]:
        (found,) = [each.proto for each in at.get("page_link") if "judge" in each.proto.label]
        return {"label": [found.label], **parse_qs(parse_qs(found.query_string)["of"][0])}

    measures = (plugins.build("measures", "ndcg"), plugins.build("measures", "recall"))
    monkeypatch.setattr(corpus.session, "adapters", replace(corpus.session.adapters, measures=measures))
    made = corpus.compare(
        RetrievalRequest(
            query=QUESTION, max_documents=3, max_expanded=1, max_chunks=3, max_chunks_per_document=2, seed_signal="mean"
        )
    )
    first = open_page("compare", query=QUESTION, **LIMITS)
    said = link(first)
    assert said["label"] == [f"judge {len(made.b.run.context.document_ids)} documents"]
    assert (said["query"], said["tab"], said["docs"]) == ([QUESTION], ["Evidence"], ["3"])
    assert "<dt>nDCG</dt><dd><b>not judged</b></dd>" in page_text(first)

    corpus.judgments.judge(QUESTION, "api", True, by="Ann")
    n = len(made.documents)
    judged = _open(open_page)
    assert link(judged)["label"] == [f"judge {len(made.b.run.context.document_ids) - 1} documents"]
    assert re.search(r"<dt>nDCG@3</dt><dd><b>0\.00 → 0\.\d\d</b></dd>", page_text(judged))
    judged.button_group(key=FOLD).set_value("documents").run()
    frames = [each.value for each in judged.dataframe if "judged" in each.value.columns]
    assert [row for row in frames[0]["judged"] if isinstance(row, str)] == ["relevant"]

    monkeypatch.setattr(corpus, "may_write", lambda: False)
    closed = _open(open_page)
    assert not [each for each in closed.get("page_link") if "judge" in each.proto.label]
    assert f"<span>1 relevant, 1 of {n} shown judged</span>" in page_text(closed)
