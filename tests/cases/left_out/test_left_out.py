"""What Git ignores and what --exclude names is no document, and the report counts it by pattern."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import docgraph as package
from docgraph.boundary.imports.excluding import excluded_by, given_rules, rules_of
from docgraph.boundary.imports.profile_toml import read_profile, write_profile
from docgraph.domain.graph import Document
from docgraph.domain.imports.profile import ImportProfile
from docgraph.errors import IngestionError, RequestError
from docgraph.orchestration.docgraph import Docgraph
from tests.command_line import Command, filled_workspace, running

FILES = {
    ".gitignore": "# built\nbuild/\n*.tmp.md\n!keep.tmp.md\n/only-top.md\ndocs/**/old-*.md\n",
    "a.md": "# A\n[b](docs/b.md)",
    "x.tmp.md": "# X\n",
    "keep.tmp.md": "# Keep\n",
    "only-top.md": "# Top\n",
    "docs/only-top.md": "# Lower\n",
    "docs/b.md": "# B\n",
    "docs/deep/er/old-c.md": "# C\n",
    "docs/drafts/.gitignore": "*\n!d.md\n",
    "docs/drafts/d.md": "# D\n",
    "docs/drafts/e.md": "# E\n",
    "build/f.md": "# F\n",
    "build/.gitignore": "!f.md\n",
    "docs/build/g.md": "# G\n",
}
KEPT = {"a", "keep.tmp", "docs/only-top", "docs/b", "docs/drafts/d"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "corpus", FILES)


@pytest.fixture
def dg() -> Iterator[Docgraph]:
    with package.connect(store="memory", workspace="case") as opened:
        yield opened


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def ids(dg: Docgraph) -> set[str]:
    return {each.document_id for each in dg.documents.list()}


@pytest.mark.parametrize("profile", [None, "auto"])
def test_what_git_ignores_is_left_out_and_counted_by_pattern(dg: Docgraph, folder: Path, profile: Any) -> None:
    report = dg.ingest(folder, profile=profile)
    assert ids(dg) == KEPT
    assert {each.cause: (each.n, each.places) for each in report.excluded} == {
        ".gitignore: build/": (2, ("build/", "docs/build/")),
        ".gitignore: *.tmp.md": (1, ("x.tmp.md",)),
        ".gitignore: /only-top.md": (1, ("only-top.md",)),
        ".gitignore: docs/**/old-*.md": (1, ("docs/deep/er/old-c.md",)),
        "docs/drafts/.gitignore: *": (1, ("docs/drafts/e.md",)),
    }
    assert (report.n_excluded, report.n_rejected, report.n_in) == (6, 0, 5)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.parametrize(
    "lines",
    [
        "*.md\n!docs/\n",
        "docs/*\n!docs/b.md\n",
        "/docs\n!docs/b.md\n",
        "**/drafts\n",
        "docs/**\n!docs/b.md\n",
        "*\n!*/\n!b.md\n",
        "[a-c].md\n\\!x.md\n",
        "dr?fts/\n# c\n\n  \n",
        "deep/er\n",
        "b.md/\n",
        "old-*\n!old-c.md\n",
        "docs/deep/\n!docs/deep/er/old-c.md\n",
    ],
)
def test_the_same_files_are_left_out_as_by_git(dg: Docgraph, tmp_path: Path, lines: str) -> None:
    root = written(tmp_path / "corpus", {n: t for n, t in FILES.items() if not n.endswith(".gitignore")})
    (root / ".gitignore").write_text(lines)
    subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
    told = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], cwd=root, check=True, capture_output=True, text=True
    )
    expected = {name.removesuffix(".md") for name in told.stdout.split() if name.endswith(".md")}
    if expected:
        dg.ingest(root)
    else:
        with pytest.raises(IngestionError, match="left out"):
            dg.ingest(root)
    assert (ids(dg) if expected else set()) == expected


def test_given_patterns_count_beside_gitignore_and_before_it(dg: Docgraph, folder: Path) -> None:
    report = dg.ingest(folder, exclude=["docs/drafts/", "!x.tmp.md"])
    assert ids(dg) == (KEPT - {"docs/drafts/d"}) | {"x.tmp"}
    assert ("exclude: docs/drafts/", 1) in {(each.cause, each.n) for each in report.excluded}
    everything = dg.ingest(folder, gitignore=False)
    assert len(ids(dg)) == 11
    assert everything.n_excluded == 0
    dg.ingest(folder, exclude="docs/", prune=True)
    assert ids(dg) == {"a", "keep.tmp"}


def test_patterns_leave_out_of_uploads_and_archives_too(dg: Docgraph, folder: Path, tmp_path: Path) -> None:
    report = dg.ingest_files(
        [("a.md", b"# A"), ("old/b.md", b"# B"), ("c.tmp.md", b"# C")], exclude=["old/", "*.tmp.md"]
    )
    assert ids(dg) == {"a"}
    assert report.n_excluded == 2
    archive = shutil.make_archive(str(tmp_path / "corpus"), "zip", folder)
    dg.ingest(archive, exclude=["docs", "build", "*.tmp.md"])
    assert ids(dg) == {"a", "only-top"}


def test_a_profile_holds_patterns_and_the_look_passes_over_what_they_name(dg: Docgraph, folder: Path) -> None:
    profile = ImportProfile(exclude=("docs/", "*.tmp.md"))
    assert read_profile(write_profile(profile).encode(), name="p.toml") == profile
    dg.ingest(folder, profile=profile)
    assert ids(dg) == {"a"}
    assert "exclude" not in ImportProfile().model_dump(), "profiles that are kept stay as they are"
    assert dg.documents.look(folder, exclude=["docs/"]).n_documents < dg.documents.look(folder).n_documents


@pytest.mark.parametrize("pattern", ["", "  ", "#", "!", "x" * 501, "[z-a]x\\"])
def test_what_is_no_pattern_is_an_error_that_says_what_to_write(dg: Docgraph, folder: Path, pattern: str) -> None:
    with pytest.raises(RequestError) as error:
        dg.ingest(folder, exclude=[pattern])
    assert ".gitignore" in error.value.hint


def test_a_hostile_gitignore_costs_little_and_is_told(dg: Docgraph, tmp_path: Path) -> None:
    name = f"{'a' * 200}.md"
    stars = "".join(f"{'*a' * n}b\n" for n in range(5, 70))
    written(tmp_path / "one", {".gitignore": stars + "x" * 600 + "\n", name: "# A\n"})
    written(tmp_path / "two", {".gitignore": "# " + "x" * 300_000, "b.md": "# B\n"})
    (tmp_path / "three").mkdir()
    (tmp_path / "three/.gitignore").symlink_to(tmp_path / "one/.gitignore")
    began = time.monotonic()
    report = dg.ingest(tmp_path)
    assert time.monotonic() - began < 20
    assert report.n_stored == 2
    told = {each.source: each.reason for each in report.outcomes if each.outcome == "rejected"}
    assert set(told) == {"one/.gitignore", "two/.gitignore", "three/.gitignore"}


def test_a_pattern_is_seen_from_its_own_folder() -> None:
    rules, _ = rules_of(b"/b.md\nc/\n", folder="docs/")
    assert excluded_by("docs/b.md", [rules])
    assert not excluded_by("b.md", [rules])
    assert not excluded_by("docs/x/b.md", [rules])
    assert excluded_by("docs/x/c", [rules], is_folder=True)
    assert not excluded_by("docs/x/c", [rules])
    assert given_rules([]) == ()


@pytest.fixture
def ingest(embedded_database_url: str, capsys: pytest.CaptureFixture[str]) -> Iterator[Command]:
    """Runs ``docgraph ingest …``."""
    with filled_workspace(
        embedded_database_url, "case-left-out", (Document(document_id="z", title="Z", text="z"),), ()
    ):
        yield running("ingest", capsys)


@pytest.mark.integration
def test_the_command_line_takes_patterns_and_says_what_is_left_out(ingest: Command, folder: Path) -> None:
    code, out, err = ingest(str(folder), "--exclude", "docs/", "--exclude", "a.md", "--dry-run")
    assert code == 0, err
    assert "Left out" in out
    assert "exclude: docs/" in out
    code, out, _ = ingest(str(folder), "--dry-run", "--json")
    assert json.loads(out)["n_excluded"] == 6
    code, out, _ = ingest(str(folder), "--no-gitignore", "--dry-run", "--json")
    assert (json.loads(out)["n_excluded"], json.loads(out)["n_stored"]) == (0, 11)
