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
        f"{_counted('A', a)}{_counted('B', b)}{drift}"
        f'<span class="cp-more">every promise</span></summary>{rows}</details>'
    )


def _counted(letter: str, side: Side) -> str:
    checks = side.run.contract
    if not checks:
        return f"<span><b>Contract {letter}</b> --</span>"
    passed = sum(check.passed for check in checks)
    sign = layout.glyph("check") if passed == len(checks) else layout.glyph("cross")
    state = "" if passed == len(checks) else ' class="cp-failed"'
    return f"<span{state}>{sign}<b>Contract {letter} {passed} of {len(checks)}</b></span>"


def _check(check: ContractCheck) -> str:
    state = "" if check.passed else ' class="cp-failed"'
    sign = layout.glyph("check", "kept") if check.passed else layout.glyph("cross", "broken")
    detail = f" <em>{escape.html(check.detail)}</em>" if check.detail and not check.passed else ""
    return f'<span{state} title="{escape.html(check.detail)}">{sign}{escape.html(check.title)}{detail}</span>'
