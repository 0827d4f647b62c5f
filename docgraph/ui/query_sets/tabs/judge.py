"""The Judge tab: one passage at a time, blind, by keyboard; one key keeps the grade and shows the next."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.graph import StoredChunk
from docgraph.domain.judging import Passage, Pile
from docgraph.domain.saved_run import MAX_PERSON
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.frame.shortcuts import shortcuts
from docgraph.ui.parts.runs.saving import remember_person
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.judging import hand as judging
from docgraph.ui.query_sets.tabs.judging import markup
from docgraph.ui.query_sets.tabs.judging.hand import SEED, Hand, hand_of, in_order

_BUTTONS: tuple[tuple[str, int | None, str], ...] = (
    ("1", 0, "does not help to answer"),
    ("2", 1, "helps, answer not in it"),
    ("3", 2, "the answer is in it"),
    ("0", None, "counts as not judged"),
)
_KEYS = {
    **{key: f"qj-grade-{key}" for key, _, _ in _BUTTONS},
    "u": "qj-undo",
    "j": "qj-skip",
    "n": "qj-note",
    "b": "qj-before",
    "a": "qj-after",
}
_HELP = "1 2 3 grades, 0 can't judge, U undo, J skip, N note, B and A the passages around it"
SHOWN_BEFORE = 3


def draw(scope: Scope) -> None:
    """Draw the tab, or in words why there is nothing to judge."""
    assets.style(__file__, "judge.css")
    if scope.chosen is None:
        layout.empty("No query set is chosen", "Choose one above.")
    elif not scope.may_write or not resources.may("judge_passages"):
        layout.empty("You cannot judge", "Judgments affect evaluations, so only curators and admins can judge.")
    elif not scope.who:
        _name()
    else:
        _work(scope)


def _name() -> None:
    """The name of the judge, typed once."""
    st.html(
        '<h2 class="dg-h2">Start judging</h2><p class="dg-note">You see one passage at a time, '
        "without its configuration, position or score. Each grade is saved with your name and the time.</p>"
    )
    with st.form("qj-name", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input("Your name", key="qj-name-text", max_chars=MAX_PERSON, width=280)
        if st.form_submit_button("Judge", type="primary") and name.strip():
            remember_person(" ".join(name.split()))
            st.rerun()


@st.fragment(key="qj-work")
def _work(scope: Scope) -> None:
    """Passage, buttons and side. A key runs this alone."""
    with layout.guarded():
        hand = hand_of(scope)
        pile = scope.docgraph.query_sets.pile(hand.pool, by=scope.who, seed=SEED)
        if not pile.coverage.shown:
            layout.empty("Nothing to judge yet", "Evaluate the set first. You judge the passages it finds.")
            return
        left = in_order(pile, hand)
        st.html(markup.progress_html(pile.coverage))
        with st.container(key="qj-columns", horizontal=True, gap="small"):
            with st.container(key="qj-main", gap="small"):
                if hand.problem is not None:
                    layout.error(hand.problem)
                    hand.problem = None
                if left:
                    _passage(scope, hand, pile, left[0])
                else:
                    layout.same("Everything is judged", "You judged every passage of these evaluations.")
                _undo(scope, hand, left[0] if left else None)
            markup.side(scope, hand.pool, pile, _here(hand, pile, left[0]) if left else None)
        shortcuts(_KEYS, key="qj-keys")


def _here(hand: Hand, pile: Pile, passage: Passage) -> tuple[int, int]:
    """Judged and shown of this passage's question."""
    shown = sum(each.query_id == passage.query_id for each in hand.pool.passages)
    return shown - sum(each.query_id == passage.query_id for each in pile.passages), shown


def _passage(scope: Scope, hand: Hand, pile: Pile, passage: Passage) -> None:
    chunks = scope.docgraph.documents.chunks(passage.document_id)
    at = next((i for i, each in enumerate(chunks) if each.chunk_id == passage.chunk_id), None)
    if at is None:
        layout.empty("This passage no longer exists", "The document has changed. Reload the page.")
        return
    stored = scope.docgraph.documents.by_id([passage.document_id])[passage.document_id]
    done, shown = _here(hand, pile, passage)
    place = markup.place_words(passage.document_id, chunks[at])
    st.html(markup.question_html(passage.query, done + 1, shown))
    with st.container(key="qj-passage", gap=None):
        title = stored.title or passage.document_id
        st.html(markup.passage_head_html(title, passage.document_id, chunks[at], len(chunks)))
        _texts(hand, chunks, at, stored.source)
        _around(scope, passage, before=at > 0, after=at + 1 < len(chunks))
    _grades(scope, passage, place)
    if hand.noting:
        st.text_input("Note, saved with the grade", key=judging.NOTE, max_chars=2_000)


def _texts(hand: Hand, chunks: tuple[StoredChunk, ...], at: int, source: str) -> None:
    """The passage; before and after it what is asked for."""
    parts = [markup.text_html(chunks[at], source)]
    if hand.before and at > 0:
        parts.insert(0, markup.text_html(chunks[at - 1], source, around=True))
    if hand.after and at + 1 < len(chunks):
        parts.append(markup.text_html(chunks[at + 1], source, around=True))
    st.html(f'<div class="qj-texts" tabindex="0" role="region" aria-label="Passage">{"".join(parts)}</div>')


def _around(scope: Scope, passage: Passage, *, before: bool, after: bool) -> None:
    with st.container(key="qj-around", horizontal=True, gap="small"):
        for name, label, there in (("before", "Passage before", before), ("after", "Passage after", after)):
            st.button(
                label,
                key=f"qj-{name}",
                type="tertiary",
                disabled=not there,
                on_click=judging.toggle,
                args=(scope, name),
                help=f"Key {name[0].upper()}",
            )
        navigation.link("library", "Open the document", query={"document": passage.document_id})


def _grades(scope: Scope, passage: Passage, place: str) -> None:
    with st.container(key="qj-grades", horizontal=True, gap="small"):
        for key, grade, note in _BUTTONS:
            with st.container(key=f"qj-box-{key}", gap=None):
                st.html(markup.grade_html(key, grade, note))
                st.button(
                    f"{markup.GRADES[grade]}: {note}",
                    key=f"qj-grade-{key}",
                    on_click=judging.give,
                    args=(scope, passage, place, grade),
                )


def _undo(scope: Scope, hand: Hand, passage: Passage | None) -> None:
    """What was done last, with the way back; skip and note; what was said before."""
    with st.container(key="qj-acts", horizontal=True, vertical_alignment="center", gap="small"):
        last = hand.said[-1] if hand.said else None
        words = f": {last.place}, {markup.GRADES[last.grade]}" if last else ""
        label = f"U  Undo{escape.label(words)}"
        st.button(label, key="qj-undo", disabled=last is None, on_click=judging.undo, args=(scope,))
        st.html(f'<span class="qj-muted" title="{_HELP}">One key saves the grade and shows the next passage.</span>')
        if passage is not None:
            st.button("J  skip", key="qj-skip", type="tertiary", on_click=judging.skip, args=(scope, passage))
            st.button("N  note", key="qj-note", type="tertiary", on_click=judging.toggle, args=(scope, "noting"))
    if hand.said:
        st.html(markup.last_html(hand.said[: -SHOWN_BEFORE - 1 : -1]))
