"""A folder that is watched while it is changed in every way, round after round, and what an import of it anew gives."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from watchdog.observers import Observer

from docgraph.cli import watching
from docgraph.cli.commands.ingest import Again
from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Adjusted, Rejected
from docgraph.errors import DocgraphError
from docgraph.orchestration.docgraph import Docgraph
from docgraph.orchestration.session import Adapters
from docgraph.plugins.extractors import front_matter, markdown_links
from docgraph.plugins.loaders import markdown
from docgraph.plugins.stores import memory
from docgraph.testing.builders import FirstWords, HashingEmbedder, WordTokenizer

PATIENCE = 30.0
"""Seconds after which a change that was not imported counts as lost."""
FOLDERS = ("", "first/", "second/", "third/of/")
NAMES = tuple("abcdef")
BY_NAME = "related_to"


class Ended(BaseException):
    """The last round is over: the watch ends as by Ctrl+C."""


class Meanwhile:
    """A loader of Markdown that has something done right before it reads a file, once."""

    name = "meanwhile"
    suffixes: tuple[str, ...] = (".md",)

    def __init__(self) -> None:
        self.act: Callable[[], object] | None = None
        self._loader = markdown.build()

    def load(self, data: bytes, *, source: str) -> Iterator[Document | Relationship | Rejected | Adjusted]:
        """What the loader of Markdown makes of it."""
        act, self.act = self.act, None
        if act is not None:
            act()
        yield from self._loader.load(data, source=source)


def opened(loader: Meanwhile) -> Docgraph:
    """An empty workspace in memory."""
    adapters = Adapters(
        database=memory.build(),
        embedder=HashingEmbedder(16),
        tokenizer=WordTokenizer(),
        summarizer=FirstWords(),
        loaders=(loader,),
        extractors=(front_matter.build(), markdown_links.build()),
        clock=lambda: 0.0,
    )
    return Docgraph(adapters, "watched")


def contents(dg: Docgraph) -> dict[str, Any]:
    """Documents, their passages and the relationships of a workspace."""
    try:
        there = dg.documents.list()
    except DocgraphError:  # nothing was imported yet
        return {"documents": {}, "edges": []}
    return {
        "documents": {
            each.document_id: (
                each.model_dump(exclude={"created_at", "updated_at"}),
                [chunk.text for chunk in dg.documents.chunks(each.document_id)],
            )
            for each in there
        },
        "edges": sorted(tuple(each.key) for each in dg.relationships.list()),
    }


def anew(root: Path, there: dict[str, Any]) -> dict[str, Any] | None:
    """What an import of the folder into an empty workspace gives; None where it cannot be imported.

    Of a file that it cannot read, the documents that are ``there`` stay; what is said by a bare name may then mean one
    of them, and is not compared.
    """
    with opened(Meanwhile()) as dg:
        try:
            report = dg.ingest(root)
        except DocgraphError:
            return None
        due = contents(dg)
    unread = {each.source.split(".md")[0] for each in report.outcomes if each.outcome == "rejected"}
    kept = {name: each for name, each in there["documents"].items() if name in unread - set(due["documents"])}
    due["documents"] |= kept
    if kept:
        stay = {each for each in there["edges"] if kept.keys() & {each[0], each[2]} or each[1] == BY_NAME}
        due["edges"] = sorted({*(each for each in due["edges"] if each[1] != BY_NAME), *stay})
    return due


def apart(there: dict[str, Any], due: dict[str, Any] | None) -> str:
    """What of two contents is different, in words."""
    if due is None or there == due:
        return "what is there is as it is due"
    mine, its = there["documents"], due["documents"]
    others = [(mine[name], its[name]) for name in mine if mine[name] != its.get(name, mine[name])]
    more, less = set(there["edges"]) - set(due["edges"]), set(due["edges"]) - set(there["edges"])
    return (
        f"documents too many {sorted(mine.keys() - its)}, missing {sorted(its.keys() - mine)}, others {others[:1]}, "
        f"edges too many {sorted(more)[:3]}, missing {sorted(less)[:3]}"
    )


class Changed:
    """A folder of documents that lead to each other, changed by chance."""

    def __init__(self, place: Path, rng: random.Random) -> None:
        self.root, self._aside, self._rng, self._n = place / "root", place / "aside", rng, 0
        self._left_alone: set[str] = set()
        self._aside.mkdir(parents=True)
        for folder in FOLDERS:
            (self.root / folder).mkdir(parents=True, exist_ok=True)
            for name in NAMES[:3]:
                (self.root / folder / f"{name}.md").write_text(self._text(name))

    def _text(self, name: str) -> str:
        """Never the same twice, and never as long."""
        self._n += 1
        to, lead = self._rng.choice(FOLDERS), self._rng.choice(NAMES)
        return (
            f"---\ntitle: Plan {name} {self._n}\nrelated: [{to}{lead}]\n---\n# {name}\n\n"
            f"See [it](/{to}{lead}.md).\n{'x' * self._n}\n"
        )

    def _folders(self) -> list[str]:
        """Those that are watched since the beginning: of one made meanwhile the system may tell late."""
        return [folder for folder in FOLDERS if folder not in self._left_alone]

    def _files(self) -> list[Path]:
        there = [file for folder in self._folders() for file in sorted((self.root / folder).glob("*.md"))]
        return [file for file in there if file.is_file() and not file.is_symlink()]

    def _file(self) -> Path:
        files = self._files()
        return self._rng.choice(files) if files else self.create()

    def _new(self) -> Path:
        self._n += 1
        return self.root / self._rng.choice(self._folders()) / f"{self._rng.choice(NAMES)}{self._n % 3 or ''}.md"

    def create(self) -> Path:
        """A file that may be there."""
        file = self._new()
        if file.is_dir():
            shutil.rmtree(file)
        file.unlink(missing_ok=True)
        file.write_text(self._text(file.stem))
        return file

    def rewrite(self) -> None:
        """As programs do that write into the file."""
        file = self._file()
        file.write_text(self._text(file.stem))

    def put_in_its_place(self) -> None:
        """As editors do: beside it, then in its place."""
        file = self._file()
        beside = file.with_name(f".{file.name}.swp")
        beside.write_text(self._text(file.stem))
        beside.replace(file)

    def in_its_likeness(self) -> None:
        """Another text of the same length and time of change, as copying with times leaves one."""
        file = self._file()
        before, text = file.stat(), file.read_text()
        other = self._aside / "other.md"
        self._n += 1
        other.write_text("".join(text[:-9]) + f"{self._n:08d}\n" if len(text) > 9 else text.swapcase())
        os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
        other.replace(file)

    def rename(self) -> None:
        """Within the folder, over what may stand there."""
        file, to = self._file(), self._new()
        if file != to and not to.is_dir():
            file.rename(to)
        else:
            file.write_text(self._text(file.stem))

    def move_out(self) -> None:
        """Out of the folder."""
        self._file().replace(self._aside / "out.md")

    def delete(self) -> None:
        """One file."""
        self._file().unlink()

    def touch(self) -> None:
        """Its time alone."""
        file = self._file()
        self._n += 1
        os.utime(file, ns=(self._n * 10**9, self._n * 10**9))

    def half(self) -> None:
        """The first half alone, in the middle of its head or its text."""
        file = self._file()
        text = self._text(file.stem)
        file.write_text(text[: self._rng.randrange(len(text))] + "half " * self._n)

    def emptied(self) -> None:
        """No byte of it is left."""
        file = self._file()
        file.write_text("")
        os.utime(file, ns=(self._n, self._n))

    def folder_for_file(self) -> None:
        """A folder of its name with a document in it."""
        file = self._file()
        file.unlink()
        file.mkdir()
        (file / "within.md").write_text(self._text("within"))

    def link_for_file(self) -> None:
        """A link of its name: to another document, out of the folder, to itself, or nowhere."""
        file = self._file()
        outside = self._aside / "outside.md"
        outside.write_text(self._text("outside"))
        others = [str(other) for other in self._files() if other != file] or ["nowhere.md"]
        file.unlink()
        file.symlink_to(self._rng.choice([self._rng.choice(others), str(outside), file.name, "nowhere.md"]))

    def many(self) -> None:
        """Dozens at once, some of them gone again."""
        for n in range(30):
            file = self.root / self._rng.choice(self._folders()) / f"many{n}.md"
            file.write_text(self._text(f"many{n}"))
            if n % 4 == 0:
                file.unlink()

    def folder_goes(self) -> None:
        """One folder with all that is in it is moved out or removed."""
        if folder := self._whole():
            if self._rng.random() < 0.5:
                shutil.rmtree(self.root / folder)
            else:
                (self.root / folder).rename(self._aside / f"gone{self._n}")
        else:
            self.create()

    def folder_is_a_link(self) -> None:
        """One folder becomes a link, to another one or out of the root."""
        if folder := self._whole():
            (self.root / folder).rename(self._aside / f"gone{self._n}")
            to = self._rng.choice([self.root / "third", self._aside / f"gone{self._n}"])
            (self.root / folder).symlink_to(to)
        else:
            self.create()

    def folder_comes(self) -> None:
        """One folder with folders and documents is made, or moved in whole."""
        self._n += 1
        name = f"new{self._n}"
        there = (self._aside if self._rng.random() < 0.5 else self.root) / name
        (there / "deep").mkdir(parents=True)
        for at in (there, there / "deep"):
            (at / "a.md").write_text(self._text("a"))
        if there.parent == self._aside:
            there.rename(self.root / name)

    def left_out(self) -> None:
        """A ``.gitignore`` that leaves some of them out."""
        self._n += 1
        text = f"{self._rng.choice(NAMES)}.md\n# {'x' * self._n}\n"
        (self.root / self._rng.choice(self._folders()) / ".gitignore").write_text(text)

    def _whole(self) -> str:
        there = [folder for folder in self._folders() if folder.count("/") == 1 and (self.root / folder).is_dir()]
        folder = self._rng.choice(there) if there else ""
        self._left_alone.add(folder or "-")
        self._n += 1
        return folder.removesuffix("/")


ACTS: tuple[Callable[[Changed], object], ...] = (
    Changed.create,
    Changed.rewrite,
    Changed.put_in_its_place,
    Changed.in_its_likeness,
    Changed.rename,
    Changed.move_out,
    Changed.delete,
    Changed.touch,
    Changed.half,
    Changed.emptied,
    Changed.folder_for_file,
    Changed.link_for_file,
    Changed.many,
    Changed.folder_goes,
    Changed.folder_is_a_link,
    Changed.folder_comes,
    Changed.left_out,
)


class _Nobody:
    """An observer that tells nothing."""

    def stop(self) -> None:
        """Nothing runs."""

    join = stop


def watch(
    monkeypatch: pytest.MonkeyPatch, root: Path, rounds: Iterator[Callable[[], object]], *, told: bool
) -> list[tuple[Any, Any]]:
    """Watch the folder as the command does, and make a round as soon as nothing of the one before it is due.

    An import is waited for only where the workspace is another than one anew: a time that is set, or a change of what
    is left out, calls for none. A round may give what is to be done while its import reads. ``told``: changes are heard
    of from the system alone, else nobody tells of any and the watch looks for itself. Gives, round for round, what the
    workspace holds and what an import anew does. Raises AssertionError for what is due and not imported in ``PATIENCE``
    seconds.
    """
    loader = Meanwhile()
    seen: list[tuple[Any, Any]] = []
    until = [0.0]
    wait, looks = watching.Changes.wait, watching.Changes._is_seen_to_change

    def goes_on(changes: watching.Changes) -> None:
        while nothing_is_due():
            act = next(rounds, None)
            if act is None:
                raise Ended
            meanwhile = act()
            if callable(meanwhile) and not nothing_is_due(count=False):
                loader.act = meanwhile
            elif callable(meanwhile):  # no import may come in which it could be done
                meanwhile()
            until[0] = time.monotonic() + PATIENCE
        wait(changes)

    def nothing_is_due(*, count: bool = True) -> bool:
        there = contents(dg)
        due = anew(root, there)
        held = due is None or there == due
        if held and count:
            seen.append((there, due))
        return held

    def is_seen(changes: watching.Changes) -> bool:
        if time.monotonic() > until[0]:
            there = contents(dg)
            raise AssertionError(f"a change was never imported: {apart(there, anew(root, there))}")
        return looks(changes)

    with monkeypatch.context() as patched, opened(loader) as dg:
        patched.setattr(watching, "SETTLED", 0.01)
        patched.setattr(watching, "LOOK", 10 * PATIENCE if told else 0.0)
        patched.setattr(watching, "Observer", lambda: Observer(timeout=0.05))  # which is how long ending one takes
        patched.setattr(watching.Changes, "wait", goes_on)
        patched.setattr(watching.Changes, "_is_seen_to_change", is_seen)
        if not told:
            patched.setattr(watching, "_observer", lambda *given: _Nobody())
        again = Again(str(root), prune=True, doc_type=None, profile=None, left_out={"exclude": (), "gitignore": True})
        with pytest.raises(Ended):
            again.watch(dg, json=True)
    return seen
