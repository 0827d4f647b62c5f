"""The history on its page: who did what and why, in acts; one entry or a whole act taken back; what blocks is named."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.edit import Edit
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame.state import KEY
from docgraph.ui.parts.curation.state import _MEMORY, Memory
from docgraph.ui.relationships.history import section
from tests.ui.conftest import Open, page_text

EXPLAINS, REFERENCES = ("adr-1", "explains", "queue"), ("adr-1", "references", "gone")
HOSTILE = "![x](https://evil.example/p.png) <script>alert(1)</script> :red[x]"


@pytest.fixture
def edited(harbor: Docgraph) -> Docgraph:
    """1: Ann accepts, 2: Ben retypes what she accepted, 3 and 4: Cy accepts two in one act."""
    harbor.relationships.edit([Edit(action="accept", key=EXPLAINS)], by="Ann", reason="read both")
    harbor.relationships.edit([Edit(action="retype", key=EXPLAINS, relation_type="decides")], by="Ben", new_types=True)
    harbor.relationships.edit(
        [Edit(action="accept", key=k) for k in (REFERENCES, ("adr-1", "decides", "queue"))], by="Cy"
    )
    return harbor


def opened(open_page: Open, *, by: str = "", **query: str) -> AppTest:
    at = open_page("relationships", tab="history", **query)
    if by:
        at.session_state[KEY].page.setdefault(_MEMORY, Memory()).by = by
        at.run()
    assert not at.exception, at.exception
    return at


def click(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click().run()
    assert not at.exception, at.exception
    return at


def buttons(at: AppTest) -> set[str]:
    return {str(button.key) for button in at.button}


def test_entries_say_what_was_done_with_titles_and_those_of_one_call_stand_together(
    edited: Docgraph, open_page: Open
) -> None:
    text = page_text(opened(open_page))
    for part in (
        "accepted Bounded queue —explains→ Booking queue",
        "<q>read both</q>",
        "Ann,",
        "changed the type of Bounded queue —explains→ Booking queue to decides",
        "2 relationships, one change, by Cy",
        "all 4 entries shown, 4 back to 1; none are older",
    ):
        assert part in text, part


@pytest.mark.parametrize(
    ("query", "there", "away"),
    [
        ({"who": "ben"}, "changed the type of", "one act"),
        ({"why": "read BOTH"}, "read both", "changed the type of"),
        ({"why": "booking decides"}, "changed the type of", "read both"),
        ({"at": "gone"}, "—references→ gone", "changed the type of"),
        ({"edge": "adr-1|explains|queue"}, "changed the type of", "—references→ gone"),
        ({"entry": "1"}, "read both", "changed the type of"),
    ],
)
def test_filters_leave_the_entries_that_were_asked_for(
    edited: Docgraph, open_page: Open, query: dict[str, str], there: str, away: str
) -> None:
    text = page_text(opened(open_page, **query))
    assert there in text
    assert away not in text


@pytest.mark.parametrize("entry", ["²", "9" * 5_000])
def test_an_entry_that_is_no_number_or_a_huge_one_in_the_address_is_no_fault(
    edited: Docgraph, open_page: Open, entry: str
) -> None:
    assert 'class="dg-h1"' in page_text(opened(open_page, entry=entry))


def test_with_editing_off_undo_says_how_to_switch_it_on(edited: Docgraph, open_page: Open) -> None:
    at = opened(open_page)
    undo = at.button(key="docgraph.history.undo.2")
    assert undo.disabled
    assert "Switch editing on" in undo.help
    assert at.button(key="docgraph.history.undoact.3").disabled


def test_an_entry_that_others_are_built_on_names_them_and_leads_to_them(edited: Docgraph, open_page: Open) -> None:
    at = click(opened(open_page, by="Dee"), "docgraph.history.undo.1")
    assert "1 later entry depends on it" in page_text(at)
    click(at, "docgraph.history.first.2")
    assert "docgraph.history.undo" not in buttons(at), "that one is built on as well"
    click(at, "docgraph.history.first.4")
    at.text_input(key="docgraph.history.reason").set_value("too early").run()
    click(at, "docgraph.history.undo")
    assert edited.relationships.history(limit=1)[0].undoes == 4
    assert edited.relationships.history(limit=1)[0].reason == "too early"


def test_one_entry_in_the_middle_is_taken_back_alone(edited: Docgraph, open_page: Open) -> None:
    edited.relationships.undo(4, by="Cy")
    at = click(opened(open_page, by="Dee"), "docgraph.history.undo.2")
    click(at, "docgraph.history.undo")
    assert EXPLAINS in [edge.key for edge in edited.relationships.list()]
    text = page_text(at)
    assert "undid 2: changed the type of Bounded queue —decides→ Booking queue to explains" in text
    labels = {link.proto.label for link in at.get("page_link")}
    assert {"undone by 6", "undoes 2"} <= labels


def test_a_whole_act_is_taken_back_at_once(edited: Docgraph, open_page: Open) -> None:
    at = click(opened(open_page, by="Dee"), "docgraph.history.undoact.3")
    assert [entry.undoes for entry in edited.relationships.history(limit=2)] == [3, 4]
    assert "docgraph.history.undoact.3" not in buttons(at)
    assert "entries undone since" in page_text(at)


def test_older_pages_are_turned_to_and_back(edited: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section, "PAGE_ROWS", 2)
    monkeypatch.setattr(section, "READ", 2)
    at = opened(open_page)
    assert "2 entries shown, 4 back to 3" in page_text(at)
    click(at, "docgraph.history.older")
    assert "2 entries shown, 2 back to 1" in page_text(at)
    assert at.button(key="docgraph.history.older").disabled
    click(at, "docgraph.history.newer")
    assert "2 entries shown, 4 back to 3" in page_text(at)


def test_without_entries_and_without_matches_the_page_says_so(harbor: Docgraph, open_page: Open) -> None:
    assert "No changes yet" in page_text(opened(open_page))
    assert "No entry matches" in page_text(opened(open_page, who="nobody"))


def test_hostile_names_and_reasons_are_text(harbor: Docgraph, open_page: Open) -> None:
    edit = Edit(action="retype", key=EXPLAINS, relation_type=HOSTILE)
    harbor.relationships.edit([edit], by=HOSTILE, reason=HOSTILE, new_types=True)
    at = click(opened(open_page, by=HOSTILE), "docgraph.history.undo.1")
    assert "<script>" not in page_text(at)
    assert not any("![x]" in block.value for block in at.markdown)
