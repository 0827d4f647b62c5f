"""The checks of a plan: what was promised of it, and whether it was kept."""

from __future__ import annotations

from docgraph.domain.run import ContractCheck
from docgraph.ui.frame import escape, layout


def contract_strip(checks: tuple[ContractCheck, ...], *, why: str) -> str:
    """``Checks passed: 9 of 9`` and every promise with its number: a muted tick, or a red cross.

    Without checks it says ``why`` there are none.
    """
    if not checks:
        return f'<div class="pl-contract"><b>Checks --</b><span>{why}</span></div>'
    passed = sum(check.passed for check in checks)
    items = "".join(_check(check) for check in checks)
    state = "" if passed == len(checks) else " pl-broken"
    return f'<div class="pl-contract{state}"><b>Checks passed: {passed} of {len(checks)}</b>{items}</div>'


def _check(check: ContractCheck) -> str:
    glyph = layout.glyph("check", "kept") if check.passed else layout.glyph("cross", "broken")
    title, detail = escape.html(check.title), escape.html(check.detail)
    if not check.passed:
        shown = f" <em>({detail})</em>" if check.detail else ""
        return f'<span class="pl-failed" title="{detail}">{glyph}{title}{shown}</span>'
    return f'<span title="{title}: {detail}">{glyph}{title}</span>'
