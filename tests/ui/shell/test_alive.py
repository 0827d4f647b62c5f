"""The address of the health check: it asks the database, and says nothing of it to whoever may ask."""

from __future__ import annotations

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from docgraph.errors import StoreError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.ui.frame import resources
from docgraph.ui.shell import alive, server


def asked() -> tuple[int, str]:
    with TestClient(Starlette(routes=server.routes())) as client:
        answer = client.get(alive.PATH)
        return answer.status_code, answer.text


def test_a_database_that_answers_is_alive(docgraph: Docgraph) -> None:
    assert asked() == (200, "ok\n")


def test_a_database_that_does_not_answer_is_not_and_its_name_is_not_told(
    docgraph: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise StoreError("no server answers at secret@db.internal:5432")

    monkeypatch.setattr(resources, "workspaces", gone)
    assert asked() == (503, "the database does not answer\n")
