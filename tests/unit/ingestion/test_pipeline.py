"""Rules of an import: accounted for, idempotent, resumable, pruned with care, dry without a trace."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docgraph.domain.graph import Section
from docgraph.domain.workspace import EmbedderInfo
from docgraph.errors import EmbedderError, EmbeddingMismatchError, IngestionError, PluginError, StoreError
from docgraph.ingestion import importing
from docgraph.plugins.extractors import front_matter
from docgraph.plugins.loaders import markdown
from docgraph.plugins.stores import memory
from docgraph.testing.builders import HashingEmbedder
from tests.builders import RecordingProgress, document, relationship
from tests.unit.ingestion.importer import EMBEDDER, Words, adds_up, ingestion, new_store, reasons, state


def folder(path: Path, **files: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (path / f"{name}.md").write_text(text, encoding="utf-8")
    return path


def test_documents_are_stored_with_chunks_vectors_summary_and_relationships(tmp_path: Path) -> None:
    store = new_store()
    report = ingestion(store).ingest_path(folder(tmp_path / "notes", a="alpha needs:b mentions:gone", b="beta"))
    assert (report.n_in, report.n_stored, report.n_chunks, report.n_relationships) == (2, 2, 2, 2)
    assert (report.relationships, report.provenance) == ({"mentions": 1, "needs": 1}, {"links": 1, "talk": 1})
    assert report.n_dangling == 1
    with store.reading() as snapshot:
        stored = snapshot.documents_by_id(["a"])["a"]
        assert (stored.source, stored.ingestion_id, stored.summary) == ("a.md", "notes", "alpha needs:b mentions:gone")
        assert [chunk.chunk_id for chunk in snapshot.chunks("a")] == ["a#0"]
        assert report.revision == snapshot.workspace.revision


def test_the_second_import_skips_all_and_embeds_nothing(tmp_path: Path) -> None:
    store, embedder = new_store(), HashingEmbedder(dimension=16)
    root = folder(tmp_path / "notes", a="alpha needs:b", b="beta")
    ingestion(store, embedder=embedder).ingest_path(root)
    before, n_texts = state(store), embedder.n_texts
    report = ingestion(store, embedder=embedder).ingest_path(root)
    assert (report.n_skipped, report.n_stored, embedder.n_texts) == (2, 0, n_texts)
    assert state(store) == before


def test_a_changed_document_is_replaced_whole_and_the_others_are_left_alone(tmp_path: Path) -> None:
    store = new_store()
    root = folder(tmp_path / "notes", a="alpha needs:b", b="beta")
    ingestion(store).ingest_path(root)
    folder(root, a="alpha again")
    report = ingestion(store).ingest_path(root)
    assert [(o.document_id, o.change) for o in report.outcomes if o.outcome == "stored"] == [("a", "replaced")]
    with store.reading() as snapshot:
        assert list(snapshot.relationships()) == []


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a.md", "b.md", "c/a.md", "x.png", "../e.md", "/abs.md", "r.jsonl", "z.zip", "n\x00.md"]),
            st.one_of(st.binary(max_size=30), st.sampled_from([b"", b"alpha", b"a|T|text\nbad\nb|T|x", b"PK\x03\x04"])),
        ),
        min_size=1,
        max_size=8,
    )
)
def test_every_report_adds_up_whatever_comes_in(files: list[tuple[str, bytes]]) -> None:
    store = new_store()
    report = ingestion(store).ingest_files(files)
    assert adds_up(report)
    with store.reading() as snapshot:
        assert {d.document_id for d in snapshot.documents()} == {
            o.document_id for o in report.outcomes if o.outcome == "stored"
        }
    again = ingestion(store).ingest_files(files)
    assert (again.n_stored, again.n_skipped, again.n_rejected) == (0, report.n_stored, report.n_rejected)


def test_each_record_of_a_record_file_is_accounted_for() -> None:
    report = ingestion().ingest_files([("r.jsonl", b"a|A|text\nnot a record\nb|B|text\na|A|twice")])
    assert (report.n_in, report.n_stored, report.n_rejected) == (4, 2, 2)
    assert reasons(report) == {
        "r.jsonl, line 2": "line 2: no record",
        "r.jsonl, record 4": "the document id 'a' was already used by r.jsonl, record 1",
    }


def test_two_documents_with_one_id_keep_the_first_and_name_it() -> None:
    report = ingestion().ingest_records([document("a", source="one.md"), document("a", source="two.md")])
    assert reasons(report) == {"two.md": "the document id 'a' was already used by one.md"}


class BreaksAfter:
    """A store whose connection is lost after some writes."""

    def __init__(self, store: Any, n_writes: int) -> None:
        self._store, self._left = store, n_writes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def write(self, batch: Any, **options: Any) -> Any:
        if self._left == 0:
            raise StoreError("connection lost")
        self._left -= 1
        return self._store.write(batch, **options)


def test_a_broken_import_keeps_its_batches_and_the_next_one_ends_as_if_nothing_had_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 2)
    texts = {f"d{i}": f"text {i} needs:d{(i + 1) % 7} mentions:d0" for i in range(7)}
    root = folder(tmp_path / "notes", **texts)
    whole, broken = new_store(), new_store()
    ingestion(whole).ingest_path(root)
    with pytest.raises(StoreError):
        ingestion(BreaksAfter(broken, 2)).ingest_path(root)
    assert len(broken.content_hashes()) == 4
    report = ingestion(broken).ingest_path(root)
    assert (report.n_skipped, report.n_stored) == (4, 3)
    assert state(broken) == state(whole)
    with broken.reading() as snapshot:
        assert snapshot.workspace.off_relation_types == ("mentions",)


def test_cancelling_keeps_what_is_finished_and_prunes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was being written beside the first batch is finished and told; the third is not begun."""
    monkeypatch.setattr(importing, "BATCH_DOCUMENTS", 1)
    store = new_store()
    root = folder(tmp_path / "notes", a="alpha", b="beta", c="gamma")
    ingestion(store).ingest_path(root)
    (root / "a.md").unlink()
    folder(root, b="beta 2", c="gamma 2", d="delta")
    progress = RecordingProgress(cancel_after=3)
    report = ingestion(store).ingest_path(root, prune=True, progress=progress)
    assert report.stopped
    assert (report.n_stored, report.pruned) == (2, ())
    assert adds_up(report)
    assert "a" in store.content_hashes()
    assert "d" not in store.content_hashes()


def test_cancelling_while_reading_stores_nothing(tmp_path: Path) -> None:
    store = new_store()
    progress = RecordingProgress(cancel_after=1)
    report = ingestion(store).ingest_path(folder(tmp_path / "n", a="alpha"), progress=progress)
    assert (report.stopped, report.n_in, store.content_hashes()) == (True, 0, {})


def test_progress_ends_with_everything_accounted_for(tmp_path: Path) -> None:
    progress = RecordingProgress()
    root = folder(tmp_path / "n", a="alpha", b="beta")
    (root / "x.png").write_bytes(b"png")
    ingestion().ingest_path(root, progress=progress)
    assert progress.updates[-1] == (3, 3, "done")
    assert all(done <= total for done, total, _ in progress.updates)


def test_prune_removes_what_is_gone_and_nothing_of_another_import(tmp_path: Path) -> None:
    store = new_store()
    root = folder(tmp_path / "notes", a="alpha", b="beta needs:a")
    ingestion(store).ingest_path(root)
    ingestion(store).ingest_records([document("other")])
    (root / "a.md").unlink()
    dry = ingestion(store).ingest_path(root, prune=True, dry_run=True)
    assert (dry.pruned, sorted(store.content_hashes())) == (("a",), ["a", "b", "other"])
    assert ingestion(store).ingest_path(root, prune=True).pruned == ("a",)
    assert sorted(store.content_hashes()) == ["b", "other"]


def test_a_name_means_nothing_that_is_pruned(tmp_path: Path) -> None:
    """As an import of the folder into an empty store has it: not only the import after that."""
    root = tmp_path / "notes"
    (root / "sub").mkdir(parents=True)
    for name in ("a", "sub/a", "sub/b"):
        (root / f"{name}.md").write_text(f"---\nrelated: [a]\n---\n# {name}\n\nText.\n")
    ways: dict[str, Any] = {"loaders": [markdown.build()], "extractors": [front_matter.build()]}
    store, other = new_store(), new_store()
    ingestion(store, **ways).ingest_path(root)
    (root / "a.md").unlink()
    (root / "sub/b.md").write_text("---\nrelated: [a]\n---\n# b\n\nAnother text.\n")
    ingestion(store, **ways).ingest_path(root, prune=True)
    ingestion(other, **ways).ingest_path(root)
    assert state(store) == state(other)


def test_prune_keeps_a_document_whose_file_cannot_be_read_now(tmp_path: Path) -> None:
    store = new_store()
    root = folder(tmp_path / "notes", a="alpha", b="beta")
    ingestion(store).ingest_path(root)
    (root / "a.md").write_bytes(b"\xff\xfe\x00")
    report = ingestion(store).ingest_path(root, prune=True)
    assert (report.n_rejected, report.pruned) == (1, ())
    assert "a" in store.content_hashes()


def test_prune_is_refused_when_it_would_remove_everything(tmp_path: Path) -> None:
    store = new_store()
    ingestion(store).ingest_path(folder(tmp_path / "one" / "notes", a="alpha"))
    with pytest.raises(IngestionError, match="would remove all 1 documents of import 'notes'"):
        ingestion(store).ingest_path(folder(tmp_path / "two" / "notes", b="beta"), prune=True)
    assert list(store.content_hashes()) == ["a"]


def test_a_dry_run_reports_everything_and_leaves_no_trace(tmp_path: Path) -> None:
    store, embedder = new_store(), HashingEmbedder(dimension=16)
    root = folder(tmp_path / "notes", a="alpha needs:b mentions:gone", b="beta")
    before = state(store)
    dry = ingestion(store, embedder=embedder).ingest_path(root, dry_run=True)
    assert (state(store), embedder.n_texts) == (before, 0)
    wet = ingestion(store, embedder=embedder).ingest_path(root)
    differing = {"dry_run", "revision", "seconds", "decided"}
    assert dry.model_dump(exclude=differing) == wet.model_dump(exclude=differing)


def test_types_that_are_only_mentioned_are_switched_off_once_and_stay_as_a_person_set_them(tmp_path: Path) -> None:
    store = new_store()
    root = folder(tmp_path / "notes", a="alpha needs:b mentions:b", b="beta")
    ingestion(store).ingest_path(root)
    with store.reading() as snapshot:
        assert snapshot.workspace.off_relation_types == ("mentions",)
    store.set_off_relation_types([])
    folder(root, c="gamma mentions:a")
    ingestion(store).ingest_path(root)
    with store.reading() as snapshot:
        assert snapshot.workspace.off_relation_types == ()


def test_an_edge_found_twice_keeps_the_stronger_provenance() -> None:
    weak, strong = Words("aaa", "needs", default_on=False), Words("zzz", "needs", default_on=True)
    report = ingestion(extractors=[weak, strong]).ingest_files([("a.md", b"x needs:b")])
    assert report.provenance == {"zzz": 1}


def test_an_extractor_that_gives_edges_of_other_documents_is_a_plugin_error() -> None:
    class Astray(Words):
        def extract(self, document: Any, titles: Any) -> Any:
            yield relationship("other", "needs", "b")

    with pytest.raises(PluginError, match="gave 'a' an edge of 'other'"):
        ingestion(extractors=[Astray("astray", "x", default_on=True)]).ingest_files([("a.md", b"x")])


def test_a_workspace_of_another_embedder_is_refused_before_anything_is_written() -> None:
    other = memory.build().create_workspace("default", EmbedderInfo(name="hashing", model="sha256", dimension=8))
    with pytest.raises(EmbeddingMismatchError, match="hashing:sha256:8"):
        ingestion(other).ingest_records([document("a")])
    assert other.content_hashes() == {}


@pytest.mark.parametrize("rows", [np.zeros((1, 16)), np.full((3, 16), np.nan), np.zeros((3, 8))])
def test_an_embedder_that_breaks_its_promise_is_named(rows: Any) -> None:
    class Broken(HashingEmbedder):
        def embed(self, texts: Any) -> Any:
            return rows

    store = new_store()
    with pytest.raises(EmbedderError, match="hashing:sha256:16"):
        ingestion(store, embedder=Broken(dimension=16)).ingest_records([document("a")])
    assert store.content_hashes() == {}


def test_the_order_of_the_documents_changes_nothing() -> None:
    documents = [document("a", "alpha"), document("b", "beta"), document("c", "gamma")]
    edges = [relationship("a", "needs", "b"), relationship("b", "needs", "c")]
    states = []
    for order in itertools.permutations(documents):
        store = new_store()
        ingestion(store).ingest_records(order, edges[:: 1 if order[0].document_id == "a" else -1])
        states.append(state(store))
    assert all(found == states[0] for found in states)


def test_the_embedded_text_names_title_and_headings() -> None:
    seen: list[str] = []

    class Listening(HashingEmbedder):
        def embed(self, texts: Any) -> Any:
            seen.extend(texts)
            return super().embed(texts)

    sections = (Section(heading_path=("Setup", "Keys"), text="Put the key there."),)
    record = document("a", title="Guide", sections=sections, summary="How to set up.")
    ingestion(embedder=Listening(dimension=16)).ingest_records([record])
    assert seen == ["Guide", "Guide. How to set up.", "Guide\nSetup > Keys\nPut the key there."]


def test_the_summary_vector_is_the_direction_of_title_plus_title_and_summary() -> None:
    store = new_store()
    ingestion(store).ingest_records([document("a", title="Guide", summary="How to set up.")])
    one, two = EMBEDDER.embed(["Guide", "Guide. How to set up."])
    expected = (one + two) / np.linalg.norm(one + two)
    assert np.allclose(store.content.documents["a"].vector, expected, atol=1e-6)  # type: ignore[attr-defined]
