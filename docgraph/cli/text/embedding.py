"""What ``workspaces embed`` prints: how far it is, what was done, and what it brought."""

from __future__ import annotations

from docgraph.cli.text.output import line
from docgraph.domain.embedding import EmbeddingReport, EmbeddingState
from docgraph.domain.workspace import Workspace
from docgraph.views.words.embedding import gain_sentences, lasting, state_sentence


def show_report(report: EmbeddingReport) -> None:
    """What came of it."""
    took = f"{report.n_embedded:,} texts in {lasting(report.seconds)}"
    if not report.switched:
        line(f"{report.workspace}: stopped; {report.n_done:,} of {report.n_total:,} texts are embedded ({took}).")
        line((f"{report.before} is still in use; the same command resumes.", "dim"))
        return
    line((f"{report.workspace} now uses {report.after}; the vectors of {report.before} were deleted ({took}).", "bold"))
    if report.gain is not None:
        for sentence in gain_sentences(report.gain):
            line(sentence)
        if report.gain.passages.points < 0:
            line(f"Retrieval got worse. To go back, re-embed with {report.before}.")
    if report.to_set:
        line(f"Set the embedder wherever this workspace is used: {report.to_set}")


def show_state(workspace: Workspace, state: EmbeddingState | None) -> None:
    """Whose vectors there are, and how far others are."""
    line(f"{workspace.name}: {workspace.embedder.embedder_id}.")
    if state is None:
        return
    line(state_sentence(state))
    if not state.finished:
        line((f"Started {state.at or 'some time ago'} by {state.by or 'an unknown process'}.", "dim"))
    if state.gain is not None:
        for sentence in gain_sentences(state.gain):
            line(sentence)
