"""Suggested relationships in the queue of what is to be reviewed: rows, one to judge; only a person accepts."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.domain.suggestion import Suggestion, Suggestions
from docgraph.ui.frame import assets, escape, layout
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import known_suggestions, problem_card, suggestions
from docgraph.ui.relationships.suggestions.acts import SHOWN, go, take_back
from docgraph.ui.relationships.suggestions.decision import judging, sign
from docgraph.views.relationships import suggestions as words
from docgraph.views.words.counts import UNKNOWN, n_of_m
from docgraph.views.words.moments import moment, person

PAGE_ROWS = 12
_REJECTED, MAX_REJECTED = "docgraph.suggestions.rejected", 100


def count(workspace: str) -> int | None:
    """How many are open, once somebody has looked; finding them takes too long for a number in passing."""
    found = known_suggestions(workspace)
    return None if found is None else found.n_found


def queue(workspace: str) -> None:
    """Draw the rows of the queue, strongest first; the one that the address names (else the first) is open."""
    assets.style(__file__, "section.css")
    found = suggestions(workspace)
    items, at = found.suggestions, _position(found.suggestions)
    first = 0 if at is None else max(0, min(at - PAGE_ROWS // 2, len(items) - PAGE_ROWS))
    shown = items[first : first + PAGE_ROWS]
    with st.container(key="rl-rows", gap=None):
        for place, each in enumerate(shown, start=first):
            _row(each, found, opened=place == at)
    with st.container(key="rl-queuefoot", horizontal=True, vertical_alignment="center", gap="small"):
        said = f"{n_of_m(len(shown), len(items))} shown. " if len(shown) < len(items) else ""
        st.html(f'<p class="dg-note">{escape.html(said + words.looked_at(found))}</p>')


def pane(workspace: str) -> None:
    """The suggestion that is open, or in words why there is none."""
    problem_card()
    found = suggestions(workspace)
    at = _position(found.suggestions)
    if at is None:
        layout.same("Nothing to suggest", words.nothing(found))
    judging(workspace, found, at)


def under(workspace: str) -> None:
    """Under queue and pane: what was rejected, by whom and why, each with the button that restores it."""
    found = suggestions(workspace)
    if not found.rejected:
        return
    with st.expander(f"Rejected {len(found.rejected):,}", key=_REJECTED, on_change="rerun") as part:
        if not part.open:
            return
        for each in found.rejected[:MAX_REJECTED]:
            with st.container(
                key=f"rs-rejected-{each.suggestion_id}", horizontal=True, vertical_alignment="center", gap="small"
            ):
                st.html(_rejected_html(each))
                st.button(
                    "Restore",
                    key=f"docgraph.suggestions.back.{each.suggestion_id}",
                    on_click=take_back,
                    args=(workspace, each),
                    disabled=not state.curator(),
                )
        if len(found.rejected) > MAX_REJECTED:
            st.html(f'<p class="dg-note">{n_of_m(MAX_REJECTED, len(found.rejected))} shown</p>')


def _position(items: Sequence[Suggestion]) -> int | None:
    """Place of the one that the address names; the first when it no longer exists; None for an empty list."""
    wanted = st.query_params.get(SHOWN)
    found = next((i for i, each in enumerate(items) if each.suggestion_id == wanted), 0)
    return found if items else None


def _row(each: Suggestion, found: Suggestions, *, opened: bool) -> None:
    a, b = (words.title(each, start=start) for start in (True, False))
    with st.container(key=f"rl-row-{each.suggestion_id}", gap=None):
        st.html(_row_html(each, found, opened=opened))
        st.button(
            escape.label(f"{words.KINDS[each.kind]}: {a} → {b}", limit=160),
            key=f"docgraph.suggestions.open.{each.suggestion_id}",
            on_click=go,
            args=(each.suggestion_id,),
            type="tertiary",
            help=escape.label(f"{a} → {b}: {_ids(each)}", limit=600),
        )


def _row_html(each: Suggestion, found: Suggestions, *, opened: bool) -> str:
    """As a finding's row: the saved questions that read both, what it is, the proposed type, and its two ends."""
    a, b = (escape.html(words.title(each, start=start)) for start in (True, False))
    n, total = each.n_together, found.n_questions
    effect = f"<b>{n:,}</b> <small>of {total:,}</small>" if total else f"<b>{UNKNOWN}</b>"
    via = escape.html(next(iter(each.relation_types), "no type yet"))
    current = ' aria-current="true"' if opened else ""
    return (
        f'<div class="rl-row{" rl-row-open" if opened else ""}"{current}>'
        f'<span class="rl-effect" title="Saved questions that read both">{effect}'
        f'<i class="rl-meter"><i style="width:{n / total * 100 if total else 0:.0f}%"></i></i></span>'
        f'<span class="rl-what">{sign()}<b>{escape.html(words.KINDS[each.kind])}</b><em>{via}</em></span>'
        f'<span class="rl-ends">{a} → {b}</span><code class="dg-id">{escape.html(_ids(each))}</code></div>'
    )


def _ids(each: Suggestion) -> str:
    return f"{each.from_document_id} → {each.to_document_id}"


def _rejected_html(each: Suggestion) -> str:
    a, b = (escape.html(words.title(each, start=start)) for start in (True, False))
    said = ""
    if each.dismissal is not None:
        why = f": {each.dismissal.reason}" if each.dismissal.reason else ", no reason given"
        who = f"rejected by {person(each.dismissal.by)}, {moment(each.dismissal.at)}{why}"
        said = f"<small>{escape.html(escape.shorten(who, 300))}</small>"
    return f'<p class="rs-gone"><span>{a} → {b}</span>{said}</p>'
