"""Suggested relationships: the list at the left, one at a time with both texts beside it; only a person accepts."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from docgraph.domain.suggestion import Suggestion, Suggestions
from docgraph.ui.frame import assets, escape, layout, navigation
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import known_suggestions, problem_card, suggestions
from docgraph.ui.relationships.suggestions.acts import take_back
from docgraph.ui.relationships.suggestions.decision import judging
from docgraph.views.relationships import suggestions as words
from docgraph.views.words.counts import n_of_m
from docgraph.views.words.moments import moment, person

SHOWN_KEY = "suggestion"
"""Name of the suggestion that is open, in the address."""

PAGE_ROWS = 12
_TABLE, _REJECTED = "docgraph.suggestions.table", "docgraph.suggestions.rejected"


def count(workspace: str) -> int | None:
    """How many are open, once somebody has looked; finding them takes too long for a number behind a title."""
    found = known_suggestions(workspace)
    return None if found is None else len(found.suggestions)


def draw(workspace: str) -> None:
    """The section: the list, the suggestion that the address names (else the first), the rejected ones, the table."""
    assets.style(__file__, "relationships/decision.css", "section.css")
    problem_card()
    found = suggestions(workspace)
    at = _position(found.suggestions)
    if at is None:
        layout.same("Nothing to suggest", words.nothing(found))
        judging(workspace, found, None)
    else:
        left, right = st.columns([5, 12], gap="small")
        with left, st.container(key="rs-queue", gap=None):
            _list(found, at)
        with right:
            judging(workspace, found, at)
    _rejected(workspace, found)
    if found.suggestions or found.rejected:
        with st.expander("The same as a table", key=_TABLE, on_change="rerun") as table:
            if table.open:
                st.dataframe(
                    pd.DataFrame(words.table(found)), hide_index=True, alt="Suggestions, one a row", placeholder="--"
                )


def _position(items: Sequence[Suggestion]) -> int | None:
    """Place of the one that the address names; the first when it is not there any more; None for an empty list."""
    wanted = st.query_params.get(SHOWN_KEY)
    found = next((i for i, each in enumerate(items) if each.suggestion_id == wanted), 0)
    return found if items else None


def _list(found: Suggestions, at: int) -> None:
    items = found.suggestions
    first = max(0, min(at - PAGE_ROWS // 2, len(items) - PAGE_ROWS))
    shown = items[first : first + PAGE_ROWS]
    st.html(
        f'<div class="rs-listhead"><h2 class="dg-h2">Open, loudest first</h2>'
        f'<p class="dg-note">{escape.html(words.looked_at(found))}</p></div>'
    )
    for each in shown:
        with st.container(key=f"rs-row-{each.suggestion_id}{'-shown' if each is items[at] else ''}", gap=None):
            st.html(_row_html(each, current=each is items[at]))
            a, b = (escape.label(words.title(each, start=start), limit=80) for start in (True, False))
            query = {"tab": "suggestions", SHOWN_KEY: each.suggestion_id}
            ids = escape.label(_ids(each), limit=600)
            navigation.link("relationships", f"Open the suggestion {a} to {b}", query=query, help=f"{a} → {b}: {ids}")
    if len(shown) < len(items):
        place = f"{first + 1:,} to {first + len(shown):,} of {len(items):,}"
        st.html(f'<p class="dg-note rs-listfoot">{place}; J and K go on</p>')


def _row_html(each: Suggestion, *, current: bool) -> str:
    a, b = (escape.html(words.title(each, start=start)) for start in (True, False))
    kind = escape.html(words.KINDS[each.kind])
    via = escape.html(next(iter(each.relation_types), "no type yet"))
    return (
        f'<div class="rs-row"{" aria-current=true" if current else ""}><p><b>{kind}</b><span>{via}</span></p>'
        f'<p class="rs-pair">{a} → {b}</p><p class="rs-pair"><code class="dg-id">{escape.html(_ids(each))}</code></p>'
        f"<small>{escape.html(words.strength(each))}</small></div>"
    )


def _ids(each: Suggestion) -> str:
    return f"{each.from_document_id} → {each.to_document_id}"


def _rejected(workspace: str, found: Suggestions) -> None:
    """What was rejected, by whom and why, each with the way back."""
    if not found.rejected:
        return
    with st.expander(f"Rejected {len(found.rejected):,}", key=_REJECTED, on_change="rerun") as part:
        if not part.open:
            return
        for each in found.rejected[:100]:
            with st.container(
                key=f"rs-rejected-{each.suggestion_id}", horizontal=True, vertical_alignment="center", gap="small"
            ):
                st.html(_rejected_html(each))
                st.button(
                    "Take back",
                    key=f"docgraph.suggestions.back.{each.suggestion_id}",
                    on_click=take_back,
                    args=(workspace, each),
                    disabled=not state.curator(),
                )
        if len(found.rejected) > 100:
            st.html(f'<p class="dg-note">{n_of_m(100, len(found.rejected))}; the table has all</p>')


def _rejected_html(each: Suggestion) -> str:
    a, b = (escape.html(words.title(each, start=start)) for start in (True, False))
    said = ""
    if each.dismissal is not None:
        why = f": {each.dismissal.reason}" if each.dismissal.reason else ", no reason given"
        who = f"rejected by {person(each.dismissal.by)}, {moment(each.dismissal.at)}{why}"
        said = f"<small>{escape.html(escape.shorten(who, 300))}</small>"
    return f'<p class="rs-gone"><span>{a} → {b}</span>{said}</p>'
