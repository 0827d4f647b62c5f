"""The verdict: one sentence, its counts as filters, and beside them how sure the gain is and whether the gate holds."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.evaluation import GateResult
from docgraph.errors import DocgraphError
from docgraph.orchestration.evaluating.gating import gated, parse_gates
from docgraph.ui.frame import escape, layout, navigation
from docgraph.ui.query_sets.scope import Scope
from docgraph.ui.query_sets.tabs.answers.inputs import BY, CHANGE, GATE, put, take, value_of
from docgraph.ui.query_sets.tabs.row_keys import choice
from docgraph.views.query_sets.part import CHANGES, Part, counted, judged_measures
from docgraph.views.query_sets.verdict import chip_words, command, gain_words
from docgraph.views.words.evaluation import mean_words, measure_title, verdict

_CHANGE_KEY, _BY_KEY, _MINIMUM = "qs-change", "qs-by", "qs-minimum"
ALL = "all"


def verdict_panel(scope: Scope, part: Part) -> None:
    """Draw it."""
    with st.container(key="qs-verdict", horizontal=True, gap=None):
        with st.container(key="qs-said", gap="small"):
            difference = part.difference()
            sentence = f"{verdict(difference)}." if difference is not None else "Nothing to compare."
            st.html(f'<h2 class="qs-sentence">{escape.html(sentence)}</h2>')
            with st.container(key="qs-counts", horizontal=True, vertical_alignment="center", gap="small"):
                _chips(part)
                _by(part)
                if scope.may_write and difference is not None and difference.not_judged:
                    label = f"Judge the other {difference.not_judged:,}"
                    navigation.link("query_sets", label, query={"set": part.evaluation.name, "tab": "judge"})
        with st.container(key="qs-sure", gap=None):
            _sure(part)


def shown_change() -> str:
    """The filter that the address names."""
    asked = value_of(CHANGE)
    return asked if asked in CHANGES else ALL


def _chips(part: Part) -> None:
    counts = counted(part)
    options: list[str] = [ALL, *(each for each in CHANGES if counts[each] or each != "failed")]
    now = shown_change()
    options += [now] if now not in options else []
    words: dict[str, str] = {
        ALL: f"All {len(part.outcomes):,}",
        **{each: chip_words(each, counts[each]) for each in CHANGES},
    }
    looks = {name: words.get(name, words[ALL]) for name in options}
    choice(st.pills, "Rows", looks, name=CHANGE, key=_CHANGE_KEY, now=now, take=take, default=ALL, required=True)


def _by(part: Part) -> None:
    """The measure that decides; others are a choice."""
    st.html('<span class="dg-note">by</span>')
    looks = {each: measure_title(each) for each in judged_measures(part.evaluation)}
    choice(st.selectbox, "Deciding measure", looks, name=BY, key=_BY_KEY, now=part.measure, take=take, width=142)


def gate_of(part: Part) -> tuple[str, GateResult | None, DocgraphError | None]:
    """The gate that the address names as the command line takes it, whether it holds, or why it cannot be."""
    text = value_of(GATE)
    if not text:
        return "", None, None
    try:
        names = [each.name for each in part.evaluation.configurations]
        gates = parse_gates([text], names, part.evaluation.measures)
        return text, gated(part.evaluation, gates)[0], None
    except DocgraphError as problem:
        return "", None, problem


def _sure(part: Part) -> None:
    text, held, problem = gate_of(part)
    so_far = '<span class="qs-far-so">so far</span>' if part.evaluation.stopped else ""
    gain, settled = gain_words(part.difference())
    means = " → ".join(mean_words(mean, part.measure) for mean in part.means(part.measure))
    with st.container(key="qs-gaterow", horizontal=True, vertical_alignment="center", gap="small"):
        if held is not None:
            said = f"{escape.html(held.sentence)}, {'passes' if held.passed else 'fails'} in CI"
            sign, look = layout.glyph("check" if held.passed else "cross"), "pass" if held.passed else "fail"
            st.html(f'<p class="qs-gateline qs-{look}">{sign}<b>{said}</b>{so_far}</p>')
        else:
            st.html(f'<p class="qs-gateline"><b>{escape.html(measure_title(part.measure))} {means}</b>{so_far}</p>')
        _gate_popover(part, text)
    end = f": <b>{settled}</b>" if settled else ""
    st.html(f'<p class="qs-gain">{escape.html(gain)}{end}</p>')
    if problem is not None:
        st.html(f'<p class="qs-gain" role="alert">{escape.html(problem.message)}</p>')
    line = command(part.evaluation, gate=text)
    if line:
        with st.container(key="qs-command"):
            st.code(line, language=None, wrap_lines=True)


def _gate_popover(part: Part, text: str) -> None:
    opened = st.popover("Gate" if text else "Set a gate", key="qs-gate", on_change="rerun", width="content")
    if not opened.open:
        return
    with opened:
        st.html(
            f'<p class="dg-note">The mean of {escape.html(measure_title(part.measure))} of '
            f"{escape.html(part.b.label)} must reach it, here and on the command line.</p>"
        )
        mean = part.evaluation.figure(part.b.name, part.measure)
        now = 0.0 if mean is None or mean.mean is None else round(mean.mean, 2)
        number = st.number_input(
            "Minimum", min_value=0.0, max_value=1.0, step=0.05, value=now, key=_MINIMUM, format="%.2f"
        )
        with st.container(horizontal=True, gap="small"):
            st.button("Set", key="qs-gate-set", type="primary", on_click=_set_gate, args=(part, float(number)))
            if text:
                st.button("Remove gate", key="qs-gate-off", type="tertiary", on_click=put, args=(GATE, ""))


def _set_gate(part: Part, number: float) -> None:
    last = part.evaluation.configurations[-1].name
    named = "" if part.b.name == last else f"{part.b.name}:"
    put(GATE, f"{named}{part.measure}={number:g}")
