"""The promises of both runs in one strip, and the one that only a comparison can check: no score has drifted."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.comparison import Comparison, Side
from docgraph.domain.run import ContractCheck
from docgraph.ui.frame import escape, layout


def contracts(comparison: Comparison) -> None:
    """Counts of both sides, score drift between them, then every promise of B; A's stand behind a click."""
    drift = "".join(_check(check) for check in comparison.checks)
    a, b = comparison.a, comparison.b
    broken = any(not c.passed for c in (*comparison.checks, *a.run.contract, *b.run.contract))
    rows = "".join(
        f'<p class="cp-checks"><b>{letter} {escape.html(side.label)}</b>{"".join(_check(c) for c in side.run.contract)}'
        "</p>"
        for letter, side in (("A", a), ("B", b))
    )
    st.html(
        f'<details class="cp-contract{" cp-broken" if broken else ""}"{" open" if broken else ""}><summary>'
        f"{_counted(a, b)}{drift}"
        f'<span class="cp-more">All checks</span></summary>{rows}</details>'
    )


def _counted(a: Side, b: Side) -> str:
    """``Checks passed: 9 of 9``: of both runs where they keep alike, else of each."""
    said = []
    for letter, side in (("A", a), ("B", b)):
        checks = side.run.contract
        passed = sum(check.passed for check in checks)
        said.append((letter, f"{passed} of {len(checks)}" if checks else "--", bool(checks) and passed == len(checks)))
    if said[0][1:] == said[1][1:]:
        said = [("", *said[0][1:])]
    return "".join(
        f"<span{'' if kept else ' class=cp-failed'}>{layout.glyph('check' if kept else 'cross')}"
        f"<b>{f'{letter} Checks passed: {text}'.strip()}</b></span>"
        for letter, text, kept in said
    )


def _check(check: ContractCheck) -> str:
    state = "" if check.passed else ' class="cp-failed"'
    sign = layout.glyph("check", "kept") if check.passed else layout.glyph("cross", "broken")
    detail = f" <em>{escape.html(check.detail)}</em>" if check.detail and not check.passed else ""
    return f'<span{state} title="{escape.html(check.detail)}">{sign}{escape.html(check.title)}{detail}</span>'
