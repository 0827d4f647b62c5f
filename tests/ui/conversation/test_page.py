"""Conversation: every action has its own face, every turn tells how it was made, nothing said or found breaks it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from docgraph.domain.conversation import ConversationState
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.conversation.state import MAX_KEPT, SHOWN, Settings, Talk, say, take_over
from docgraph.ui.conversation.turns import packet_json
from docgraph.views.conversation.origin import Scale, origin
from tests.conversations import Script, ScriptedProvider, talk
from tests.ui.conftest import Open, page_text

HOSTILE = "![x](https://evil.example/p.png) <script>alert(1)</script> :red[x]"
SURE = [["adr-1", "Bounded queue", "decision", "Decision", 0.9], ["queue", "Booking queue", "service", "", 0.4]]
UNSURE = [["adr-1", "Bounded queue", "decision", "", 0.3], ["queue", "Booking queue", "service", "", 0.2]]
INPUT = "docgraph.conversation.input"


def providers(opened: Docgraph, *script: object, lexical: Script = ()) -> None:
    """What ``graph`` answers, call by call, and what ``lexical`` does."""
    made = (ScriptedProvider("graph", script), ScriptedProvider("lexical", lexical, priority=30, stands_in_for="graph"))
    opened.session.adapters = replace(opened.session.adapters, providers=made)


def ask(at: AppTest, text: str) -> AppTest:
    at.chat_input(key=INPUT).set_value(text).run()
    assert not at.exception
    return at


def click(at: AppTest, key: str) -> AppTest:
    at.button(key=f"docgraph.conversation.{key}").click().run()
    assert not at.exception
    return at


def conversation(at: AppTest) -> Talk:
    found: Talk = at.session_state["docgraph.state"].page["conversation"]["harbor"]
    return found


def test_a_sure_answer_names_its_passages_and_every_step_of_its_making(harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, SURE)
    at = ask(open_page("conversation"), "Why is the queue bounded?")
    text = page_text(at)
    for part in (
        "cv-is-proceed",
        "answer from these passages",
        "2 passages",
        "Bounded queue › Decision",
        "probability 0.90",
        "explain",
        "asked as typed",
        "results found",
        "0.90 ≥ 0.60",
        "threshold met",
        "SUCCESS",
        "Answer from 2 passages",
        "1 turn · topic: queue, bounded",
    ):
        assert part in text, part
    links = {link.proto.label: link.proto.query_string for link in at.get("page_link")}
    assert "query=Why+is+the+queue+bounded" in links["Plan for this question"]
    assert links["Bounded queue"] == "document=adr-1&workspace=harbor"


def test_a_follow_up_shows_word_by_word_what_was_asked_instead_and_an_earlier_turn_can_be_chosen(
    harbor: Docgraph, open_page: Open
) -> None:
    providers(harbor, SURE)
    at = ask(ask(open_page("conversation"), "Why is the queue bounded?"), "who decided that?")
    assert "<ins>Why is the queue bounded?" in page_text(at)
    assert "it points back: asked behind" in page_text(at)
    click(at, "how.1")
    assert "Turn 1" in page_text(at)
    assert "<del>" not in page_text(at)
    click(at, "how.2")
    assert "<ins>Why is the queue bounded?" in page_text(at)


@pytest.mark.parametrize("how", ["button", "number", "words"])
def test_a_question_back_is_answered_by_button_or_in_words(how: str, harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, UNSURE, SURE)
    at = ask(open_page("conversation"), "Why wait?")
    assert "cv-is-clarify" in page_text(at)
    assert [at.button(key=f"docgraph.conversation.choice.{n}").label for n in (1, 2)] == [
        "1  Bounded queue",
        "2  Booking queue",
    ]
    assert at.chat_input(key=INPUT).placeholder.startswith("Answer")
    click(at, "choice.2") if how == "button" else ask(at, "2" if how == "number" else "booking queue")
    turn = conversation(at).last
    assert turn is not None
    assert (turn.understanding.link, turn.understanding.chosen) == ("choice", "queue")
    assert not [button for button in at.button if "choice" in (button.key or "")]


def test_a_wrong_channel_is_handed_over_with_its_packet(harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, SURE)
    at = open_page("conversation")
    conversation(at).settings = Settings(channel="runbook")
    ask(at, "Why is the queue bounded?")
    assert "cv-is-escalate" in page_text(at)
    assert "somebody who knows the runbook documents" in page_text(at)
    assert [button for button in at.get("download_button") if button.proto.label == "Download the packet"]
    turn = conversation(at).last
    assert turn is not None
    given = json.loads(packet_json(turn))
    assert given["response"]["next_action"]["branch_code"] == "CHANNEL_MISMATCH"
    assert "state" not in given


def test_a_database_that_is_down_is_a_fallback_with_a_way_on_and_no_error_page(
    harbor: Docgraph, open_page: Open
) -> None:
    providers(harbor, "raises", SURE, lexical=["raises"])
    at = ask(open_page("conversation"), "Why is the queue bounded?")
    text = page_text(at)
    for part in ("cv-is-fallback", "Failed: ", "StoreError", "EMPTY_SET", "-- against 0.60", "left out", "Say what"):
        assert part in text, part
    assert "dg-card-error" not in text
    click(at, "again")
    assert "cv-is-proceed" in page_text(at)
    assert len(conversation(at).turns) == 1, "asked again in the place of the turn that failed"


def test_settings_hold_for_the_session_and_are_told_while_they_are_not_the_default(
    harbor: Docgraph, open_page: Open
) -> None:
    providers(harbor, SURE)
    at = open_page("conversation")
    at.slider[0].set_value(0.95).run()
    at.checkbox[0].uncheck().run()
    assert "threshold 0.95, off: graph" in page_text(at)
    ask(at, "Why is the queue bounded?")
    assert "cv-is-fallback" in page_text(at), "lexical alone is asked, and knows nothing"
    assert "switched off" in page_text(at)
    click(at, "again")
    assert conversation(at).settings == Settings()
    assert "cv-is-proceed" in page_text(at)
    assert "Back to defaults" not in [button.label for button in at.button if "set" not in (button.key or "")]


def test_starters_of_the_sample_corpus_go_on_turn_by_turn(harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, SURE)
    at = click(open_page("conversation"), "start.0")
    assert at.button(key="docgraph.conversation.next").label.startswith("Next: and when a sailing is cancelled")
    click(at, "next")
    assert len(conversation(at).turns) == 2
    ask(at, "Where do terminals keep the manifest?")
    assert conversation(at).script == (), "another question ends the script"
    click(at, "reset")
    click(at, "start.4")
    assert conversation(at).settings.off == {"graph"}


def test_a_question_of_a_link_is_offered_and_asked_by_a_click(harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, SURE)
    at = open_page("conversation", ask="Why wait here?")
    assert conversation(at).turns == []
    click(at, "offered")
    assert conversation(at).turns[0].understanding.text == "Why wait here?"
    at.query_params["ask"] = "And why there?"
    at.run()
    click(at, "brought")
    assert [turn.understanding.text for turn in conversation(at).turns] == ["Why wait here?", "And why there?"]
    assert "docgraph.conversation.brought" not in [button.key for button in at.button]


def test_a_state_goes_out_and_comes_back_and_a_hostile_one_changes_nothing(harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, SURE)
    at = ask(open_page("conversation"), f"Why is the queue {HOSTILE}?")
    kept = conversation(at)
    state = kept.state
    assert state is not None
    for bad in (b"{", b"[]", b'{"n_turns": 3}', state.model_copy(update={"workspace": "other"}).model_dump_json()):
        with pytest.raises(Exception, match=r"conversation|workspace"):
            take_over(kept, bad if isinstance(bad, bytes) else bad.encode())
        assert (kept.state, len(kept.turns)) == (state, 1)
    take_over(kept, state.model_dump_json().encode())
    at.run()
    text = page_text(at)
    assert not at.exception
    assert "Imported: an export has no passages" in text
    assert "&lt;script&gt;" in text
    assert "<script" not in text
    ask(at, "who decided that?")
    turn = conversation(at).last
    assert turn is not None
    assert (turn.number, turn.understanding.link) == (2, "reference")


def test_what_documents_and_people_say_is_shown_as_text(harbor: Docgraph, open_page: Open) -> None:
    hostile = [[f"{n} {HOSTILE}", f"{HOSTILE} {n}", HOSTILE, HOSTILE, 0.3] for n in range(3)]
    providers(harbor, hostile)
    at = ask(open_page("conversation"), HOSTILE)
    text = page_text(at)
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    labels = [button.label for button in at.button] + [link.proto.label for link in at.get("page_link")]
    assert all("![x](" not in label and ":red[" not in label for label in labels)


def test_a_text_that_is_refused_is_told_and_the_conversation_stays(harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, SURE)
    at = ask(open_page("conversation"), "Why is the queue bounded?")
    kept = conversation(at)
    say(kept, "x" * 10_001)
    at.run()
    assert "dg-card-error" in page_text(at)
    assert len(kept.turns) == 1
    assert "dg-card-error" not in page_text(ask(at, "who decided that?"))


def test_a_long_conversation_is_folded_and_says_so(harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, SURE)
    at = open_page("conversation")
    kept = conversation(at)
    kept.turns = talk(harbor, *(f"Why is queue number {n} bounded?" for n in range(27)))
    kept.state = kept.turns[-1].state
    at.run()
    assert "Showing last 20 of 27 turns" in page_text(at)
    assert page_text(at).count("cv-said") == SHOWN
    assert page_text(at).count('class="cv-cards"') == 5
    click(at, "more")
    assert page_text(at).count("cv-said") == 27
    assert MAX_KEPT >= 10 * SHOWN


def test_an_empty_workspace_says_what_to_do_and_still_answers(docgraph: Docgraph, open_page: Open) -> None:
    at = open_page("conversation")
    assert "holds no documents yet" in page_text(at)
    ask(at, "Why is the queue bounded?")
    assert "cv-is-fallback" in page_text(at)
    assert "there is no provider" in page_text(at)


def test_smalltalk_is_a_reply_and_retrieves_nothing(harbor: Docgraph, open_page: Open) -> None:
    providers(harbor, SURE)
    at = ask(open_page("conversation"), "hello")
    assert "cv-is-reply" in page_text(at)
    assert "Not a question about the documents" in page_text(at)


def test_a_confidence_that_only_rounds_to_the_threshold_is_shown_below_it() -> None:
    assert Scale(0.5999, 0.6, met=False).words == "0.5999 < 0.6000"
    assert Scale(0.6, 0.6, met=True).words == "0.60 ≥ 0.60"
    assert Scale(None, 0.6, met=False).words == "-- against 0.60"


def test_the_making_tells_failures_and_decisions_apart(harbor: Docgraph) -> None:
    providers(harbor, "raises", lexical=[UNSURE])
    made = origin(talk(harbor, "Why is the queue bounded?")[0])
    assert [(line.name, line.state) for line in made.providers] == [("lexical", "found"), ("graph", "left out")]
    assert made.n_attempts == 2
    state = ConversationState(workspace="harbor")
    assert harbor.converse(state, "hi", provider_override="graph").response is None


def test_the_plan_says_how_sure_it_is_and_leads_to_the_conversation_about_it(harbor: Docgraph, open_page: Open) -> None:
    at = open_page("plan", query="Bookings wait here for a worker.")
    links = {link.proto.label: link.proto.query_string for link in at.get("page_link")}
    said = next(label for label in links if "answered (" in label)
    assert said.startswith("Likely") == (float(said.partition("(")[2].rstrip(")")) >= 0.6)
    assert links[said].startswith("ask=Bookings+wait")
