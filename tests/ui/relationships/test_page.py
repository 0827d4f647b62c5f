"""The Relationships page: progress, editing switch, the queue of findings, and what each key does to it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.edit import Edit
from docgraph.domain.graph import Relationship
from docgraph.domain.request import RetrievalRequest
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame.state import KEY
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.head import HERE
from docgraph.views.relationships.findings.triage import WRITTEN
from tests.ui.conftest import SECONDS, Open, on_page, page_text

HOSTILE = "![x](https://evil.example/p.png) <script>alert(1)</script> :red[x]"
GONE = ("adr-1", "references", "gone")
EXPLAINS = ("adr-1", "explains", "queue")


def opened(open_page: Open, *, by: str = "", **query: str) -> AppTest:
    """The page; ``by`` switches editing on, as a person does."""
    at = open_page("relationships", **query)
    if by:
        at.text_input(key="docgraph.relationships.name").set_value(by)
        at.button(key="docgraph.relationships.editing.go").click().run()
    return settled(at)


def settled(at: AppTest) -> AppTest:
    assert not at.exception, at.exception
    return at


def press(at: AppTest, action: str) -> AppTest:
    return settled(at.button(key=f"docgraph.act.{action}").click().run())


def save(at: AppTest) -> AppTest:
    return settled(at.button(key="docgraph.relationships.save").click().run())


def reason(at: AppTest, text: str) -> AppTest:
    field = next(each for each in at.text_input if str(each.key).startswith("docgraph.relationships.reason"))
    return settled(field.set_value(text).run())


def keys(dg: Docgraph) -> list[tuple[str, str, str]]:
    return [edge.key for edge in dg.relationships.list()]


def test_an_empty_workspace_says_where_relationships_come_from(docgraph: Docgraph, open_page: Open) -> None:
    assert "holds no documents yet" in page_text(opened(open_page))


def test_documents_without_relationships_have_a_written_state(docgraph: Docgraph, open_page: Open) -> None:
    docgraph.ingest_files([("a.md", b"# A\n\nText.\n")])
    assert "No relationships to check yet" in page_text(opened(open_page))


def test_without_findings_every_check_says_what_it_looked_at(docgraph: Docgraph, open_page: Open) -> None:
    files = {
        "a.md": "---\nid: a\ntitle: Alpha\nexplains: [b]\n---\nAlpha.\n",
        "b.md": "---\nid: b\ntitle: B\n---\nB.\n",
    }
    docgraph.ingest_files([(name, text.encode()) for name, text in files.items()])
    text = page_text(opened(open_page))
    assert "0 checks looked at 1 relationship and 2 documents: nothing found" in text


def test_a_row_of_the_queue_says_the_ids_under_the_titles(checked: Docgraph, open_page: Open) -> None:
    at = opened(open_page)
    assert state.checking("harbor").wait(SECONDS)
    assert '<code class="dg-id">adr-1 → gone</code>' in page_text(settled(at.run()))


def test_the_head_says_what_is_open_and_how_much_is_judged(checked: Docgraph, open_page: Open) -> None:
    at = opened(open_page)
    text = page_text(at)
    assert "<b>0 of 2</b> decided" in text
    assert "2 findings in 2 items" in text
    assert "0 of 2 relationships reviewed" in text
    assert "Missing document" in text
    assert "Document without relationships" in text
    assert "Error, 1 of 2 relationships" in text
    checked.relationships.edit([Edit(action="accept", key=EXPLAINS)], by="Ann")
    assert "1 of 2 relationships reviewed" in page_text(settled(at.run()))


def test_nothing_can_be_drafted_while_editing_is_off_and_the_page_says_how_to_switch_it_on(
    checked: Docgraph, open_page: Open
) -> None:
    at = opened(open_page)
    assert all(at.button(key=f"docgraph.act.{each}").disabled for each in ("accept", "remove", "ignore"))
    assert "Editing is off" in page_text(at)
    at = opened(open_page, by="Ann")
    assert not at.button(key="docgraph.act.remove").disabled
    assert "Editing on" in page_text(at)


def test_editing_is_switched_on_beside_the_acts_that_need_it(checked: Docgraph, open_page: Open) -> None:
    """A first decision took five clicks: the menu above, its button, the act and its save, and the way back."""
    at = opened(open_page)
    at.text_input(key=HERE).set_value(" Ann ")
    at = settled(at.button(key=f"{HERE}.go").click().run())
    assert not at.button(key="docgraph.act.remove").disabled
    assert "Editing on, as **Ann**" in {each.label for each in at.toggle}
    assert not [each for each in at.text_input if each.key == HERE]


def test_a_database_role_that_may_not_write_still_shows_everything(
    checked: Docgraph, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(checked), "may_write", lambda self: False)
    text = page_text(opened(open_page))
    assert "this database role may not change the workspace" in text
    assert "Missing document" in text


def test_the_address_opens_a_finding_and_next_goes_on_from_there(checked: Docgraph, open_page: Open) -> None:
    orphan = next(f for f in checked.check().queue if f.check_id == "orphan")
    at = opened(open_page, finding=orphan.finding_id)
    assert "Glossary has no relationship" in page_text(at)
    press(at, "previous")
    assert "there is no document gone" in page_text(at)
    assert at.query_params["finding"] != [orphan.finding_id]


def test_a_draft_writes_nothing_until_it_is_saved_and_undo_takes_it_back(checked: Docgraph, open_page: Open) -> None:
    at = press(opened(open_page, by="Ann"), "remove")
    assert GONE in keys(checked)
    save(reason(at, "it was never written"))
    assert GONE not in keys(checked)
    entry = checked.relationships.history()[0]
    assert (entry.by, entry.reason, entry.edit.action) == ("Ann", "it was never written", "remove")
    assert "Glossary has no relationship" in page_text(at), "the next finding is open"
    assert "Undo: removed Bounded queue —references→ gone" in at.button(key="docgraph.act.undo").label.replace("\\", "")
    press(at, "undo")
    assert GONE in keys(checked)
    assert "there is no document gone" in page_text(at), "the finding that was settled is open again"


def test_escape_drops_the_draft_and_nothing_is_saved(checked: Docgraph, open_page: Open) -> None:
    at = press(opened(open_page, by="Ann"), "remove")
    press(at, "drop")
    assert at.button(key="docgraph.relationships.save").disabled
    assert not checked.relationships.history()


def test_a_finding_is_ignored_for_a_reason_only_and_can_be_taken_back(checked: Docgraph, open_page: Open) -> None:
    at = press(opened(open_page, by="Ann"), "ignore")
    save(at)
    assert "Say why you ignore it" in page_text(at)
    assert "dg-card-error" not in page_text(at), "what pushes the buttons down"
    assert not checked.rules.dismissals()
    save(reason(at, "comes next week"))
    assert [each.reason for each in checked.rules.dismissals()] == ["comes next week"]
    at.button_group(key="docgraph.relationships.chip").set_value("ignored").run()
    assert "comes next week" in page_text(settled(at))
    back = next(each for each in at.button if each.label == "Stop ignoring")
    settled(back.click().run())
    assert not checked.rules.dismissals()


def test_accepting_what_no_edit_would_settle_puts_it_aside_and_undo_takes_both_back(
    checked: Docgraph, open_page: Open
) -> None:
    at = save(press(opened(open_page, by="Ann"), "accept"))
    assert "review" in next(e for e in checked.relationships.list() if e.key == GONE).relationship_metadata
    assert [each.source for each in checked.rules.dismissals()] == ["missing_endpoint"]
    assert "1 of 2 relationships reviewed" in page_text(settled(at.run()))
    press(at, "undo")
    assert not checked.rules.dismissals()
    assert "review" not in next(e for e in checked.relationships.list() if e.key == GONE).relationship_metadata


def test_a_retype_takes_a_type_of_the_vocabulary_and_a_new_one_only_when_it_is_asked_for(
    checked: Docgraph, open_page: Open
) -> None:
    at = press(opened(open_page, by="Ann"), "retype")
    choice = at.selectbox(key="docgraph.relationships.retype")
    assert choice.options == ["explains", "New type…"]
    settled(choice.select("New type…").run())
    named = next(each for each in at.text_input if str(each.key).startswith("docgraph.relationships.newtype"))
    settled(named.set_value("cites").run())
    save(at)
    assert ("adr-1", "cites", "gone") in keys(checked)


def test_what_somebody_else_did_meanwhile_is_said_and_draft_and_reason_stay(checked: Docgraph, open_page: Open) -> None:
    at = reason(press(opened(open_page, by="Ann"), "remove"), "gone for good")
    checked.relationships.edit([Edit(action="accept", key=GONE)], by="Bob", reason="it will come")
    save(at)
    assert GONE in keys(checked)
    text = page_text(at)
    assert "Bob" in text
    assert "it will come" in text
    assert not at.button(key="docgraph.relationships.save").disabled
    save(at)
    assert GONE not in keys(checked)
    assert checked.relationships.history()[0].reason == "gone for good"


def test_the_effect_is_said_for_each_action_before_it_is_saved(checked: Docgraph, open_page: Open) -> None:
    assert "No saved questions yet" in page_text(opened(open_page))
    checked.runs.save(RetrievalRequest(query="Bounded queue decision"), name="Queue")
    text = page_text(opened(open_page))
    assert "For each change: whether the one saved question would change" in text
    assert "<b>0</b> of 1" in text


def test_an_act_that_makes_no_sense_for_a_finding_has_no_row(checked: Docgraph, open_page: Open) -> None:
    def offered(at: AppTest) -> set[str]:
        acts = ("accept", "retype", "flip", "fix", "remove", "ignore")
        return {act for act in acts if f"docgraph.act.{act}" in {button.key for button in at.button}}

    by_check = {finding.check_id: finding.finding_id for finding in checked.check().queue}
    at = opened(open_page, by="Ann", finding=by_check["orphan"])
    assert offered(at) == {"ignore"}
    at = opened(open_page, by="Ann", finding=by_check["missing_endpoint"])
    assert {"accept", "remove", "ignore"} <= offered(at)


def test_filters_stand_in_the_address_and_an_empty_one_has_a_way_out(checked: Docgraph, open_page: Open) -> None:
    at = opened(open_page, show="warning")
    assert "Nothing matches this filter" in page_text(at)
    settled(at.button(key="docgraph.relationships.unfilter").click().run())
    assert "Missing document" in page_text(at)
    assert "Glossary has no relationship" in page_text(opened(open_page, check="orphan"))


def test_a_rule_is_stored_for_the_workspace_and_an_impossible_value_is_said(checked: Docgraph) -> None:
    from docgraph.views.relationships.findings.words import parameter_text, parameter_value

    pairs = (("supersedes", "superseded_by"), ("a", "b"))
    assert parameter_value(parameter_text(pairs), pairs) == [("supersedes", "superseded_by"), ("a", "b")]
    assert parameter_value("0.5", 0.9) == 0.5
    with pytest.raises(ValueError, match="'few' is not a number"):
        parameter_value("few", 3)


def test_titles_texts_and_types_are_shown_as_text_whatever_they_hold(checked: Docgraph, open_page: Open) -> None:
    checked.ingest_files([("evil.md", f"---\nid: evil\ntitle: '{HOSTILE}'\n---\n{HOSTILE}\n".encode())])
    checked.relationships.add(
        Relationship(
            from_document_id="evil",
            relation_type=HOSTILE[:60],
            to_document_id="nowhere",
            relationship_metadata={"text": HOSTILE},
        ),
        by=HOSTILE,
        reason=HOSTILE,
    )
    for finding in checked.check().queue:
        at = opened(open_page, finding=finding.finding_id)
        text = page_text(at)
        assert "<script>" not in text
        assert "<img" not in text
        assert all("![x](" not in button.label for button in at.button)


def test_the_session_keeps_editing_on_while_moving_between_sections(checked: Docgraph, open_page: Open) -> None:
    at = opened(open_page, by="Ann")
    assert at.session_state[KEY].page["relationships"].by == "Ann"
    at.query_params["tab"] = "history"
    assert "Ann" in str(settled(at.run()).toggle[0].label)


@pytest.mark.parametrize(
    ("former", "place", "shows"),
    [
        ("findings", "review", ", biggest effect first"),
        ("suggestions", "review", ", strongest first"),
        ("edges", "all", "2 relationships"),
        ("exchange", "all", "Download"),
        ("vocabulary", "types", "2 types on 2 relationships"),
        ("history", "history", "and can be undone"),
    ],
)
def test_an_address_of_before_opens_the_place_that_holds_it_now(
    checked: Docgraph, open_page: Open, former: str, place: str, shows: str
) -> None:
    at = opened(open_page, tab=former)
    assert at.query_params["tab"] in (place, [place])
    assert shows in page_text(at)


def test_the_counts_of_the_places_are_those_of_the_api(checked: Docgraph, open_page: Open) -> None:
    checked.relationships.edit([Edit(action="accept", key=EXPLAINS)], by="Ann")
    opened(open_page)
    assert state.checking("harbor").wait(SECONDS)
    at = opened(open_page)
    tabs = [link.proto.label for link in on_page(at, "page_link") if "tab=" in link.proto.query_string]
    n = len(checked.check().decisions)
    said = [f"To review :gray[{n}]", f"All :gray[{len(keys(checked))}]"]
    said += [f"Types :gray[{len(checked.relationships.types())}]"]
    said += [f"History :gray[{len(checked.relationships.history())}]"]
    assert tabs[:4] == said


def test_suggestions_are_chosen_by_a_pill_and_leave_the_findings_as_they_were(
    checked: Docgraph, open_page: Open
) -> None:
    at = opened(open_page, check="orphan")
    settled(at.button_group(key="docgraph.relationships.chip").set_value("suggestions").run())
    assert ", strongest first" in page_text(at)
    assert at.query_params["show"] in ("suggestions", ["suggestions"])
    settled(at.button_group(key="docgraph.relationships.chip").set_value("all").run())
    assert ", biggest effect first" in page_text(at)
    assert "show" not in at.query_params


def test_a_reason_is_taken_by_a_click_and_what_people_gave_comes_before_what_is_written(
    checked: Docgraph, open_page: Open
) -> None:
    at = press(opened(open_page, by="Ann"), "ignore")
    chips = [at.button(key=f"docgraph.reason.{n}") for n in range(3)]
    assert [chip.label for chip in chips] == list(WRITTEN["ignore"])
    settled(chips[1].click().run())
    assert not checked.rules.dismissals(), "it is in the field, and saved by Enter"
    save(at)
    assert [each.reason for each in checked.rules.dismissals()] == [WRITTEN["ignore"][1]]
    save(reason(press(at, "ignore"), "nobody reads it"))
    assert len(checked.rules.dismissals()) == 2
    checked.ingest_files([("late.md", b"---\nid: late\ntitle: Late\nreferences: [never]\n---\nText.\n")])
    at = press(opened(open_page, by="Ann"), "ignore")
    said = [at.button(key=f"docgraph.reason.{n}").label for n in range(3)]
    assert set(said[:2]) == {"nobody reads it", WRITTEN["ignore"][1]}, "those that people gave"
    assert said[2] == WRITTEN["ignore"][0]
