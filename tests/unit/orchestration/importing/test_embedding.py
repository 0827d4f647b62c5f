"""A workspace embedded anew: killed at any batch it goes on, and ends as a fresh import by the new embedder would."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from docgraph.boundary.embedders import EmbedderChoice
from docgraph.domain.embedding import EmbeddingReport
from docgraph.domain.graph import Document, Relationship, Section, Vectors
from docgraph.domain.workspace import EmbedderInfo, VectorSearch
from docgraph.errors import ConflictError, EmbedderChangedError, EmbedderError, EmbeddingMismatchError, UserError
from docgraph.ingestion.embedding import anew
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.embedders import KnownEmbedders
from docgraph.orchestration.session import Adapters
from docgraph.plugins.stores import memory
from docgraph.ports import Database
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer
from tests.builders import RecordingProgress

OLD, NEW = 64, 48
WORDS = ("queue", "slot", "alarm", "retry", "order", "broker", "harbor", "payment", "ledger", "crane", "pilot", "tide")
QUESTIONS = ("why is the queue bounded", "which crane waits for the tide", "payment ledger")
STORES = ("memory", "postgres")


class Failing(HashingEmbedder):
    """Another embedder, which is killed when it is asked for the ``dies_at``-th time; ``asked`` = its texts."""

    def __init__(self, dimension: int = NEW, *, dies_at: int | None = None) -> None:
        super().__init__(dimension)
        self.info = EmbedderInfo(name="other", model="sha256", dimension=dimension)
        self.dies_at, self.asked = dies_at, list[list[str]]()
        self.before_asked: Callable[[], object] = lambda: None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """As its base does."""
        if len(self.asked) == self.dies_at:
            raise EmbedderError("killed")
        self.before_asked()
        self.asked.append(list(texts))
        return super().embed(texts)[:, ::-1]  # other directions than those of the hashing embedder of this width


def text(number: int, sentences: int) -> str:
    chosen = [WORDS[(number * 7 + k * k) % len(WORDS)] for k in range(sentences * 6)]
    return "\n\n".join(f"The {' '.join(chosen[at : at + 6])} of number {number}." for at in range(0, len(chosen), 6))


def library(n: int = 9) -> list[Document]:
    """Short documents and one long one, with summaries of their own."""
    made = []
    for number in range(n):
        sections = tuple(
            Section(heading_path=(f"Part {part}",), text=text(number + part, 30))
            for part in range(9 if number == 4 else 1)
        )
        title = f"{WORDS[number % len(WORDS)].title()} {number}"
        made.append(Document(document_id=f"d{number}", title=title, sections=sections, summary=f"About {title}."))
    return made


EDGES = [Relationship(from_document_id="d1", relation_type="explains", to_document_id="d2")]


def adapters(database: Database, *others: HashingEmbedder, embedder: HashingEmbedder | None = None) -> Adapters:
    built = {EmbedderChoice(str(each.info.dimension)): each for each in others}
    known = KnownEmbedders(lambda choice: built[choice], tuple(built))
    return Adapters(
        database=database,
        embedder=embedder or HashingEmbedder(OLD),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(),
        extractors=(),
        clock=time.perf_counter,
        chunk_tokens=32,
        embedders=known,
    )


@pytest.fixture(params=STORES)
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    if request.param == "postgres":
        yield request.getfixturevalue("postgres_database")
        return
    yield memory.build()


@pytest.fixture
def new() -> Failing:
    return Failing()


@pytest.fixture
def dg(database: Database, new: Failing, monkeypatch: pytest.MonkeyPatch) -> Docgraph:
    """A workspace of the old embedder, whose settings know the new one; batches are small."""
    monkeypatch.setattr(anew, "AT_ONCE", 12)
    monkeypatch.setattr(KnownEmbedders, "of", _by_info)
    made = Docgraph(adapters(database, new), "w", owns_database=False)
    made.ingest_records(library(), EDGES)
    return made


def _by_info(self: KnownEmbedders, workspace: str, info: EmbedderInfo, *, configured: EmbedderInfo) -> object:
    """Here a choice is named by a width, and several plug-ins have the same one."""
    found = [each for each in map(self.built, self.named) if each.info == info]
    if not found:
        raise EmbeddingMismatchError(f"{workspace}: {info.embedder_id} is not {configured.embedder_id}")
    return found[0]


def embed(dg: Docgraph, width: int = NEW, **options: object) -> EmbeddingReport:
    return dg.embedding.embed(str(width), **{"questions": 0, **options})  # type: ignore[arg-type]


def plans(dg: Docgraph) -> list[tuple[str, ...]]:
    return [dg.plan(query).document_ids for query in QUESTIONS]


def chunks(dg: Docgraph) -> list[tuple[str, float]]:
    """Chunks that the questions read, with their scores."""
    runs = [dg.run(query) for query in QUESTIONS]
    return [(chunk.chunk_id, chunk.score) for run in runs for _, chunk in run.context.ranked_chunks]


def fresh(database: Database, dg: Docgraph) -> Docgraph:
    """The same documents as they are now, imported by the new embedder."""
    made = Docgraph(adapters(database, embedder=Failing()), "fresh", owns_database=False)
    made.ingest_records(library(), EDGES)
    assert made.workspace.embedder == dg.workspace.embedder
    return made


def test_killed_at_every_batch_it_goes_on_and_ends_as_a_fresh_import_would(
    database: Database, dg: Docgraph, new: Failing
) -> None:
    """No batch is embedded twice but the one that was lost; until the switch the old vectors answer."""
    before, answers, n_kills = plans(dg), chunks(dg), 0
    while True:
        new.dies_at = len(new.asked) + 1  # each time it dies after one batch
        try:
            report = embed(dg)
            break
        except EmbedderError:
            n_kills += 1
            assert (plans(dg), chunks(dg)) == (before, answers)
    new.dies_at, texts = None, [text for batch in new.asked for text in batch]
    state = dg.embedding.state()
    assert state is not None
    assert n_kills > 5
    assert len(texts) == report.n_total == state.n_total
    assert (report.switched, report.after) == (True, new.info.embedder_id)
    expected = fresh(database, dg)
    assert (plans(dg), chunks(dg)) == (plans(expected), chunks(expected))
    mine, theirs = dg.workspace, expected.workspace
    assert (mine.revision, mine.content_revision) == (theirs.revision, theirs.content_revision)
    assert mine.made_with == "hashing:sha256:64"


@pytest.mark.parametrize("search", ["quantized", "hnsw"])
def test_it_is_searched_as_before(dg: Docgraph, search: VectorSearch) -> None:
    dg.documents.set_vector_search(search)
    choice = dg.workspace.search_choice
    embed(dg)
    assert (dg.workspace.vector_search, dg.workspace.search_choice) == (search, choice)
    assert plans(dg)


def test_stopped_it_says_how_far_it_is_and_goes_on(dg: Docgraph, new: Failing) -> None:
    stopped = embed(dg, progress=RecordingProgress(cancel_after=2))
    assert not stopped.switched
    assert 0 < stopped.n_embedded == stopped.n_done < stopped.n_total
    told = RecordingProgress()
    report = embed(dg, progress=told)
    assert report.switched
    assert stopped.n_embedded + report.n_embedded == report.n_total
    assert told.updates[0][0] == stopped.n_done
    assert [done for done, _, _ in told.updates] == sorted(done for done, _, _ in told.updates)
    assert told.updates[-1][:2] == (report.n_total, report.n_total)


def test_what_is_imported_meanwhile_is_embedded_too_and_never_by_an_old_text(
    database: Database, dg: Docgraph, new: Failing
) -> None:
    """While each of the batches is made, a document is changed, another comes, and one goes."""
    other = Docgraph(adapters(database, new), "w", owns_database=False)
    n = 0

    def meanwhile() -> None:
        nonlocal n
        n += 1
        if n < 8:
            changed = Document(document_id=f"d{n}", title=f"Changed {n}", text=text(n + 50, 9), summary="Changed.")
            came = Document(document_id=f"a{n}", title=f"Came {n}", text=text(n + 80, 3), summary="Came.")
            other.ingest_records([changed, came])
            other.documents.delete([f"d{n - 1}"])

    new.before_asked = meanwhile
    assert embed(dg).switched
    assert n > 8
    new.before_asked = lambda: None
    with dg.session.reading() as snapshot:
        stored = list(snapshot.documents())
        texts = {each.document_id: snapshot.chunks(each.document_id) for each in stored}
        for each in stored:
            for chunk in texts[each.document_id]:
                vector = new.embed([anew.embedded_text(each.title, chunk)])[0]
                hits = snapshot.nearest_chunks_of([each.document_id], vector, per_document=99)
                own = next(hit for hit in hits if hit.chunk.chunk_index == chunk.chunk_index)
                assert own.distance == pytest.approx(0, abs=1e-6)
    assert {"a1", "a7", "d7", "d8"} <= {each.document_id for each in stored}
    assert {"d0", "d6"}.isdisjoint(each.document_id for each in stored)


def test_an_import_that_is_at_work_when_it_is_switched_is_told_and_its_next_one_goes_on(
    database: Database, dg: Docgraph, new: Failing
) -> None:
    old_vectors = HashingEmbedder(OLD)
    importing = Docgraph(adapters(database, new, embedder=old_vectors), "w", owns_database=False)
    importing.session.store()
    late = [Document(document_id=f"z{i}", title=f"Late {i}", text=text(i, 4), summary="Late.") for i in range(500)]

    def stream() -> Iterator[Document]:
        for place, document in enumerate(late):
            if place == 450:
                embed(dg)
            yield document

    with pytest.raises(EmbedderChangedError, match="embedded anew meanwhile"):
        importing.ingest_records(stream())
    importing.session.forget()
    report = importing.ingest_records(late)
    assert report.n_rejected == 0
    assert report.n_stored + report.n_skipped == len(late)
    assert report.n_skipped >= 64
    assert dg.workspace.n_documents == len(late) + len(library())


def test_the_next_import_of_the_same_documents_embeds_nothing(dg: Docgraph, new: Failing) -> None:
    """They are known by the embedder that the workspace was made with."""
    embed(dg)
    n = len(new.asked)
    assert dg.ingest_records(library(), EDGES).n_skipped == len(library())
    said = [each.model_copy(update={"doc_type": "note"}) for each in library()]
    assert dg.ingest_records(said, EDGES).n_updated == len(library())
    assert len(new.asked) == n
    changed = library()[0].model_copy(update={"sections": (Section(text="Another text."),)})
    assert dg.ingest_records([changed]).n_stored == 1
    assert len(new.asked) > n
    assert dg.plan("another text").document_ids[0] == "d0"


def test_who_has_it_open_is_asked_by_the_new_vectors_from_then_on(
    database: Database, dg: Docgraph, new: Failing
) -> None:
    """Nothing fails: what was embedded by the old embedder is embedded again."""
    others = [Docgraph(adapters(database, new), "w", owns_database=False) for _ in range(8)]
    for each in others:
        each.plan(QUESTIONS[0])
    embed(dg)
    planning, running, comparing, packets, looking, importing, remembering, measuring = others
    assert planning.plan(QUESTIONS[0]).embedder_id == running.run(QUESTIONS[0]).plan.embedder_id == new.info.embedder_id
    assert comparing.compare(QUESTIONS[0]).b.run.plan.embedder_id == new.info.embedder_id
    assert packets.retrieve(QUESTIONS[0])
    assert (looking.workspace.embedder, looking.embedder) == (new.info, new.info)
    assert importing.ingest_records(library(2)).n_rejected == 0
    assert remembering.memory.remember("the tide is high").memories
    assert measuring.documents.measure_vector_search(n_questions=2).exact_ms is not None


def test_another_embedder_of_the_same_width_is_never_mistaken_for_the_old_one(database: Database) -> None:
    same = Failing(OLD)
    dg = Docgraph(adapters(database, same), "w", owns_database=False)
    dg.ingest_records(library(), EDGES)
    other = Docgraph(adapters(database), "w", owns_database=False)
    other.plan(QUESTIONS[0])
    dg.session.adapters.embedders.built(EmbedderChoice(str(OLD)))
    embed(dg, OLD)
    with pytest.raises(EmbeddingMismatchError):
        other.plan(QUESTIONS[0])


def test_what_people_said_stays_and_saved_runs_say_what_they_were_made_of(dg: Docgraph) -> None:
    run = dg.run(QUESTIONS[0])
    saved = dg.runs.save(run, name="kept", by="Ann")
    dg.judgments.judge(QUESTIONS[0], "d0", relevant=True, by="Ann")
    embed(dg)
    assert dg.runs.get(saved.run_id).run == run
    assert [each.document_id for each in dg.judgments.list()] == ["d0"]
    assert [edge.key for edge in dg.relationships.list()] == [EDGES[0].key]


def test_memories_are_embedded_anew(dg: Docgraph) -> None:
    dg.memory.remember(["the crane is broken", "the tide is high"])
    report = embed(dg)
    assert report.n_total == dg.workspace.n_chunks + 2 * dg.workspace.n_documents + 2
    assert dg.memory.recall("crane broken")[0].memory.text == "the crane is broken"


def test_the_gain_is_measured_on_own_questions_also_over_a_stop(dg: Docgraph, new: Failing) -> None:
    stopped = embed(dg, questions=5, progress=RecordingProgress(cancel_after=3))
    assert stopped.gain is None
    report = embed(dg, questions=5)
    assert report.gain is not None
    assert 0 < report.gain.n <= 5
    shares = (report.gain.documents, report.gain.passages)
    assert all(0 <= share.before <= 100 and 0 <= share.after <= 100 for share in shares)
    state = dg.embedding.state()
    assert state is not None
    assert (state.finished, state.gain, state.asked) == (True, report.gain, ())


def test_killed_after_the_switch_it_is_finished_by_the_same_call(dg: Docgraph, new: Failing) -> None:
    with dg.session.store().embedding_turn("Ann"):
        store = dg.session.store()
        store.begin_embedding(new.info, at="", by="Ann")
        assert anew.embed_lacking(store, new, goes_on=lambda *_: True)
        assert store.switch_vectors()
    n = len(new.asked)
    dg.session.forget()
    assert plans(dg)
    report = embed(dg)
    assert (report.switched, report.n_embedded) == (True, 0)
    assert len(new.asked) == n + len(QUESTIONS)
    with pytest.raises(ConflictError, match="holds vectors of other:sha256:48 already"):
        embed(dg)


def test_an_embedder_that_nobody_has_any_more_is_replaced(database: Database, dg: Docgraph, new: Failing) -> None:
    """Only texts are asked for; there is nothing to compare with, and the workspace can be asked again."""
    lost = Docgraph(adapters(database, embedder=new), "w", owns_database=False)
    with pytest.raises(EmbeddingMismatchError):
        lost.plan(QUESTIONS[0])
    report = lost.embedding.embed(questions=5)
    assert (report.switched, report.gain) == (True, None)
    assert lost.plan(QUESTIONS[0]).document_ids


def test_an_unfinished_one_is_given_up_or_finished_before_another_begins(database: Database, dg: Docgraph) -> None:
    other = Failing(20)
    both = Docgraph(replace(dg.session.adapters, embedder=other), "w", owns_database=False)
    before = plans(dg)
    embed(dg, progress=RecordingProgress(cancel_after=1))
    with pytest.raises(ConflictError, match="is being embedded anew with other:sha256:48"):
        both.embedding.embed(questions=0)
    assert dg.embedding.abandon()
    assert not dg.embedding.abandon()
    assert dg.embedding.state() is None
    assert plans(dg) == before
    assert both.embedding.embed(questions=0).switched


def test_two_at_once_are_told_of_one_another(database: Database, dg: Docgraph, new: Failing) -> None:
    second = Docgraph(adapters(database, new), "w", owns_database=False)
    problems = []

    def meanwhile() -> None:
        if not problems:
            with pytest.raises(ConflictError, match=r"is being embedded anew by process \d+ on ") as caught:
                embed(second)
            problems.append(caught.value)

    new.before_asked = meanwhile
    assert embed(dg).switched
    assert len(problems) == 1


@pytest.mark.parametrize("n", [-1, 100_000])
def test_impossible_numbers_of_questions_are_refused(dg: Docgraph, n: int) -> None:
    with pytest.raises(UserError, match="cannot be asked"):
        embed(dg, questions=n)


def test_an_empty_workspace_changes_hands(database: Database, new: Failing) -> None:
    dg = Docgraph(adapters(database, embedder=new), "empty", owns_database=False)
    Docgraph(adapters(database), "w", owns_database=False).create_workspace("empty")
    assert dg.embedding.embed().switched
    assert np.isclose(dg.workspace.n_documents, 0)
    dg.ingest_records(library(2))
    assert dg.plan(QUESTIONS[0]).document_ids
