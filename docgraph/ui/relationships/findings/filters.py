"""The head of the queue: severities as chips, which check, and whose."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from docgraph.domain.finding import SEVERITIES, CheckReport, Severity
from docgraph.ui.frame import escape
from docgraph.ui.frame.chosen import put
from docgraph.ui.parts.curation import state
from docgraph.ui.parts.type_pills import count_style
from docgraph.ui.relationships.findings.decision.draft import hand
from docgraph.views.relationships.findings.queue import (
    ALL,
    DUE,
    MINE,
    NOUNS,
    SUGGESTED,
    Chip,
    checks_found,
    chips,
    count_words,
    people_found,
    whose_found,
)
from docgraph.views.relationships.findings.triage import today
from docgraph.views.words.glossary import definition

CHIP, CHECK, WHOSE = "docgraph.relationships.chip", "docgraph.relationships.check", "docgraph.relationships.owner"
SHOW, CHECK_MARK, OWNER_MARK, WHOSE_MARK = "show", "check", "owner", "whose"
"""Names in the address of the chip, the check, the owner or assignee, and *Mine* or *Due*."""
NARROW = 430
"""Pixels of the queue's head under which a severity is its sign and its count."""
_NAMES = {"mine": MINE, "due": DUE}


@dataclass(frozen=True)
class Beside:
    """What stands in the same queue under a pill of its own, the suggestions: how many there are (None: not known),
    and how its rows, its pane and what is under both are drawn.
    """

    count: Callable[[str], int | None]
    queue: Callable[[str], None]
    pane: Callable[[str], None]
    under: Callable[[str], None]


@dataclass(frozen=True)
class Filters:
    """What is chosen: a chip, a check ("" = all), and whose: ``MINE``, ``DUE``, a name ("" = everybody's)."""

    chip: str
    check_id: str
    whose: str


def choose(chip: str) -> None:
    """Choose this pill, before it is drawn."""
    st.session_state[CHIP] = chip


def suggested() -> bool:
    """Whether the suggestions are chosen."""
    return (st.session_state.get(CHIP) or st.query_params.get(SHOW, ALL)) == SUGGESTED


def filters(report: CheckReport, *, n_suggested: int | None) -> Filters:
    """Draw the pills and the filters by check and by person, which are of findings; all stand in the address."""
    offered, whose = _offered(report, n_suggested), _whose(report)
    checks = {check_id: f"{title}  {n:,}" for check_id, title, n in checks_found(report)}
    wanted = st.session_state.get(CHECK) or st.query_params.get(CHECK_MARK, "")
    st.session_state[CHECK] = wanted if wanted in checks else ""
    with st.container(key="rl-queuehead", gap="xsmall"):
        with st.container(key="rl-queuetitle", horizontal=True, vertical_alignment="center", gap="small"):
            of_findings = st.session_state[CHIP] != SUGGESTED
            title, order = ("To review", "biggest effect") if of_findings else ("Suggestions", "strongest")
            how = definition("finding" if of_findings else "suggestion")
            rest = f'<span class="rl-order">, {order} first</span>'
            st.html(f'<h2 class="dg-h2" title="{escape.html(how)}">{title}{rest}</h2>')
            if of_findings and not whose:
                _check_filter(checks)
        if of_findings and whose:
            with st.container(key="rl-queuefilters", horizontal=True, vertical_alignment="center", gap="xsmall"):
                _check_filter(checks)
                _whose_filter(whose)
        _chips(offered)
    chosen = (str(st.session_state.get(key) or "") for key in (CHIP, CHECK, WHOSE))
    return Filters(*chosen)


def _offered(report: CheckReport, n_suggested: int | None) -> list[Chip]:
    """The chips, with the one that was chosen even where it leaves nothing; the choice is put into its place."""
    offered = list(chips(report, n_suggested=n_suggested))
    wanted = st.session_state.get(CHIP) or st.query_params.get(SHOW, ALL)
    if wanted in NOUNS and wanted not in {chip.name for chip in offered}:
        severity: Severity = wanted
        offered.insert(1, Chip(wanted, NOUNS[severity][1], 0))
    st.session_state[CHIP] = wanted if wanted in {chip.name for chip in offered} else ALL
    return offered


def _whose(report: CheckReport) -> dict[str, str]:
    """Whose decisions can be shown, each as it is called in the list; the choice is put into its place."""
    found = {
        chip.name: f"{chip.label}  {chip.n or 0:,}" for chip in whose_found(report, state.known_name(), day=today())
    }
    found |= {name: f"{escape.plain(name)}  {n:,}" for name, n in people_found(report)}
    asked = st.query_params.get(WHOSE_MARK) or st.query_params.get(SHOW, "")
    wanted = st.session_state.get(WHOSE) or _NAMES.get(asked) or st.query_params.get(OWNER_MARK, "")
    if wanted in _NAMES.values() and wanted not in found:
        found = {wanted: f"{'Mine' if wanted == MINE else 'Due'}  0", **found}
    st.session_state[WHOSE] = wanted if wanted in found else ""
    return found


def _chips(offered: Sequence[Chip]) -> None:
    labels = {chip.name: chip.label for chip in offered}
    counts = count_style("docgraph-relationships-chip", [count_words(chip.n) for chip in offered])
    st.html(f"<style>{counts}{_sign_style(offered)}</style>")
    st.pills(
        "Show",
        [chip.name for chip in offered],
        format_func=labels.__getitem__,
        key=CHIP,
        required=True,
        on_change=_changed,
        label_visibility="collapsed",
    )


def _sign_style(offered: Sequence[Chip]) -> str:
    """In a narrow queue a severity is drawn as its sign; its name stays for who listens to the page."""
    rules = []
    for n, chip in enumerate(offered, start=1):
        if chip.name in SEVERITIES:
            button = f".st-key-docgraph-relationships-chip button:nth-of-type({n})"
            colour = "finding" if chip.name == "error" else "muted"
            rules.append(f"{button}::before{{content:'';--g:var(--rl-g-{chip.name});background:var(--dg-{colour})}}")
            rules.append(
                f"{button} p{{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);"
                "white-space:nowrap}"
            )
    return f"@container rl-queuehead (max-width:{NARROW}px){{{''.join(rules)}}}"


def _whose_filter(whose: Mapping[str, str]) -> None:
    st.selectbox(
        "Owner or assignee",
        ["", *whose],
        format_func=lambda name: whose.get(name, "Everybody"),
        key=WHOSE,
        on_change=_changed,
        label_visibility="collapsed",
    )


def _check_filter(checks: Mapping[str, str]) -> None:
    """``checks`` = check_id → what it is called, with how many decisions are open."""
    if len(checks) > 1:
        st.selectbox(
            "Check",
            ["", *checks],
            format_func=lambda name: checks.get(name, "All checks"),
            key=CHECK,
            on_change=_changed,
            label_visibility="collapsed",
        )


def _changed() -> None:
    """Write the filters into the address; what was open may not be among them."""
    whose = str(st.session_state.get(WHOSE) or "")
    special = next((name for name, value in _NAMES.items() if value == whose), "")
    chip = str(st.session_state.get(CHIP) or ALL)
    marks = {
        SHOW: "" if chip == ALL else chip,
        CHECK_MARK: str(st.session_state.get(CHECK) or ""),
        OWNER_MARK: "" if special else whose,
        WHOSE_MARK: special,
    }
    for mark, value in marks.items():
        put(mark, value)
    hand().show_all = False


def show_everything() -> None:
    """Drop all filters."""
    st.session_state[CHIP], st.session_state[CHECK], st.session_state[WHOSE] = ALL, "", ""
    _changed()


def show_suggested() -> None:
    """Go on with the suggestions."""
    choose(SUGGESTED)
    _changed()
