"""The status block of a run: one counted sentence, its cuts and tokens, and the contract strip under it."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.run import ContractCheck, Run
from docgraph.ui import escape, frame
from docgraph.ui.plan_state import TAB
from docgraph.views import wording
from docgraph.views.summary import Summary, summarize


def status_block(run: Run) -> None:
    """Two rows of fixed height, so that nothing below moves when the words change."""
    summary = summarize(run)
    with st.container(key="plan_status", gap=None):
        with st.container(key="plan_sentence", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(_sentence(summary))
            _cuts(summary)
            st.button(
                summary.tokens, key="plan_tokens", type="tertiary", on_click=_show_context, help="Open the context"
            )
        st.html(contract_strip(summary.contract))


def _sentence(summary: Summary) -> str:
    types = f'<span class="pl-types">{escape.html(summary.types)}</span>' if summary.types else ""
    same = ""
    if summary.same_as_ms3:
        same = f'<span class="pl-same">{frame.glyph("check")}{escape.html(summary.same_as_ms3)}</span>'
    return f'<div class="pl-sentence" role="status"><b>{escape.html(summary.sentence)}</b>{types}{same}</div>'


def _cuts(summary: Summary) -> None:
    if not summary.cuts:
        st.html('<span class="pl-muted pl-nocut">nothing cut</span>')
        return
    with st.popover(wording.plural(len(summary.cuts), "cut"), type="tertiary", key="plan_cuts", width="content"):
        lines = "".join(f"<li>{frame.glyph('cut')}<span>{escape.html(cut.text)}</span></li>" for cut in summary.cuts)
        st.html(f'<ul class="pl-cuts">{lines}</ul><p class="pl-muted">Who was cut: in the lanes, or under Table.</p>')


def _show_context() -> None:
    st.session_state[TAB] = "Context"


def contract_strip(checks: tuple[ContractCheck, ...]) -> str:
    """``Contract 8 of 8`` and every promise with its number: a muted tick, or a red cross."""
    if not checks:
        return '<div class="pl-contract"><b>Contract --</b><span>not checked for an executed plan</span></div>'
    passed = sum(check.passed for check in checks)
    items = "".join(_check(check) for check in checks)
    state = "" if passed == len(checks) else " pl-broken"
    return f'<div class="pl-contract{state}"><b>Contract {passed} of {len(checks)}</b>{items}</div>'


def _check(check: ContractCheck) -> str:
    glyph = frame.glyph("check", "kept") if check.passed else frame.glyph("cross", "broken")
    state = "" if check.passed else ' class="pl-failed"'
    detail = escape.html(check.detail)
    shown = f" <em>({detail})</em>" if not check.passed and check.detail else ""
    return f'<span{state} title="{detail}">{glyph}{escape.html(check.title)}{shown}</span>'
