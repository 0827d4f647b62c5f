"""The command line in this process, over a workspace of its own on the tests' server."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from docgraph.bootstrap import connect
from docgraph.cli import edge
from docgraph.domain.graph import Document, Relationship

Command = Callable[..., tuple[int, str, str]]
"""Arguments → (exit code, standard output, standard error)."""


@contextmanager
def filled_workspace(
    url: str, name: str, documents: Sequence[Document], edges: Sequence[Relationship], **environment: str
) -> Iterator[None]:
    """The environment of a command line on the workspace ``name``, which is filled before and dropped after."""
    given = {"DOCGRAPH_DATABASE_URL": url, "DOCGRAPH_WORKSPACE": name, "COLUMNS": "120", **environment}
    with pytest.MonkeyPatch.context() as patch:
        for variable, value in given.items():
            patch.setenv(variable, value)
        with connect() as dg:
            dg.create_workspace(name)
            dg.ingest_records(documents, edges)
            yield
            dg.drop_workspace(name)


def running(command: str, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs ``docgraph COMMAND …`` in this process."""

    def run(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = edge.run([command, *arguments])
        written = capsys.readouterr()
        return code, written.out, written.err

    return run
