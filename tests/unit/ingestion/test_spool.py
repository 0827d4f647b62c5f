"""An import that does not fit in memory is the same import: what lies in a file comes back as it was."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from docgraph.domain.graph import Document, Section
from docgraph.ingestion import spool
from docgraph.ingestion.spool import Spool
from tests.builders import RecordingProgress
from tests.unit.ingestion.importer import ingestion, new_store, state
from tests.unit.ingestion.profiling.folders import imported, looked, plans

ODD = {"n": 10**40, "f": 1.0, "e": 1e-7, "none": None, "list": [[], {}, "\u2028é\U0001f600"], "z": 1, "a": 2}


def test_a_document_that_lay_in_a_file_is_equal_and_its_fields_stand_in_their_order() -> None:
    document = Document(
        document_id="a", title="A", text="x" * 99, sections=(Section(heading_path=("h",), text="t"),), metadata=ODD
    )
    kept = Spool(10)
    kept["a"] = (document, "a.md")
    assert kept.spilled
    back, name = kept["a"]
    assert (back, name, list(back.metadata)) == (document, "a.md", list(ODD))
    assert type(back.metadata["f"]) is float


def test_the_first_documents_stay_in_memory_and_parts_are_all_of_them() -> None:
    kept = Spool(1_000)
    for n in range(200):
        kept[f"{n:03}"] = (Document(document_id=f"{n:03}", title="T", text="x" * 50), f"{n}.md")
    parts = list(kept.parts())
    assert [len(part) for part in parts] == [64, 64, 64, 8]
    assert [key for part in parts for key in part] == [f"{n:03}" for n in range(200)]
    kept.clear()
    assert (len(kept), kept.spilled) == (0, False)


def moved_and_gone(root: Path) -> list[object]:
    """What a store holds after a folder came in, some files moved, one changed and one went; and the two reports."""
    store = new_store()
    for n in range(90):
        (root / f"{n:02}.md").write_text(f"text {n} needs:{(n + 1) % 90:02} mentions:x", encoding="utf-8")
    first = ingestion(store).ingest_path(root, ingestion_id="x")
    for n in (3, 77):
        (root / f"{n:02}.md").rename(root / f"moved-{n:02}.md")
    (root / "50.md").write_text("another text", encoding="utf-8")
    (root / "60.md").unlink()
    second = ingestion(store).ingest_path(root, prune=True, ingestion_id="x")
    told = [each.model_dump(exclude={"seconds"}) for each in (first, second)]
    return [told, state(store), store.reading().__enter__().workspace.off_relation_types]


def test_an_import_through_a_file_leaves_what_one_in_memory_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    whole = moved_and_gone(tmp_path / "a")
    monkeypatch.setattr(spool, "MAX_IN_MEMORY", 0)
    monkeypatch.setattr(spool, "PART", 7)
    assert moved_and_gone(tmp_path / "b") == whole


def test_a_profile_reads_the_same_through_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = plans(tmp_path / "plans")
    profile = looked(folder).profile
    whole, edges = imported(folder, profile)
    monkeypatch.setattr(spool, "MAX_IN_MEMORY", 0)
    monkeypatch.setattr(spool, "PART", 5)
    parts, same = imported(folder, profile)
    assert same == edges
    assert parts.model_dump(exclude={"seconds"}) == whole.model_dump(exclude={"seconds"})


def archive(n_files: int, size: int) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_STORED) as packed:
        for n in range(n_files):
            packed.writestr(f"docs/{n:05}.md", f"note {n} " + f"{'x' * 999} " * (size // 1_000))
    return data.getvalue()


@pytest.mark.slow
def test_a_large_upload_adds_little_to_its_own_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "MAX_IN_MEMORY", 2_000_000)
    data = archive(3_000, 10_000)
    tracemalloc.start()
    report = ingestion().ingest_files([("up.zip", data)], dry_run=True)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (report.n_stored, len(data) > 30_000_000) == (3_000, True)
    assert most < 20_000_000


def test_an_upload_is_told_from_its_first_file_and_a_stop_keeps_what_is_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spool, "MAX_IN_MEMORY", 0)
    store, progress = new_store(), RecordingProgress()
    report = ingestion(store).ingest_files([("up.zip", archive(200, 100))], progress=progress)
    assert report.n_stored == 200
    assert progress.updates[0][:2] == (0, 200)
    assert "opening up.zip" in progress.updates[0][2]
    done = [each[0] for each in progress.updates if each[2].startswith("stored")]
    assert done == sorted(done)
    assert done[-1] == 200
    assert {each[1] for each in progress.updates if each[2].startswith("stored")} == {200}
