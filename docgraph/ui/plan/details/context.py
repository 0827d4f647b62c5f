"""The context: the text that a model would receive, exactly, with its token meter per layer and document."""

from __future__ import annotations

import streamlit as st

from docgraph.domain.context import AssembledContext
from docgraph.domain.run import Run
from docgraph.ui.frame import escape, layout
from docgraph.ui.frame.download import download
from docgraph.views.words import counts


def context_tab(run: Run) -> None:
    """Meter on the left, text on the right."""
    assembled = run.assembled
    if not assembled.text:
        layout.empty("The context is empty", "No document was found for this question.")
        return
    with st.container(key="plan_context", horizontal=True, gap="medium"):
        with st.container(key="plan_context_meter", gap="xsmall"):
            st.html(_meter(assembled, set(run.plan.seed_document_ids)))
            download(
                "Download text", assembled.text, f"context-{run.plan.plan_id[:8]}.txt", key="plan_context_download"
            )
        with st.container(key="plan_context_text", gap=None):
            st.code(assembled.text, language=None, wrap_lines=True, height=520)


def _meter(assembled: AssembledContext, seeds: set[str]) -> str:
    budget = max(assembled.token_budget, 1)
    layers = (
        ("conceptual", "Summaries: one line per document", assembled.conceptual_tokens),
        ("evidence", "Passages, under their headings", assembled.evidence_tokens),
        ("frame", "Titles and headings", assembled.frame_tokens),
    )
    bars = "".join(f'<i class="pl-{name}" style="width:{100 * n / budget:.2f}%"></i>' for name, _, n in layers)
    rows = "".join(
        f'<li><i class="pl-dot pl-{name}"></i><span>{text}</span><b>{n:,}</b></li>' for name, text, n in layers
    )
    left_out = (
        f'<p class="pl-inline pl-cuttext">{layout.glyph("cut")}{counts.plural(assembled.n_left_out, "passage")} '
        f"{counts.left_out('token_budget', assembled.token_budget)}</p>"
        if assembled.n_left_out
        else ""
    )
    return (
        f'<h3 class="pl-h3">{assembled.total_tokens:,} of {assembled.token_budget:,} tokens</h3>'
        f'<div class="pl-budget" role="img" aria-label="{assembled.total_tokens} of {assembled.token_budget} tokens">'
        f'{bars}</div><ul class="pl-layers">{rows}</ul>{left_out}'
        f'<h3 class="pl-h3">By document</h3><table class="pl-shares"><thead><tr><th>Document</th><th>Summary</th>'
        f"<th>Passages</th></tr></thead><tbody>{_shares(assembled, seeds)}</tbody></table>"
    )


def _shares(assembled: AssembledContext, seeds: set[str]) -> str:
    rows = []
    for document in assembled.documents:
        sign = layout.glyph("seed" if document.document_id in seeds else "added")
        short = "*" if document.summary_shortened else ""
        out = len(document.left_out_chunk_ids)
        left = f" <small>{out} of {out + len(document.chunk_ids)} passages left out</small>" if out else ""
        title = escape.html(document.title or document.document_id)
        rows.append(
            f"<tr><td>{sign}<span>{title}</span>{left}</td><td>{document.conceptual_tokens:,}{short}</td>"
            f"<td>{document.evidence_tokens:,}</td></tr>"
        )
    if any(document.summary_shortened for document in assembled.documents):
        rows.append('<tr><td colspan="3"><small>* shortened to fit the room for summaries</small></td></tr>')
    return "".join(rows)
