"""Small drawn marks of the Plan page as CSS and HTML: line styles of relation types, counts on pills and tabs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from docgraph.views.lanes.layout import Dash
from docgraph.views.plan.legend import TypeEntry


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


def pill_style(entries: Sequence[TypeEntry], *, counts: str = "plan", switched: Mapping[str, str] | None = None) -> str:
    """CSS that draws the legend onto the type pills: the n-th pill gets its type's line and its count.

    ``counts``: edges in the ``plan``, in the whole ``corpus``, or none (``""``). ``switched`` = the types that a draft
    switches ``on`` or ``off``; they are marked. Types that plans use come first.
    """
    rules = _order(entries, switched or {})
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


def _order(entries: Sequence[TypeEntry], switched: Mapping[str, str]) -> list[str]:
    """The order of the pills: those that do something before those that do nothing."""
    numbered = sorted(enumerate(entries, start=1), key=lambda each: (_part(each[1], switched), each[0]))
    return [f".st-key-types button:nth-of-type({n}){{order:{place}}}" for place, (n, _) in enumerate(numbered)]


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
