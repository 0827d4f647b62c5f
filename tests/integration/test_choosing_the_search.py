"""How a workspace comes to be searched: measured when somebody asks, said everywhere, never switched by itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from psycopg.conninfo import conninfo_to_dict

import docgraph
from docgraph import Docgraph
from docgraph.boundary.installed import sample_folder
from docgraph.cli.edge import run
from docgraph.domain.workspace import BY_USER, NOBODY
from docgraph.errors import UserError
from docgraph.orchestration import searching
from docgraph.views.words.searching import search_advice, search_words
from tests.conftest import database_beside

Ask = Callable[..., str]
QUESTION = "What is a hold?"


@pytest.fixture(scope="module")
def imported(module_database_url: str) -> str:
    """The database with the sample, which nobody is connected to."""
    with docgraph.connect(database_url=module_database_url) as connected:
        connected.ingest(sample_folder())
    return str(conninfo_to_dict(module_database_url)["dbname"])


@pytest.fixture
def new_database_url(embedded_database_url: str, imported: str) -> Iterator[str]:
    """A copy of ``imported`` of this test's own."""
    with database_beside(embedded_database_url, imported) as url:
        yield url


@pytest.fixture
def library(new_database_url: str) -> Iterator[Docgraph]:
    with docgraph.connect(database_url=new_database_url) as connected:
        yield connected


@pytest.fixture
def ask(
    library: Docgraph, new_database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Ask:
    """What a command writes to standard output; it must succeed."""
    monkeypatch.setenv("DOCGRAPH_DATABASE_URL", new_database_url)

    def asked(*arguments: str) -> str:
        assert run(arguments) == 0
        return capsys.readouterr().out

    assert library.workspace.n_documents
    return asked


def test_auto_within_the_budget_stays_exact_and_moves_no_plan(
    library: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was measured is kept, with the number of chunks, and said."""
    monkeypatch.setattr(searching, "BUDGET_MS", 1e9)
    before, plan = library.workspace, library.plan(QUESTION)
    assert before.search_choice == NOBODY
    after = library.documents.set_vector_search("auto")
    choice = after.search_choice
    assert (after.vector_search, after.state, choice.by, choice.n_chunks) == (
        "exact",
        before.state,
        "auto",
        before.n_chunks,
    )
    assert library.plan(QUESTION) == plan
    assert f"with {before.n_chunks:,} passages" in search_words(after)
    assert "Within budget up to about" in search_advice(after)


def test_auto_beyond_the_budget_takes_quantized_candidates_and_never_goes_back_by_itself(
    library: Docgraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither with the next question nor with an import; a cheaper budget later changes nothing until it is asked."""
    monkeypatch.setattr(searching, "BUDGET_MS", 0.0)
    chosen = library.documents.set_vector_search("auto")
    assert (chosen.vector_search, chosen.search_choice.by) == ("quantized", "auto")
    monkeypatch.setattr(searching, "BUDGET_MS", 1e9)
    assert library.plan(QUESTION).constraints.vector_search == "quantized"
    library.ingest(sample_folder())
    assert library.workspace.search_choice == chosen.search_choice
    assert library.documents.set_vector_search("auto").vector_search == "exact"


def test_measuring_changes_nothing(library: Docgraph) -> None:
    before = library.workspace
    cost = library.documents.measure_vector_search(n_questions=3)
    assert cost.exact_ms is not None
    assert cost.exact_ms > 0
    assert library.workspace == before


@pytest.mark.parametrize("mode", ["quantized", "hnsw"])
def test_recall_of_a_small_workspace_is_whole_and_its_plans_are_equal(library: Docgraph, mode: str) -> None:
    """Every chunk is a candidate there; the questions are the same each time, those of saved runs first."""
    library.runs.save(library.run(QUESTION))
    library.documents.set_vector_search(mode)  # type: ignore[arg-type]
    first, again = (library.documents.search_recall(n_questions=6) for _ in range(2))
    assert [each.depth for each in first.recalls] == [4, 10, 20]
    assert {each.share for each in first.recalls} == {first.seeds} == {1.0}
    assert (first.vector_search, first.n_questions, first.n_saved, first.n_equal_plans) == (mode, 6, 1, 6)
    timeless = {"exact_ms", "search_ms"}
    assert first.model_dump(exclude=timeless) == again.model_dump(exclude=timeless)


def test_recall_counts_what_too_few_candidates_lose(library: Docgraph, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that could only say 1.0 would say nothing."""
    from docgraph.domain import ranking

    monkeypatch.setattr(ranking, "N_NEAR", 2)
    monkeypatch.setattr(ranking, "N_LIKELY", 1)
    library.documents.set_vector_search("quantized")
    found = library.documents.search_recall(n_questions=10)
    assert found.seeds < 1.0
    assert found.n_equal_plans < 10


def test_a_workspace_without_documents_can_not_be_measured(library: Docgraph) -> None:
    library.session.adapters.database.create_workspace("empty", library.embedder)
    empty = library.use_workspace("empty")
    with pytest.raises(UserError, match="no documents"):
        empty.documents.search_recall()
    with pytest.raises(UserError, match="0 questions"):
        library.documents.measure_vector_search(n_questions=0)


def test_the_command_line_says_sets_measures_and_checks_the_search(ask: Ask) -> None:
    assert "exact vector search (automatic: not measured yet)" in ask("workspaces", "search", "default")
    said = ask("workspaces", "search", "default", "hnsw", "--recall", "--questions", "4")
    assert "approximate search (HNSW), exact scores (set by hand)" in said
    assert "first 20 documents" in said
    assert "4 of 4" in said
    assert "approximate (hnsw) candidates" in ask("plan", QUESTION)
    assert "approximate search (HNSW)" in ask("doctor")
    found = json.loads(ask("workspaces", "search", "default", "exact", "--measure", "--questions", "3", "--json"))
    assert found["workspace"]["search_choice"]["by"] == BY_USER.by
    assert found["measured"]["exact_ms"] > 0
    assert "candidates" not in ask("plan", QUESTION)


def test_a_report_and_a_contract_name_an_approximate_ranking(library: Docgraph) -> None:
    library.documents.set_vector_search("hnsw")
    run_ = library.run(QUESTION)
    assert [c.title for c in run_.contract if c.name == "index"] == ["approximate search (HNSW), exact scores"]
    assert all(check.passed for check in run_.contract)
