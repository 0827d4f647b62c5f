"""The types of a workspace: one row each, with what it may do in plans; merged with a preview."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.frozen import fingerprint
from docgraph.domain.type_roles import ROLE_WORDS, TypeDecision, TypeRole
from docgraph.domain.vocabulary import TypeUse, Vocabulary
from docgraph.ui.frame import assets, escape, layout, navigation, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships.data import problem_card, vocabulary
from docgraph.ui.relationships.undo import undo_card
from docgraph.ui.relationships.vocabulary import merge
from docgraph.views.relationships import vocabulary as words
from docgraph.views.words.counts import n_of_m
from docgraph.views.words.moments import moment
from docgraph.views.words.type_roles import role_sentence

PAGE_ROWS, MAX_DIRECTIONS = 25, 2
DEFAULT = "default"
ROLES: dict[str, str] = {**dict[str, str](ROLE_WORDS.items()), DEFAULT: "back to default"}
"""What may be chosen for a type in plans, and how it is called."""
_DRAWN = "docgraph.vocabulary.drawn"
HEAD = (
    '<div class="rv-head" aria-hidden="true"><span>Type</span><span>Relationships</span><span>Reviewed</span>'
    "<span>Saved questions</span><span>Directions</span><span>To review</span><span>In plans</span></div>"
)


def count(workspace: str) -> int | None:
    """How many types there are."""
    return len(resources.docgraph(workspace).relationships.types())


def draw(workspace: str) -> None:
    """The place: head, merge panel where it was opened, and rows."""
    assets.style(__file__, "section.css")
    found = vocabulary(workspace)
    if not found.types:
        layout.empty(
            "No relationship types",
            "This workspace has no relationships. Plans still work, with matches only.",
        )
        return
    _head(found)
    problem_card()
    undo_card("vocabulary", workspace, "Undo the merge")
    if merge.opened() == merge.AT_THE_TOP:
        _panel(workspace, found)
    with st.container(key="rv-list", gap=None):
        st.html(HEAD)
        roles = {each.relation_type: each for each in resources.docgraph(workspace).relationships.type_roles()}
        drawn = found.types[: int(st.session_state.get(_DRAWN, PAGE_ROWS))]
        _bars(found, drawn)
        for use in drawn:
            _row(workspace, found, use, roles[use.relation_type])
    if len(drawn) < len(found.types):
        st.button(
            f"{n_of_m(len(drawn), len(found.types))}: show more",
            key="docgraph.vocabulary.more",
            on_click=_show_more,
            type="tertiary",
        )


def _panel(workspace: str, found: Vocabulary) -> None:
    with layout.guarded():
        merge.panel(workspace, found)


def _head(found: Vocabulary) -> None:
    with st.container(key="rv-top", horizontal=True, vertical_alignment="center", gap="small"):
        layout.section("Types", words.headline(found))
        if len(found.types) > 1 and not resources.only_reads():
            st.button("Merge types…", key="docgraph.vocabulary.merge", on_click=merge.open_at, args=(merge.AT_THE_TOP,))


def _show_more() -> None:
    st.session_state[_DRAWN] = int(st.session_state.get(_DRAWN, PAGE_ROWS)) + PAGE_ROWS


def row_key(relation_type: str) -> str:
    """A name for widgets and style sheets, whatever characters the type has."""
    return fingerprint(relation_type)[:12]


def _bars(found: Vocabulary, drawn: tuple[TypeUse, ...]) -> None:
    """The lengths of the bars, which lie under the numbers."""
    rules = "".join(
        f".st-key-rv-row-{row_key(use.relation_type)}{{--rv-share:{words.share(use, found):.3f}}}" for use in drawn
    )
    st.html(f"<style>{rules}</style>")


def _row(workspace: str, found: Vocabulary, use: TypeUse, decided: TypeDecision) -> None:
    key, name = row_key(use.relation_type), use.relation_type
    shown = escape.label(name, limit=60)
    with st.container(key=f"rv-row-{key}", gap=None):
        st.html(_name_html(use))
        navigation.link(
            "relationships",
            f"{use.n:,}",
            query={"tab": "all", "type": name},
            help=f"All relationships of the type {shown}",
        )
        navigation.link(
            "relationships",
            words.reviewed(use),
            query={"tab": "all", "type": name, "reviewed": "yes"},
            help=f"Reviewed relationships of the type {shown}",
        )
        st.html(f'<p class="rv-n">{escape.html(words.questions(use, found))}</p>')
        st.html(_directions_html(use))
        with st.container(key=f"rv-alike-{key}", gap=None):
            _to_look_at(use)
        with st.container(key=f"rv-role-{key}", gap=None):
            _role(workspace, decided)
    if merge.opened() == name:
        _panel(workspace, found)


def _name_html(use: TypeUse) -> str:
    marks = "".join(f'<span class="rv-mark">{escape.html(mark)}</span>' for mark in words.marks(use))
    name = escape.html(escape.shorten(use.relation_type, 80))
    return f'<p class="rv-name" title="{escape.html(use.relation_type)}"><b>{name}</b>{marks}</p>'


def _directions_html(use: TypeUse) -> str:
    """The most frequent pairs of kinds, and every pair that some few go against."""
    rows = words.directions(use)
    shown = [row for i, row in enumerate(rows) if row.minority or i < MAX_DIRECTIONS]
    more = len(rows) - len(shown)
    rest = f'<li class="rv-more">{more:,} more {"pair" if more == 1 else "pairs"}</li>' if more > 0 else ""
    return f'<ul class="rv-directions">{"".join(_direction(row) for row in shown[:6])}{rest}</ul>'


def _direction(row: words.Direction) -> str:
    """Both ways of a pair: the frequent one in ink, the few that go against it with a drawn sign."""
    start, end = (escape.html(escape.shorten(name, 40)) for name in (row.start, row.end))
    back = ""
    if row.minority:
        sign = layout.glyph("finding", "minority")
        back = f'<span class="rv-minority">{sign}{end} → {start} <b>{row.n_back:,}</b> against it</span>'
    elif row.n_back:
        back = f'<span class="rv-back">back <b>{row.n_back:,}</b></span>'
    return f"<li><span>{start} → {end} <b>{row.n:,}</b></span>{back}</li>"


def _to_look_at(use: TypeUse) -> None:
    """What a curator may want to settle: a look-alike, missing targets; and what says the same from the other end."""
    key, name = row_key(use.relation_type), use.relation_type
    for index, other in enumerate(use.look_alikes[:2]):
        into = escape.label(escape.shorten(other, 28))
        st.button(
            f"Merge into {into}",
            key=f"docgraph.vocabulary.merge.{key}.{index}",
            type="tertiary",
            help="Similar in spelling or meaning. You see a preview first.",
            on_click=merge.open_at,
            args=(name,),
            kwargs={"types": (name,), "into": other},
        )
    if use.n_dangling:
        navigation.link(
            "relationships",
            f"{use.n_dangling:,} without a target",
            query={"tab": "all", "type": name, "dangling": "true"},
        )
    if use.inverses:
        named = ", ".join(escape.html(escape.shorten(other, 40)) for other in use.inverses[:3])
        st.html(f'<p class="rv-inverse">inverse: <b>{named}</b></p>')


def _role(workspace: str, decided: TypeDecision) -> None:
    """What the type may do in plans, a choice while editing is on, and who decided it unless nobody did."""
    name = decided.relation_type
    key = f"docgraph.types.role.{row_key(name)}.{decided.role}.{decided.by}"
    names = list(ROLES)
    st.selectbox(
        f"In plans, {escape.label(name, limit=60)}",
        names,
        index=names.index(decided.role),
        key=key,
        format_func=ROLES.__getitem__,
        label_visibility="collapsed",
        disabled=not state.curator() or not resources.may("decide_types"),
        on_change=_decide,
        args=(workspace, name, key),
    )
    if decided.by != DEFAULT:
        when = moment(decided.at) if decided.at else ""
        more = ", ".join(part for part in (when, decided.reason) if part)
        st.html(f'<p class="rv-by" title="{escape.html(more)}">{escape.html(escape.shorten(decided.words, 60))}</p>')


def _decide(workspace: str, relation_type: str, key: str) -> None:
    """Give the type another role in plans, or its default back."""
    chosen = str(st.session_state.get(key) or "")
    if chosen not in ROLES or not state.curator():
        return
    role: TypeRole | None = next((each for each in ROLE_WORDS if each == chosen), None)
    relationships = resources.docgraph(workspace).relationships
    if state.tried(lambda: (relationships.set_type_role(relation_type, role, by=state.curator()), True)) is None:
        return
    now = next(each for each in relationships.type_roles() if each.relation_type == relation_type)
    state.say(f"In plans, {role_sentence(now)}")
