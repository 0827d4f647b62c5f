"""The trace: every step with its inputs, outputs and milliseconds, and the SQL text it sent."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.run import Run, TraceStep
from docgraph.ui.frame import escape, layout
from docgraph.views.words import counts


def trace_tab(run: Run) -> None:
    """A waterfall of the steps, then the statements of each step."""
    if not run.trace:
        layout.empty("No trace", "This run was made without one.")
        return
    st.html(_waterfall(run.trace))
    with st.container(key="plan_trace"):
        for i, step in enumerate(run.trace):
            if step.statements or step.inputs or step.outputs:
                _step(step, i)


def _waterfall(steps: tuple[TraceStep, ...]) -> str:
    total = max(sum(step.milliseconds for step in steps), 1e-9)
    done, rows = 0.0, []
    for step in steps:
        left, width = 100 * done / total, 100 * step.milliseconds / total
        done += step.milliseconds
        rows.append(
            f"<tr><td>{escape.html(step.name)}</td><td>{counts.milliseconds(step.milliseconds)}</td>"
            f'<td><span class="pl-span"><i style="margin-left:{left:.2f}%;width:{max(width, 0.4):.2f}%"></i></span>'
            "</td>"
            f"<td>{counts.plural(len(step.statements), 'statement')}</td></tr>"
        )
    return (
        '<table class="pl-trace"><thead><tr><th>Step</th><th>Time</th>'
        f"<th>{counts.milliseconds(total)} in all</th><th>SQL</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _step(step: TraceStep, i: int) -> None:
    n = counts.plural(len(step.statements), "statement")
    with st.expander(f"{escape.label(step.name)}: {n}", key=f"plan_step_{i}", on_change="rerun") as box:
        if not box.open:
            return
        left, right = st.columns(2)
        with left:
            st.html('<h3 class="pl-h3">In</h3>')
            st.json(step.inputs, expanded=True)
        with right:
            st.html('<h3 class="pl-h3">Out</h3>')
            st.json(step.outputs, expanded=True)
        for statement in step.statements:
            st.code(statement, language="sql", wrap_lines=True)
