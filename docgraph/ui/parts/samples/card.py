"""A sample question as a card: its effect, and a link over the whole card to the page that shows it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from docgraph.ui.frame import assets, escape, layout, navigation
from docgraph.ui.parts.samples.corpus import Sample, a_few, samples
from docgraph.ui.parts.samples.outcomes import outcomes
from docgraph.views.words.address import QUERY
from docgraph.views.words.outcome import Outcome


def card_style() -> None:
    """Put the style sheet of the cards on the page."""
    assets.style(__file__, "style.css")


def sample_cards(workspace: str, title: str, *, to: str) -> bool:
    """Draw a few samples under a title, for a page with nothing to show; False, with nothing drawn, without samples."""
    few = a_few(samples(workspace))
    if not few or navigation.page(to) is None:
        return False
    card_style()
    st.html(f'<h2 class="dg-h3">{escape.html(title)}</h2>')
    cards(few, workspace, to=to)
    return True


def cards(shown: Sequence[Sample], workspace: str, *, to: str) -> None:
    """Draw samples as cards that say what relationships change in each, as soon as it is counted."""
    counted = outcomes(shown, workspace)
    with st.container(key="dg-samples"):
        for sample in shown:
            sample_card(sample, to=to, outcome=counted.get(sample.id))


def sample_card(sample: Sample, *, to: str, outcome: Outcome | None = None) -> None:
    """Draw it; ``to`` = name of the page that is asked the question; without ``outcome`` it names the effect alone."""
    said = outcome or Outcome(sample.title, "")
    glyph, tone = sample.sign
    with st.container(key=f"dg-sample-{sample.id}"):
        st.html(
            f'<div class="dg-sample"><span class="dg-tile dg-tone-{tone}">{layout.glyph(glyph)}</span>'
            f"<div><p>{escape.html(sample.query)}</p>"
            f"<small><b>{escape.html(said.value)}</b>{escape.html(said.rest)}</small>"
            f"</div>{layout.glyph('chevron')}</div>"
        )
        navigation.link(to, escape.label(sample.query), query={QUERY: sample.query}, help=escape.label(sample.note))
