"""The command ``workspaces embed``: a workspace embedded anew in place, gone on with, looked at, given up."""

from __future__ import annotations

from typing import Annotated

import typer

from docgraph.cli.session import JsonOption, opened
from docgraph.cli.text.output import line, write_json
from docgraph.cli.text.progress import embedding_progress
from docgraph.domain.embedding import EmbeddingReport, EmbeddingState
from docgraph.domain.workspace import Workspace
from docgraph.errors import UserError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.views.words.embedding import gain_sentences, lasting, state_sentence

STOPPED = 130


def embed(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The workspace's name.", show_default=False)],
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="Embedder plug-in, such as onnx (default: the configured one).")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="Model: a folder or a name.")] = None,
    sha256: Annotated[str | None, typer.Option("--sha256", help="Checksum of the model file.")] = None,
    url: Annotated[str | None, typer.Option("--url", help="URL of the embedding server.")] = None,
    dimension: Annotated[
        int | None, typer.Option("--dimension", help="Vector dimension, if the model can choose it.", min=1)
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", help="Generated questions to measure the gain.", min=0)
    ] = 100,
    status: Annotated[bool, typer.Option("--status", help="Only show the progress.")] = False,
    abandon: Annotated[bool, typer.Option("--abandon", help="Discard the unfinished vectors.")] = False,
    json: JsonOption = False,
) -> None:
    """Re-embed a workspace with another embedder. The old vectors are used until all new ones exist.

    The same command resumes after an interruption. Ids, texts, relationships, decisions, runs and judgments
    stay. At the end it reports the gain on generated questions.
    """
    options = {"model": model, "sha256": sha256, "url": url, "dimension": dimension}
    if embedder is None and any(value is not None for value in options.values()):
        raise UserError("the embedder options need --embedder", hint="add --embedder, such as onnx")
    with opened(name) as docgraph:
        if status or abandon:
            _look(docgraph, name, abandon=abandon, json=json)
            return
        with embedding_progress(quiet=json) as progress:
            report = docgraph.embedding.embed(
                embedder,
                model=model,
                sha256=sha256,
                url=url,
                dimension=dimension,
                questions=questions,
                progress=progress,
            )
    if json:
        write_json(report)
    else:
        show_report(report)
    if not report.switched:
        raise typer.Exit(STOPPED)


def _look(docgraph: Docgraph, name: str, *, abandon: bool, json: bool) -> None:
    if abandon:
        given_up = docgraph.embedding.abandon()
        if json:
            write_json({"workspace": name, "abandoned": given_up})
        else:
            line(
                f"{name}: {'the unfinished vectors were discarded' if given_up else 'there are no unfinished vectors'}."
            )
        return
    state, workspace = docgraph.embedding.state(), {w.name: w for w in docgraph.workspaces()}[name]
    if json:
        said = None if state is None else state.model_dump(mode="json")
        write_json({"workspace": name, "embedder": workspace.embedder.embedder_id, "embedding": said})
    else:
        show_state(workspace, state)


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
