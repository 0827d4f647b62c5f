"""Small drawn marks of the Plan page as CSS and HTML: line styles of relation types, counts on pills and tabs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from docgraph.views.lanes.layout import Dash
from docgraph.views.plan.legend import TypeEntry

MORE = "plan_types_more"
"""Key of the button behind the pills."""
_MORE = f".st-key-{MORE}"

ROW_WIDTH, PILL_WIDTH, LETTER_WIDTH = 660, 62, 6.2
"""Pixels: of one row of pills in a window of 1280, of a pill without its name, and of a letter, about."""


def line_sample(dash: Dash) -> str:
    """HTML of a short stretch of line in a type's style; it takes the colour of the text around it."""
    return f'<span class="pl-line" style="{_mask(dash)}" aria-hidden="true"></span>'


def _mask(dash: Dash) -> str:
    pattern = f" stroke-dasharray='{' '.join(f'{part:g}' for part in dash)}'" if dash else ""
    cap = " stroke-linecap='round'" if dash and dash[0] < 2 else ""
    svg = (
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 28 8' preserveAspectRatio='none'>"
        f"<path d='M1 4H27' stroke='#000' stroke-width='1.6'{pattern}{cap}/></svg>"
    )
    return f"--pl-mask:url(&quot;data:image/svg+xml,{quote(svg)}&quot;)"


def pill_style(
    entries: Sequence[TypeEntry],
    *,
    counts: str = "plan",
    switched: Mapping[str, str] | None = None,
    folded: bool = True,
) -> str:
    """CSS that draws the legend onto the type pills: the n-th pill gets its type's line and its count.

    ``counts``: edges in the ``plan``, in the whole ``corpus``, or none (``""``). ``switched`` = the types that a draft
    switches ``on`` or ``off``; they are marked. Types that take part stand first; ``folded`` leaves those that one row
    has no room for to the button behind it.
    """
    rules = _one_row(entries, switched or {}, folded=folded)
    for n, entry in enumerate(entries, start=1):
        pill = f".st-key-types button:nth-of-type({n})"
        rules.append(f"{pill}{{{_mask(entry.dash).replace('&quot;', chr(34))}}}")
        count = {"plan": entry.count, "corpus": str(entry.n_corpus)}.get(counts, "")
        rules.append(f'{pill}::after{{content:"{count}"}}')
        turned = (switched or {}).get(entry.relation_type)
        if turned:
            colour = "var(--dg-cut)" if turned == "off" else "var(--dg-added)"
            rules.append(f".stApp {pill}{{border-color:{colour} !important}}")
            rules.append(f"{pill}::after{{color:{colour.replace('cut', 'cut-text')}}}")
    return "".join(rules)


def _one_row(entries: Sequence[TypeEntry], switched: Mapping[str, str], *, folded: bool) -> list[str]:
    """The order of the pills, those that are left out, and what the button says: ``+7 types``."""
    numbered = list(enumerate(entries, start=1))
    numbered.sort(key=lambda each: (_part(each[1], switched), each[0]))
    rules: list[str] = []
    room: float = ROW_WIDTH
    hidden = 0
    for place, (n, entry) in enumerate(numbered):
        pill = f".st-key-types button:nth-of-type({n})"
        rules.append(f"{pill}{{order:{place}}}")
        room -= PILL_WIDTH + LETTER_WIDTH * len(entry.relation_type)
        if room < 0 and place and entry.relation_type not in switched:
            hidden += 1
            rules.append(f".stApp {pill}{{display:none}}" if folded else "")
    said = f"+{hidden}" if folded else "fewer"
    rules.append(f'{_MORE} button p::before{{content:"{said} "}}' if hidden else f"{_MORE}{{display:none}}")
    return rules


def _part(entry: TypeEntry, switched: Mapping[str, str]) -> int:
    """0 = it brings something in, or a draft switches it; 1 = limits cut all that it brings; 2 = it does nothing."""
    if entry.n_plan or entry.relation_type in switched:
        return 0
    return 1 if entry.n_cut else 2


def count_style(key: str, counts: Sequence[str]) -> str:
    """CSS that writes a count behind the n-th option of a segmented control; counts hold digits and plain words."""
    return "".join(
        f'.st-key-{key} button:nth-of-type({n})::after{{content:"{count}"}}'
        for n, count in enumerate(counts, start=1)
        if count
    )
