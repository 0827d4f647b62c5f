"""The rule behind a finding: its check on or off, how severe, with which parameters, stored for the workspace."""

from __future__ import annotations

from typing import Any

import streamlit as st

from docgraph.domain.finding import SEVERITIES, CheckResult, Rule
from docgraph.errors import DocgraphError, UserError
from docgraph.ui.frame import escape, resources
from docgraph.ui.parts.curation import state
from docgraph.ui.relationships import fragments
from docgraph.views.relationships.findings.queue import NOUNS
from docgraph.views.relationships.findings.words import parameter_text, parameter_value

RULE = "docgraph.relationships.rule"


def rule_popover(workspace: str, result: CheckResult) -> None:
    """A button with the state of the rule; opened, everything that can be set about it."""
    label = "Check settings" if result.on else "Check off"
    key = f"{RULE}.{result.check_id}"
    with st.popover(label, key=key, type="tertiary", width="content", on_change="rerun") as opened:
        if opened.open:
            _form(workspace, result, key=key)


def _form(workspace: str, result: CheckResult, *, key: str) -> None:
    editable = bool(state.curator())
    with st.form(f"{key}.form", border=False):
        st.html(f'<p class="dg-h3">{escape.html(result.check_id)}</p>')
        st.checkbox("Run this check", value=result.on, key=f"{key}.on", disabled=not editable)
        st.selectbox(
            "Severity",
            SEVERITIES,
            index=SEVERITIES.index(result.severity),
            key=f"{key}.severity",
            format_func=lambda name: NOUNS[name][0],
            disabled=not editable,
        )
        for name, value in sorted(result.parameters.items()):
            st.text_input(
                escape.label(name.replace("_", " ")),
                value=parameter_text(value),
                key=f"{key}.p.{name}",
                disabled=not editable,
            )
        said = "Saved for this workspace" if editable else "Switch editing on to change it"
        st.html(f'<p class="dg-note">{said}; <code>docgraph check</code> uses it too.</p>')
        st.form_submit_button(
            "Save settings",
            type="primary",
            key=f"{key}.store",
            on_click=_store,
            args=(workspace, result, key),
            disabled=not editable,
        )


def _store(workspace: str, result: CheckResult, key: str) -> None:
    """Write the rule; what is no value of a parameter is said where saves say what did not work."""
    values = st.session_state
    docgraph = resources.docgraph(workspace)
    try:
        parameters: dict[str, Any] = {
            name: parameter_value(str(values.get(f"{key}.p.{name}") or ""), like)
            for name, like in result.parameters.items()
        }
        rule = Rule(on=bool(values.get(f"{key}.on")), severity=values.get(f"{key}.severity"), parameters=parameters)
        docgraph.rules.set({**docgraph.rules.get(), result.check_id: rule})
    except ValueError as wrong:
        state.fail(UserError(f"a parameter of {result.check_id}: {wrong}", hint="write it like the current value"))
        return
    except DocgraphError as problem:
        state.fail(problem)
        return
    state.fail(None)
    state.say(f"Saved: {result.title} is {'on' if rule.on else 'off'}")
    fragments.redraw()
