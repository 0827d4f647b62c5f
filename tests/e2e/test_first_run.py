"""A first run on a folder of one's own, from an empty dashboard to what relationships do to a question."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import docgraph
from tests.conftest import reachable_folder
from tests.e2e.conftest import SMALL, served_dashboard
from tests.walks.small import vault
from tests.walks.walk import MAX_ACTS, walk


@pytest.fixture
def empty() -> Iterator[Path]:
    folder = reachable_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_eight_acts_lead_from_an_empty_dashboard_to_a_judged_answer_and_nothing_is_unknown_on_the_way(
    browser: Browser, empty: Path, tmp_path: Path
) -> None:
    (tmp_path / "log").mkdir()
    with served_dashboard(empty, tmp_path / "log") as url:
        page = browser.new_context(**SMALL).new_page()
        found = walk(page, url, vault(tmp_path / "bakery"))
        page.context.close()
    assert len(found.acts) <= MAX_ACTS, found.acts
    assert found.unknown == []
    assert found.answer.startswith("0 → "), found.answer
    with docgraph.connect(data_dir=empty) as opened:
        [kept] = opened.query_sets.list()
        assert (kept.name, kept.n, kept.n_judged) == ("First questions", 5, 1)
        judged = opened.judgments.list()
        assert {each.by for each in judged} != {""}
        assert {each.query for each in judged} == {opened.query_sets.get(kept.name).query_set.queries[0].query}
