"""The turns of a conversation, newest last: what was said, what came of it, and what can be done next."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.conversation import MAX_CHOICES, Turn
from docgraph.ui.conversation.markup import cards_html, past_html, reply_html, said_html
from docgraph.ui.conversation.state import SHOWN, Talk, again, say
from docgraph.ui.frame import escape, navigation
from docgraph.ui.frame.download import download
from docgraph.views.conversation.cards import cards
from docgraph.views.conversation.words import shown_line

WITH_CARDS = 5
"""The last turns that carry their cards; earlier ones show them when they are chosen."""
MAX_CARDS = 20
MAX_LABEL = 90
_CHOICE = "docgraph.conversation.choice"
CHOICE_KEYS = {str(n): f"{_CHOICE}.{n}" for n in range(1, MAX_CHOICES + 1)}
"""Number on the keyboard → button of the choice."""


def turns(conversation: Talk) -> None:
    """Draw the last of them; earlier ones stay folded until somebody asks for them."""
    entries = conversation.entries
    shown = entries[-conversation.shown :]
    if line := shown_line(len(shown), conversation.state.n_turns if conversation.state else len(entries)):
        _folded(conversation, line, can_show=len(shown) < len(entries))
    made = conversation.made
    with_cards = {entry.number for entry in shown[-WITH_CARDS:]} | ({made.number} if made else set())
    for entry in shown:
        if not isinstance(entry, Turn):
            with st.container(key=f"cv-turn-{entry.number}", gap=None):
                st.html(past_html(entry))
            continue
        chosen = made is not None and entry.number == made.number
        with st.container(key=f"cv-turn-{entry.number}{'-shown' if chosen else ''}", gap="xsmall"):
            _turn(conversation, entry, chosen=chosen, with_cards=entry.number in with_cards)


def _folded(conversation: Talk, line: str, *, can_show: bool) -> None:
    with st.container(key="cv-folded", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f'<p class="cv-muted">{line[:1].upper()}{escape.html(line[1:])}</p>')
        if can_show:
            st.button(
                f"Show {SHOWN} more",
                key="docgraph.conversation.more",
                type="tertiary",
                on_click=_more,
                args=(conversation,),
            )


def _turn(conversation: Talk, turn: Turn, *, chosen: bool, with_cards: bool) -> None:
    with st.container(key=f"cv-top-{turn.number}", horizontal=True, vertical_alignment="top", gap="small"):
        st.html(said_html(turn))
        if not chosen:
            st.button(
                "How it was found",
                key=f"docgraph.conversation.how.{turn.number}",
                type="tertiary",
                on_click=_choose,
                args=(conversation, turn.number),
                help=f"Show how the answer of turn {turn.number} was found",
            )
    found = turn.response.context_packet if turn.response is not None else None
    drawn = with_cards and found is not None and bool(found.candidates)
    st.html(reply_html(turn, with_cards=drawn))
    is_last = turn is conversation.last
    if is_last:
        _choices(conversation, turn)
        _way_on(conversation, turn)
    if drawn and turn.response is not None and found is not None:
        st.html(
            cards_html(
                cards(turn.response, turn.understanding.query, limit=MAX_CARDS),
                total=len(found.candidates),
                top=found.summary.top_confidence,
                open_=chosen and turn.action == "proceed",
            )
        )


def _choices(conversation: Talk, turn: Turn) -> None:
    """One button a choice; its number on the keyboard presses it while no input has the cursor."""
    if not turn.choices:
        return
    with st.container(key="cv-choices", horizontal=True, gap="small"):
        for n, choice in enumerate(turn.choices, start=1):
            st.button(
                f"{n}  {escape.label(choice.label, limit=MAX_LABEL)}",
                key=f"{_CHOICE}.{n}",
                on_click=say,
                args=(conversation, choice.label),
            )
        st.button(
            "None of these",
            key="docgraph.conversation.neither",
            on_click=say,
            args=(conversation, "none of these"),
            type="tertiary",
        )


def _way_on(conversation: Talk, turn: Turn) -> None:
    """The one next click of a turn without an answer, and the packet of one that is handed over."""
    if turn.action == "escalate" and turn.response is not None:
        download(
            "Download the packet",
            packet_json(turn),
            f"hand-over-turn-{turn.number}.json",
            key="docgraph.conversation.packet",
        )
    if turn.action != "fallback" or turn.response is None:
        return
    failed = bool(turn.response.routing_metadata.get("failures"))
    if failed:
        st.button("Try again", key="docgraph.conversation.again", on_click=again, args=(conversation,), type="primary")
    elif conversation.settings.changed():
        st.button(
            "Ask again with the default settings",
            key="docgraph.conversation.again",
            on_click=again,
            args=(conversation,),
            kwargs={"defaults": True},
            type="primary",
        )
    else:
        navigation.link("library", "See the documents")


def packet_json(turn: Turn) -> str:
    """What goes to the person who takes over: the question, why, and the last packet whole."""
    fields = {"number", "understanding", "action", "hand_over", "steps", "response"}
    return turn.model_dump_json(indent=2, include=fields)


def _choose(conversation: Talk, number: int) -> None:
    conversation.selected = number


def _more(conversation: Talk) -> None:
    conversation.shown += SHOWN
