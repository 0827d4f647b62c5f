"""A folder whose parts are links out of it every other moment, and the ways by which its files are read meanwhile."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from docgraph.cli.query_files import query_set_of
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Adjusted, Rejected
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.extractors import front_matter, markdown_links
from docgraph.plugins.loaders import markdown
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

FOREIGN = "the-text-of-a-file-outside"
FOLDERS, FILES = ("first", "middle/of/three", "a_third"), 4
_HEAD = "---\ntitle: {name}\n{field}: words\nrelated: [first/n0]\n---\n\n"
_NOTE = _HEAD + "# {name}\n\nOf {field} see [one](../first/n1.md).\n"
_SWAPPING = """
import os, sys
root, outside = sys.argv[1:]
folders = [("first", "first"), ("middle", "middle"), ("middle/of", "middle/of"), ("a_third", "a_third")]
files = ["top.md", "first/n0.md", "a_third/n1.md", "queries.jsonl", ".gitignore"]
for each in files:
    os.link(f"{root}/{each}", f"{root}/{each}.kept")
    os.rename(f"{root}/{each}.kept", f"{os.path.dirname(root)}/kept-{each.replace('/', '-')}")
print("ready", flush=True)
while os.getppid() == int(os.environ["SWAPPED_FOR"]):
    for here, there in folders:
        away = f"{os.path.dirname(root)}/away"
        os.rename(f"{root}/{here}", away)
        os.symlink(f"{outside}/{there}", f"{root}/{here}")
        os.unlink(f"{root}/{here}")
        os.rename(away, f"{root}/{here}")
    for each in files:
        spare = f"{os.path.dirname(root)}/spare"
        os.symlink(f"{outside}/{each}", spare)
        os.rename(spare, f"{root}/{each}")
        os.link(f"{os.path.dirname(root)}/kept-{each.replace('/', '-')}", spare)
        os.rename(spare, f"{root}/{each}")
"""
"""Runs in a process of its own, as fast as it can, until it is ended or left alone."""


class Reading:
    """A loader of Markdown that counts the texts from outside that are handed to it."""

    name = "reading"
    suffixes: tuple[str, ...] = (".md",)

    def __init__(self) -> None:
        self.n_foreign = 0
        self._loader = markdown.build()

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected | Adjusted]:
        """What the loader of Markdown makes of it."""
        self.n_foreign += FOREIGN.encode() in data
        yield from self._loader.load(data, source=source)


def planted(place: Path) -> tuple[Path, Path]:
    """(a folder of documents, one of the same names outside of it), both made in ``place``."""
    root, outside = place / "root", place / "outside"
    for at, field in ((root, "status"), (outside, FOREIGN)):
        names = ["top", *(f"{folder}/n{n}" for folder in FOLDERS for n in range(FILES))]
        for name in names:
            (at / name).parent.mkdir(parents=True, exist_ok=True)
            text = _NOTE.format(name=name, field=field)
            (at / f"{name}.md").write_text(text + (FOREIGN if at is outside else ""), encoding="utf-8")
        (at / ".gitignore").write_text(f"{field}\n" * 3, encoding="utf-8")
        (at / "queries.jsonl").write_text(f'{{"_id": "{field}", "text": "{field}"}}\n', encoding="utf-8")
    return root, outside


@contextmanager
def swapping(root: Path, outside: Path) -> Iterator[None]:
    """Folders and files of ``root`` are turned into links to those of ``outside`` and back, again and again."""
    environment = {**os.environ, "SWAPPED_FOR": str(os.getpid())}
    command = [sys.executable, "-c", _SWAPPING, str(root), str(outside)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield
            assert process.poll() is None, "the swapping ended before its time"
        finally:
            process.kill()


class Swapped:
    """A folder that is swapped for links to one outside right before its n-th opening or listing, and not later.

    It stays so until the end (``swap_back``), or just for that one call where it is ``brief``. ``n_calls`` counts them.
    """

    def __init__(self, root: Path, outside: Path) -> None:
        self._root, self._outside, self._away = root, outside, root.parent / "aside"
        self.n_calls = 0
        self._at = -1
        self._brief = self._is_swapped = False

    def arm(self, at: int, *, brief: bool) -> None:
        """Swap right before the call number ``at``; -1 = never."""
        self.n_calls, self._at, self._brief = 0, at, brief

    def before_a_call(self) -> None:
        """Told before every opening and listing."""
        if self._is_swapped and self._brief:
            self.swap_back()
        if self.n_calls == self._at:
            self._swap()
        self.n_calls += 1

    def _swap(self) -> None:
        self._away.mkdir()
        for each in sorted(self._root.iterdir()):
            each.rename(self._away / each.name)
            each.symlink_to(self._outside / each.name)
        self._is_swapped = True

    def swap_back(self) -> None:
        """Everything is as it was."""
        if self._is_swapped:
            for each in sorted(self._away.iterdir()):
                each.replace(self._root / each.name) if each.is_file() else self._put_back(each)
            self._away.rmdir()
        self._is_swapped = False

    def _put_back(self, folder: Path) -> None:
        (self._root / folder.name).unlink()
        folder.rename(self._root / folder.name)

    @contextmanager
    def watching(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """Every call that opens or lists anything by its path or from an open folder goes by here first."""
        with monkeypatch.context() as patched:
            for module, name in ((os, "open"), (os, "scandir"), (io, "open")):
                patched.setattr(module, name, self._announced(getattr(module, name)))
            yield
        self.swap_back()

    def _announced(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def announced(*given: Any, **named: Any) -> Any:
            if not self._is_within:
                self._is_within = True
                try:
                    self.before_a_call()
                finally:
                    self._is_within = False
            return call(*given, **named)

        return announced

    _is_within = False


def opened(reading: Reading) -> Docgraph:
    """An empty workspace in memory whose texts come by ``reading``."""
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(reading,),
        extractors=(front_matter.build(), markdown_links.build()),
        clock=lambda: 0.0,
    )
    return Docgraph(adapters, "swapped")


def _imported(dg: Docgraph, root: Path) -> str:
    report = dg.ingest(root, profile="auto")
    return report.model_dump_json() + "".join(
        chunk.text for each in dg.documents.list() for chunk in dg.documents.chunks(each.document_id)
    )


def _watched(dg: Docgraph, root: Path) -> str:
    return _imported(dg, root) + dg.ingest(root, prune=True).model_dump_json()


def _looked_at(dg: Docgraph, root: Path) -> str:
    return dg.documents.look(root).model_dump_json()


def _patched(dg: Docgraph, root: Path) -> str:
    dg.ingest_records([Document(document_id="a", title="a", text="b")])
    return dg.relationships.patch(root).model_dump_json()


def _asked(dg: Docgraph, root: Path) -> str:
    return query_set_of(str(root), None).model_dump_json()


WAYS: dict[str, Callable[[Docgraph, Path], str]] = {
    "import": _imported,
    "watch": _watched,
    "look": _looked_at,
    "patch": _patched,
    "questions": _asked,
}


def foreign_texts(way: str, root: Path) -> int:
    """How much of what lies outside of ``root`` was read on this way, once; 0 also where the way ended in words."""
    reading = Reading()
    try:
        said = WAYS[way](opened(reading), root)
    except DocgraphError as problem:
        said = str(problem)
    return reading.n_foreign + (FOREIGN in said)
