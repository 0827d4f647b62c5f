"""The checks behind a button, where one that is off can be switched on, and the sign of a severity."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.finding import CheckReport, CheckResult, Rule, Severity
from docgraph.ui.frame import escape, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships import fragments
from docgraph.views.relationships.findings.queue import NOUNS
from docgraph.views.relationships.findings.words import check_rows
from docgraph.views.words.counts import plural


def severity_sign(severity: Severity) -> str:
    """HTML of a drawn sign: error = filled and red, warning = outlined, info = a ring; told apart by shape."""
    return f'<span class="rl-sign rl-sign-{severity}" role="img" aria-label="{NOUNS[severity][0]}"></span>'


KEY = "docgraph.relationships.checks"


def checks_popover(workspace: str, report: CheckReport) -> None:
    """A button with the number of checks; opened, a table of them, and a switch for each that is off."""
    off = [result for result in report.results if not result.on]
    label = plural(len(report.results), "check") + (f", {len(off):,} off" if off else "")
    with st.popover(label, key=KEY, type="tertiary", width="content", on_change="rerun") as opened:
        if opened.open:
            checks_table(report)
            for result in off:
                _switch(workspace, result)


def checks_table(report: CheckReport) -> None:
    """Every check: what it found of how many, or why it looked at nothing."""
    rows = "".join(
        f"<tr><td>{escape.html(row.title)}</td><td>{escape.html(row.found)}</td><td>{escape.html(row.note)}</td></tr>"
        for row in check_rows(report)
    )
    st.html(
        '<table class="rl-checks"><thead><tr><th scope="col">Check</th><th scope="col">Found</th>'
        f'<th scope="col">Looked at</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def _switch(workspace: str, result: CheckResult) -> None:
    st.button(
        f"Switch on: {result.title}",
        key=f"{KEY}.{result.check_id}",
        on_click=_on,
        args=(workspace, result),
        disabled=not state.curator(),
        help=None if state.curator() else "Switch editing on to change it",
    )


def _on(workspace: str, result: CheckResult) -> None:
    docgraph = resources.docgraph(workspace)
    rules = docgraph.rules.get()
    rule = rules.get(result.check_id, Rule()).model_copy(update={"on": True})
    if not state.worked(docgraph.rules.set, {**rules, result.check_id: rule}):
        return
    state.say(f"Saved: {result.title} is on")
    fragments.redraw()
