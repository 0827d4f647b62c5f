"""A patch in words, and its parts by owner as one archive that is the same for equal patches."""

from __future__ import annotations

import io
import zipfile

import pytest

from docgraph.domain.imports.patch import LeftEdit, PatchedFile, SourcePatch
from docgraph.views.relationships.patch import owners_archive, patch_name, patch_sentence

FILES = (
    PatchedFile(path="a.md", owner="../Ann <b>", diff="--- a/a.md\n", entries=(1,)),
    PatchedFile(path="b.md", owner="", diff="--- a/b.md\n", entries=(2,)),
    PatchedFile(path="c.md", owner="../Ann <b>", encoding="latin-1", diff="--- a/c.md é\n", entries=(3,)),
)
LEFT = tuple(
    LeftEdit(entry_id=n, gone=("a", "x", "b"), cause="mention", reason="it stands in a sentence") for n in (4, 5)
)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({}, "No reviewed changes are missing from the files"),
        ({"n_edits": 1, "n_patched": 1, "files": FILES[:1]}, "1 of 1 decision is in the patch of 1 file"),
        (
            {"n_edits": 7, "n_patched": 3, "n_agreed": 2, "files": FILES, "left": LEFT},
            "3 of 7 decisions are in the patch of 3 files; 2 are already in the files, "
            "2 have no matching place in them",
        ),
        ({"n_edits": 1, "n_agreed": 1}, "0 of 1 decision is in a patch; 1 is already in the files"),
    ],
)
def test_every_decision_is_counted_once(counts: dict[str, object], said: str) -> None:
    assert patch_sentence(SourcePatch.model_validate({"workspace": "w", "folder": "plans", **counts})) == said


def test_the_archive_has_a_patch_an_owner_under_a_plain_name_and_all_bytes_of_the_whole() -> None:
    made = SourcePatch(workspace="w", folder="../Plans <b>", files=FILES)
    data = owners_archive(made)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["01-nobody.patch", "02-ann-b.patch"]
        parts = [archive.read(name) for name in archive.namelist()]
    assert sorted(b"".join(parts).splitlines()) == sorted(made.data.splitlines())
    assert "é".encode("latin-1") in parts[1]
    assert owners_archive(made.model_copy()) == data
    assert patch_name(made) == "plans-b-corrections.patch"
