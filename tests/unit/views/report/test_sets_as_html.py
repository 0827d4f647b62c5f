"""An evaluation as one page: it stands alone, escapes everything, and says the numbers of the evaluation."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from docgraph.domain.evaluation import Evaluation, GateResult
from docgraph.domain.query_set import JudgedQuery
from docgraph.domain.report import Adjusted, Rejected
from docgraph.views.report.sets_as_html import as_html
from docgraph.views.words.evaluation import verdict
from tests.unit.orchestration.evaluating.sets import QUESTIONS, workspace

HOSTILE = '<script>alert(1)</script> "><img src=https://evil.example/i onerror=alert(1)> {{ 7 * 7 }}'
AT = "2026-11-22T08:00:00+00:00"


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    asked = (*QUESTIONS, JudgedQuery(query_id=HOSTILE[:60], query=HOSTILE, kind=HOSTILE[:40], grades={"D1": 2}))
    configurations = {"off": "off", "on": "on", HOSTILE[:90]: {each.query_id: ["D1", "D2"] for each in QUESTIONS[3:]}}
    return workspace().evaluate(asked, configurations, measures=("ndcg@4", "recall@4", "jaccard", "tokens"))


class Page(HTMLParser):
    """Elements and attributes that a page has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.attributes = set[str](), set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_the_page_stands_alone_and_no_text_becomes_an_element(evaluation: Evaluation) -> None:
    text = as_html(evaluation, [GateResult(name=HOSTILE, passed=False, sentence=HOSTILE)], made_at=AT).decode()
    page = Page(text)
    assert not page.tags & {"script", "img", "iframe", "link", "object", "form", "a"}
    assert not [name for name in page.attributes if name.startswith("on") or name in ("src", "href")]
    assert "default-src 'none'" in text
    assert not re.search(r"url\(|@import", text)
    assert "{{ 7 * 7 }}" in text


def test_the_page_lists_the_lines_that_were_not_read_or_read_otherwise(evaluation: Evaluation) -> None:
    unread = tuple(Rejected(reason=f"line {n} has {HOSTILE}", place=f"line {n}") for n in range(1, 503))
    adjusted = (Adjusted(reason="line 9: the grade 7 of 'a' is read as 2", place="line 9"),)
    text = as_html(evaluation.model_copy(update={"unread": unread, "adjusted": adjusted}), made_at=AT).decode()
    assert "502 lines are not read: line 1, line 2, line 3, line 4, line 5 and 497 more" in text
    assert '<th scope="row" class="nw">line 500</th>' in text
    assert '<th scope="row" class="nw">line 501</th>' not in text
    assert "2 more are in the JSON report" in text
    assert "the grade 7 of &#39;a&#39; is read as 2" in text
    assert not Page(text).tags & {"script", "img"}
    assert "Read otherwise" not in as_html(evaluation, made_at=AT).decode()


def test_the_page_says_the_verdict_of_every_configuration_and_every_question(evaluation: Evaluation) -> None:
    text = as_html(evaluation, made_at=AT).decode()
    for b in evaluation.configurations[1:]:
        found = evaluation.difference(b.name, "ndcg@4")
        assert found is not None
        assert verdict(found) in text
    assert all(text.count(f"<code>{each.query_id}</code>") >= 2 for each in QUESTIONS)
    assert "Without an answer" in text
    assert text.count(AT) == 1
    assert as_html(evaluation, made_at="") == text.replace(AT, "").encode()


def test_one_configuration_has_its_means_and_no_comparison() -> None:
    alone = workspace().evaluate(QUESTIONS[:2], ("on",), measures=("recall@4", "documents"))
    text = as_html(alone, made_at=AT).decode()
    assert "<h2>Means</h2>" in text
    assert "What became of it" not in text
