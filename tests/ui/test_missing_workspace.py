"""A page of a workspace that is not there says so, and nothing is answered from another one under its name."""

from __future__ import annotations

import pytest

from docgraph import Docgraph
from docgraph.ui.bar.workspace_menu import SWITCHER
from docgraph.ui.frame import navigation, resources
from docgraph.ui.library import workspaces
from tests.ui.conftest import Open, page_text

PAGES = [page.name for page in navigation.pages()]
SAID = "There is no workspace “bakery”"
QUESTION = "Why is the queue bounded?"


@pytest.mark.parametrize("page", PAGES)
def test_an_address_of_an_unknown_workspace_is_answered_by_no_other(
    harbor: Docgraph, open_page: Open, page: str
) -> None:
    at = open_page(page, workspace="bakery", query=QUESTION)
    assert not at.exception
    text = page_text(at)
    assert SAID in text
    assert "Bounded queue" not in text
    assert "harbor" not in text
    assert not at.text_input
    assert not at.text_area


@pytest.mark.parametrize("page", PAGES)
def test_a_workspace_that_is_dropped_while_its_page_is_open_is_not_replaced(
    harbor: Docgraph, open_page: Open, page: str
) -> None:
    harbor.create_workspace("bakery")
    resources.forget("bakery")
    at = open_page(page, workspace="bakery")
    assert SAID not in page_text(at)
    harbor.drop_workspace("bakery")
    resources.forget("bakery")
    at.run()
    assert not at.exception
    assert SAID in page_text(at)
    assert "Bounded queue" not in page_text(at)


@pytest.mark.parametrize("default", ["harbor", "second", "nowhere"])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_the_workspace_of_its_address_whatever_the_settings_say(
    harbor: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch, page: str, default: str
) -> None:
    """The same link after a restart with other settings: it showed another corpus."""
    harbor.create_workspace("second")
    resources.forget("second")
    there = resources.settings()
    monkeypatch.setattr(resources, "settings", lambda: there.model_copy(update={"workspace": default}))
    for name, documents in (("second", 0), ("harbor", 3)):
        at = open_page(page, workspace=name)
        assert not at.exception
        assert at.session_state[resources.WORKSPACE_KEY] == name
        assert f"{documents} documents, " in page_text(at), "the menu of the workspace counts what it holds"


def test_an_answer_is_drawn_under_the_name_of_the_workspace_that_it_was_made_from_alone(
    harbor: Docgraph, open_page: Open
) -> None:
    harbor.create_workspace("second")
    resources.forget("second")
    at = open_page("plan", workspace="harbor", query=QUESTION)
    assert "Bounded queue" in page_text(at)
    at.query_params["workspace"] = "second"
    at.run()
    assert not at.exception
    assert "Bounded queue" not in page_text(at)
    assert "second" in page_text(at)


def test_presenter_mode_of_an_unknown_workspace_is_that_page_too(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("plan", workspace="bakery", query=QUESTION, present="1")
    assert SAID in page_text(at)


def test_whoever_drops_a_workspace_is_led_out_of_it(harbor: Docgraph, open_page: Open) -> None:
    harbor.create_workspace("bakery")
    resources.forget("bakery")
    at = open_page("library", workspace="bakery", show="Workspaces")
    at.selectbox(key=SWITCHER)
    at.text_input(key=workspaces.CONFIRM_KEY).set_value("bakery").run()
    at.button(key="docgraph.library.drop").click().run()
    assert SAID not in page_text(at)
    assert "Workspace bakery was deleted." in page_text(at)
    assert [workspace.name for workspace in harbor.workspaces()] == ["harbor"]
    at.run()
    assert at.query_params.get("workspace") != ["bakery"], "a reload must not ask for it again"
    assert SAID not in page_text(at)


def test_a_callback_of_a_page_whose_workspace_has_gone_is_refused(harbor: Docgraph, open_page: Open) -> None:
    """The name that the page shows decides, in callbacks and fragments too."""
    at = open_page("home", workspace="harbor")
    assert not at.exception
    harbor.create_workspace("other")
    harbor.drop_workspace("harbor")
    resources.forget("harbor")
    at.run()
    assert "There is no workspace “harbor”" in page_text(at)
