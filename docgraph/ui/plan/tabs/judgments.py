"""The Passages tab while somebody may judge: how much is judged, the switch, and a pair of buttons in each card."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from docgraph.domain.judgment import Judgment
from docgraph.ui.frame import escape, layout, resources
from docgraph.ui.parts.curation.state import locked_words
from docgraph.ui.parts.judgments import marks, state
from docgraph.ui.parts.judgments.state import ANSWERS, DOES_NOT
from docgraph.ui.plan.built import built
from docgraph.ui.plan.tabs.evidence import about_html, chunks_html, evidence_cards_html, state_of
from docgraph.ui.plan.view import PlanView
from docgraph.views.plan.evidence import EvidenceCard, answering_chunks
from docgraph.views.words.judgments import Judged, counted_words, elsewhere_words, signature_words
from docgraph.views.words.moments import person

SWITCH, NAME = "docgraph.judging", "docgraph.judging.name"
PASSAGES = "docgraph.judging-passages"


def judged_cards(view: PlanView, cards: Sequence[EvidenceCard]) -> None:
    """The line with the switch, then the cards with their judgments; with buttons while judging is on."""
    marks.style()
    known = state.judged(view.workspace.name, view.run.request.query) if view.live else {}
    if state.taken_mark():
        st.rerun()  # the sentence above and the panel beside the graph tell of it as well
    answers = view.answers
    offered = _line(view, known)
    if not cards:
        return
    if offered and state.judging() and known is not None:
        marks.card_style()
        mine = answering_chunks(view.run, [each for each in view.marked if each.by == state.judge_name()])
        for n, card in enumerate(cards):
            _card(view, card, known.get(card.document_id), n=n, answers=answers, mine=mine)
        return
    shown, said = tuple(cards), dict(known or {})
    st.html(built("evidence", partial(evidence_cards_html, shown, said, answers), shown, said, answers))


def _line(view: PlanView, known: Judged | None) -> bool:
    """How many documents are judged; on the right the switch, or why there is none. Whether judging is offered."""
    problem = state.taken_problem()
    if problem is not None:
        layout.error(problem)
    why = _why_not(view)
    with st.container(key="jg_line", horizontal=True, vertical_alignment="center", gap="small"):
        if view.live:
            more = _elsewhere_html(view, known) if known else ""
            st.html(_counted_html(known, view.run.plan.document_ids, more))
        if why:
            st.html(f'<p class="jg-closed" role="status">{layout.glyph("lock")}{why}</p>')
        elif known is not None:
            _switch()
    return not why


def _why_not(view: PlanView) -> str:
    """Why judging is not offered here; empty where it is."""
    if not view.live:
        return "Not judged here: the workspace of this run was deleted"
    if view.frozen is not None:
        return "A saved run is read-only: judge on the live page"
    if not resources.docgraph(view.workspace.name).may_write():
        return escape.html(f"Read-only: {locked_words('keep judgments')}")
    return ""


def _counted_html(known: Judged | None, document_ids: Sequence[str], more_html: str) -> str:
    here = [known[each] for each in document_ids if each in known] if known else []
    kinds = "".join(
        f"<span>{marks.sign(kind)}<b>{n:,}</b> {'relevant' if kind else 'not relevant'}</span>"
        for kind in (True, False)
        if (n := sum(each.relevant == kind for each in here))
    )
    said = escape.html(counted_words(known, document_ids))
    return f'<p class="jg-counted" role="status"><span>{said}</span>{kinds}{more_html}</p>'


def _elsewhere_html(view: PlanView, known: Judged) -> str:
    """Documents that are judged relevant and not planned, counted, with their titles behind the number."""
    planned = set(view.run.plan.document_ids)
    wanted = sorted(each.document_id for each in known.values() if each.relevant and each.document_id not in planned)
    there = resources.docgraph(view.workspace.name).documents.by_id(wanted) if wanted else {}
    titles = "; ".join(there[each].title or each for each in wanted if each in there)
    said = elsewhere_words(len(there))
    return f'<span title="{escape.html(escape.shorten(titles, 400))}">{escape.html(said)}</span>' if said else ""


def _switch() -> None:
    name = state.judge_name()
    if name:
        on = state.judging()
        st.session_state[f"{SWITCH}.on"] = on
        st.toggle(
            f"{'Judging' if on else 'Judge'} as **{escape.label(name, limit=40)}**",
            key=f"{SWITCH}.on",
            on_change=state.switch_off if on else state.switch_on,
        )
        return
    with (
        st.popover("Judge", key="jg_open", width="content", help="Say which documents answer the question"),
        st.form(f"{SWITCH}.form", border=False, enter_to_submit=True),
    ):
        st.text_input("Your name", key=NAME, max_chars=200, autocomplete="name")
        st.html('<p class="dg-note">Shown beside each judgment. Judgments never change a plan or a score.</p>')
        st.form_submit_button("Judge", type="primary", key=f"{SWITCH}.go", on_click=_on)


def _on() -> None:
    state.switch_on(str(st.session_state.get(NAME) or ""))


def _card(
    view: PlanView,
    card: EvidenceCard,
    judgment: Judgment | None,
    *,
    n: int,
    answers: frozenset[str],
    mine: frozenset[str],
) -> None:
    """The same card in two halves, with buttons under what the document is and under its passages."""
    style = state_of(card)
    with st.container(key=f"jg-card-{n}{f'-{card.change}' if card.change else ''}", gap=None):
        with st.container(key=f"jg-about-{n}", gap=None):
            st.html(f'<div class="pl-about jg-half {style}">{about_html(card)}</div>')
            with st.container(key=f"jg-said-{n}", horizontal=True, vertical_alignment="center", gap="small"):
                _buttons(view, card, judgment)
                if judgment is not None:
                    said = escape.html(signature_words(judgment))
                    st.html(f'<span class="jg-by" title="{said}">{escape.html(person(judgment.by))}</span>')
        with st.container(key=f"jg-read-{n}", gap=None):
            st.html(f'<div class="pl-chunks jg-half {style}">{chunks_html(card, answers)}</div>')
            _passages(view, card, mine)


def _passages(view: PlanView, card: EvidenceCard, mine: frozenset[str]) -> None:
    """One button a passage: a press says that it answers, a second one takes that back."""
    ranks = {line.chunk_id: line.rank for line in card.lines if line.change != "left"}
    if not ranks:
        return
    key = f"{PASSAGES}.{card.document_id}"
    st.session_state[key] = [each for each in ranks if each in mine]
    st.pills(
        "This passage answers" if len(ranks) == 1 else "Which passage answers?",
        tuple(ranks),
        selection_mode="multi",
        format_func=lambda chunk_id: f"Rank {ranks[chunk_id]}",
        key=key,
        on_change=state.mark,
        args=(view.workspace.name, view.run.request.query, tuple(ranks)),
        kwargs={"key": key, "mine": mine},
    )


def _buttons(view: PlanView, card: EvidenceCard, judgment: Judgment | None) -> None:
    key = f"{SWITCH}.{card.document_id}"
    st.session_state[key] = None if judgment is None else (ANSWERS if judgment.relevant else DOES_NOT)
    st.segmented_control(
        f"Does {marks.spoken(card.title)} answer the question?",
        (ANSWERS, DOES_NOT),
        key=key,
        label_visibility="collapsed",
        wrap=False,
        on_change=state.say,
        args=(view.workspace.name, view.run.request.query, card.document_id),
        kwargs={"key": key},
    )
