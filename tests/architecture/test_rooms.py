"""The house stands as its plan says: the tree in docs/architecture.md is read, and held against the package."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
LIMIT = 25
"""Entries of a room, unless its line in the plan has a number of its own."""

LINE = re.compile(r"^(?P<indent> *)(?P<name>\w+)/(?: \((?P<limit>\d+)\))?(?: +(?P<files>[^·\n]*?))?(?: *· .*)?$")


class Room:
    """One line of the plan: a folder, how many entries it may have, and the files that stand beside its rooms."""

    def __init__(self, path: str, limit: int, files: tuple[str, ...]) -> None:
        self.path, self.limit, self.files = path, limit, files

    @property
    def folder(self) -> Path:
        """Where it stands."""
        return ROOT / self.path


def planned(page: str = PAGE) -> dict[str, Room]:
    """Path → room, out of the first block of the page's section on rooms."""
    block = page.split("## Rooms", 1)[1].split("```", 2)[1].strip("\n")
    rooms: dict[str, Room] = {}
    above: list[tuple[int, str]] = []
    for line in block.splitlines():
        found = LINE.match(line)
        assert found is not None, f"the plan of rooms has a line that is none: {line!r}"
        depth = len(found["indent"])
        above = [each for each in above if each[0] < depth]
        path = f"{above[-1][1]}/{found['name']}" if above else found["name"]
        above.append((depth, path))
        rooms[path] = Room(path, int(found["limit"] or LIMIT), tuple((found["files"] or "").split()))
    return rooms


ROOMS = planned()


def entries(folder: Path) -> set[str]:
    """Files and folders of a room; what only says that it is a package, or has types, does not count."""
    marks = ("__init__.py", "__pycache__", "py.typed")
    return {each.name for each in folder.iterdir() if each.name not in marks and each.suffix != ".pyi"}


def faults(root: Path, rooms: dict[str, Room]) -> Iterator[str]:
    """Everything in the tree under ``root`` that stands otherwise than the plan says."""
    there = {
        folder.as_posix()
        for path in (root / "docgraph").rglob("*")
        if path.is_file() and path.suffix != ".pyc" and "versions" not in path.parts
        for folder in list(path.relative_to(root).parents)[:-1]
    }
    yield from (f"{path} stands in no line of the plan" for path in sorted(there - set(rooms)))
    yield from (f"{path} stands in the plan only" for path in sorted(set(rooms) - there))
    for path, room in rooms.items():
        inside = entries(root / path) if (root / path).is_dir() else set()
        if len(inside) > room.limit:
            yield f"{path} has {len(inside)} entries, more than {room.limit}"
        loose = {Path(name).stem for name in inside if (root / path / name).is_file()}
        below = [other for other in rooms if other.startswith(f"{path}/") and other.count("/") == path.count("/") + 1]
        if below and "*" not in room.files and loose != {Path(name).stem for name in room.files}:
            yield f"{path} holds {sorted(loose)} beside its rooms, the plan says {sorted(room.files)}"


def test_every_file_stands_in_a_room_of_the_plan() -> None:
    assert not list(faults(ROOT, ROOMS))


@pytest.mark.parametrize("stray", ["docgraph/ui/stray.py", "docgraph/views/cellar/wine.py", "docgraph/loose.py"])
def test_a_file_that_stands_elsewhere_is_noticed(stray: str, tmp_path: Path) -> None:
    for room in ROOMS.values():
        (tmp_path / room.path).mkdir(parents=True, exist_ok=True)
        for name in entries(room.folder):
            if (room.folder / name).is_file():
                (tmp_path / room.path / name).write_text("")
        (tmp_path / room.path / "__init__.py").write_text("")
    assert not list(faults(tmp_path, ROOMS))
    (tmp_path / stray).parent.mkdir(exist_ok=True)
    (tmp_path / stray).write_text("")
    assert Path(stray).parent.as_posix() in " ".join(faults(tmp_path, ROOMS))


def test_a_room_that_outgrows_its_limit_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "docgraph").mkdir()
    for n in range(LIMIT + 1):
        (tmp_path / "docgraph" / f"n{n}.py").write_text("")
    assert list(faults(tmp_path, planned("## Rooms\n```\ndocgraph/\n```"))) == [
        f"docgraph has {LIMIT + 1} entries, more than {LIMIT}"
    ]


def test_only_rooms_that_cannot_be_parted_have_a_limit_of_their_own() -> None:
    whole = {"docgraph", "docgraph/domain", "docgraph/cli/commands"}
    assert {path for path, room in ROOMS.items() if room.limit > LIMIT} <= whole


def test_a_file_is_never_named_after_its_room() -> None:
    names = {path.stem: path for room in ROOMS.values() for path in room.folder.glob("*.py")}
    assert not [path for stem, path in names.items() if stem.lstrip("_").startswith(f"{path.parent.name.lstrip('_')}_")]


def test_a_part_of_a_store_has_the_same_name_in_every_store() -> None:
    stores = ROOT / "docgraph" / "plugins" / "stores"
    memory, postgres, rows = (
        {path.stem for path in (stores / name).glob("*.py")} - {"__init__"} for name in ("memory", "postgres", "_rows")
    )
    outliving = {path.stem for path in (stores / "postgres" / "archives").glob("*.py")}
    assert memory - {"words"} <= postgres | outliving
    assert rows - memory == {"decided", "moving", "ready"}, "what concerns several parts"


def test_every_page_has_the_same_three_files() -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "pages").glob("*.py")}
    for page, text in pages.items():
        [room] = re.findall(r"^from docgraph\.ui\.(\w+)\.page import", text, re.MULTILINE)
        assert f"docgraph/ui/{room}" in ROOMS
        assert (ROOT / "docgraph" / "ui" / room / "page.py").is_file()
        assert room == page or room in pages, "an old address shows another page"


FEATURES = [
    (noun, verb, re.findall(r"`([\w/.]+)`", places))
    for noun, verb, places in re.findall(r"^\| \*\*(\w+)\*\*(?: (\w+))? \|(.*)\|$", PAGE, re.MULTILINE)
]


@pytest.mark.parametrize(("noun", "verb", "places"), FEATURES, ids=[noun for noun, _, _ in FEATURES])
def test_a_feature_has_the_same_word_behind_every_door(noun: str, verb: str, places: list[str]) -> None:
    """The places exist, and each is called by the noun, in the singular or in the plural, or by the verb."""
    assert len(places) >= 4
    for place in places:
        assert (ROOT / place).exists(), place
        name = Path(place.rstrip("/")).stem.removeprefix("test_")
        assert name in {noun, f"{noun}s", f"{noun.removesuffix('y')}ies", verb}, place


def test_the_walk_of_a_question_leads_through_files_that_exist() -> None:
    walk = PAGE.split("## The walk of a question", 1)[1].split("\n## ", 1)[0]
    named = re.findall(r"`((?:docgraph|pages)/[\w/]+\.\w+)`", walk)
    assert len(named) >= 10
    assert not [name for name in named if not (ROOT / name).is_file()]


def test_the_page_is_read_in_five_minutes() -> None:
    """Prose and tables, at 230 words a minute; the list of plug-ins and the plan of rooms are looked things up in."""
    read = re.sub(r"```.*?```", "", PAGE.split("## Plug-ins", 1)[0], flags=re.DOTALL)
    assert len(read.split()) <= 5 * 230
