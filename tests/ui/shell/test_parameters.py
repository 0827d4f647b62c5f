"""The note about an address that cannot be followed: on every page, closable; the names that pages read are known."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from docgraph import Docgraph
from docgraph.ui.frame import navigation
from docgraph.ui.library.places import PLACE_OF
from docgraph.ui.plan.state import INSIDES, OLD_TABS
from docgraph.ui.plan.state import TABS as PLAN_TABS
from docgraph.ui.query_sets.page import JUDGE
from docgraph.ui.query_sets.sets import VIEWS
from docgraph.ui.relationships.page import FORMER, PLACES
from docgraph.views.parameters import FORMER_TABS, KNOWN, TABS
from tests import ROOT
from tests.ui.conftest import Open, page_text

PAGES = [page.name for page in navigation.pages()]
CLOSE = "docgraph.parameters.close"
ADD = "put it into docgraph/views/parameters.py, or its links are told to be mistaken"


@pytest.mark.parametrize("page", PAGES)
def test_what_cannot_be_followed_is_told_on_every_page_and_closed(harbor: Docgraph, open_page: Open, page: str) -> None:
    at = open_page(page, workspace="harbor", nosuch="<b>1</b>", seeds="1e999")
    assert not at.exception
    text = page_text(at)
    assert "“nosuch=&lt;b&gt;1&lt;/b&gt;” is ignored" in text
    assert "“seeds=1e999” is not followed" in text
    at.button(key=CLOSE).click().run()
    assert not at.exception
    assert "nosuch" not in page_text(at)
    assert "1e999" not in page_text(at)


@pytest.mark.parametrize("page", PAGES)
def test_an_address_that_can_be_followed_is_not_commented(harbor: Docgraph, open_page: Open, page: str) -> None:
    at = open_page(page, workspace="harbor", query="Why is the queue bounded?", mode="fast", seeds="2")
    assert not at.exception
    assert "dg-parameters" not in page_text(at)


def test_a_value_that_an_input_drops_from_the_address_stays_told(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("plan", workspace="harbor", query="Why is the queue bounded?", mode="foo")
    at.run()
    assert "“mode=foo” is not followed: mode is accurate or fast." in page_text(at)


@pytest.mark.parametrize("given", [{"mode": "foo"}, {"seeds": "500"}, {"seeds": "abc"}, {"signal": "<b>"}])
def test_compare_answers_an_address_as_if_what_cannot_be_were_not_there(
    harbor: Docgraph, open_page: Open, given: dict[str, str]
) -> None:
    at = open_page("compare", workspace="harbor", query="Why is the queue bounded?", **given)
    assert not at.exception
    assert "is not followed" in page_text(at)
    assert "This did not work" not in page_text(at)
    assert "exact search" in page_text(at)


def test_what_travels_packed_is_looked_at_too(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("compare", workspace="harbor", of="query=Why+is+the+queue+bounded%3F&mode=foo")
    assert "“mode=foo” is not followed" in page_text(at)


def test_every_name_that_a_page_reads_is_known() -> None:
    names = {name: file for file in (ROOT / "docgraph" / "ui").rglob("*.py") for name in _read_in(file)}
    assert len(names) > 40
    unknown = {name: file.name for name, file in names.items() if name not in KNOWN}
    assert not unknown, ADD


def test_every_tab_is_known() -> None:
    assert TABS["plan"] == PLAN_TABS
    assert set(TABS["query_sets"]) == {JUDGE, *(view.name for view in VIEWS)}
    assert TABS["relationships"] == tuple(place.name for place in PLACES)
    assert set(TABS["library"]) == set(PLACE_OF), ADD
    assert {*INSIDES, *OLD_TABS, *FORMER} <= FORMER_TABS, ADD


def _read_in(file: Path) -> Iterator[str]:
    """Names that a module takes from ``st.query_params`` or binds to an input, where a constant or a text says them."""

    def is_address(node: ast.expr) -> bool:
        return isinstance(node, ast.Attribute) and node.attr == "query_params"

    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        asked: ast.expr | None = None
        if isinstance(node, ast.Subscript) and is_address(node.value):
            asked = node.slice
        elif isinstance(node, ast.Compare) and any(map(is_address, node.comparators)):
            asked = node.left
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and is_address(node.func.value) and node.args:
                asked = node.args[0]
            elif any(each.arg == "bind" for each in node.keywords):
                asked = next((each.value for each in node.keywords if each.arg == "key"), None)
        if isinstance(asked, ast.Constant) and isinstance(asked.value, str):
            yield asked.value
        elif isinstance(asked, ast.Name):
            module = importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
            name = getattr(module, asked.id, None)
            if isinstance(name, str):
                yield name
