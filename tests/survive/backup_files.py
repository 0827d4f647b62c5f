"""Backup files as they must not be: a good one with bytes, entries, what it states and its rows changed."""

from __future__ import annotations

import copy
import hashlib
import io
import json
import random
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

MANIFEST = "manifest.json"
VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2,
    10**30,
    1e308,
    "",
    "w",
    "v",
    "../w",
    "\x00",
    "x" * 5_000,
    "document_nodes",
    "pg_authid",
    "9999",
    "0" * 32,
    [],
    {},
    [{}],
)
CELLS: tuple[bytes, ...] = (
    b"\\N",
    b"",
    b"-1",
    b"99999999999999999999",
    b"NaN",
    b"[1,2]",
    b"{}",
    b"[]",
    b"null",
    b'{"a": [[[[[1]]]]]}',
    b'"x"',
    b"w",
    b"v",
    b"\\\\x00",
    b"\xff\xfe",
    b"\\b\\r",
    b"2026-99-99",
    b"x" * 20_000,
)
REGIONS = ("a header", "a table", "the manifest", "the list of entries", "its end")


def entries(data: bytes) -> dict[str, bytes]:
    """Name → content."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(items: list[tuple[str, bytes]] | dict[str, bytes]) -> bytes:
    """A zip of these entries; a name may come twice."""
    made = io.BytesIO()
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in items.items() if isinstance(items, dict) else items:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return made.getvalue()


def stretch(rng: random.Random, data: bytes, region: str) -> tuple[int, int]:
    """Where in the file a region lies: of one entry's header or content, or behind all entries."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        infos, begin = archive.infolist(), archive.start_dir
        chosen = (
            archive.getinfo(MANIFEST) if region == "the manifest" else rng.choice([e for e in infos if e.file_size])
        )
    head = chosen.header_offset
    n_name, n_extra = struct.unpack_from("<HH", data, head + 26)
    content = head + 30 + n_name + n_extra
    end = data.rindex(b"PK\x05\x06")
    places = {
        "a header": (head, content),
        "a table": (content, content + chosen.compress_size),
        "the manifest": (content, content + chosen.compress_size),
        "the list of entries": (begin, end),
        "its end": (end, len(data)),
    }
    return places[region]


def damaged(rng: random.Random, data: bytes, region: str) -> bytes:
    """One region with a few bytes changed, doubled, left out or zeroed; or the file ends there."""
    start, end = stretch(rng, data, region)
    place, kind = rng.randrange(start, end), rng.randrange(6)
    if kind == 0:
        return data[:place]
    if kind == 1:
        return data[:place] + rng.randbytes(rng.randrange(1, 40)) + data[place:]
    if kind == 2:
        return data[:place] + data[place + rng.randrange(1, 40) :]
    if kind == 3:
        return data[:place] + bytes(end - place) + data[end:]
    torn = bytearray(data)
    for _ in range(1 if kind == 4 else rng.randrange(2, 12)):
        torn[rng.randrange(start, end)] ^= 1 << rng.randrange(8)
    return bytes(torn)


def rearranged(rng: random.Random, data: bytes) -> bytes:
    """Entries that changed places, came twice or not at all, under another name, or as another kind of file."""
    given = list(entries(data).items())
    full = [at for at, (_, content) in enumerate(given) if content]
    one, two = rng.sample(full, 2)
    kind = rng.randrange(7)
    if kind == 0:
        (a, x), (b, y) = given[one], given[two]
        given[one], given[two] = (a, y), (b, x)
    elif kind == 1:
        given.insert(rng.randrange(len(given) + 1), (given[one][0], rng.choice([b"", b"x\n", given[two][1]])))
    elif kind == 2:
        del given[one]
    elif kind == 3:
        name = rng.choice(["../" + given[one][0], given[one][0].upper(), given[one][0] + "/", "x", given[two][0]])
        given[one] = (name, given[one][1])
    elif kind == 4:
        content = given[one][1]
        given[one] = (given[one][0], rng.choice([content[:-1], content + b"\n", content[::-1], content * 2, b""]))
    elif kind == 5:
        lines = given[one][1].splitlines(keepends=True)
        given[one] = (given[one][0], b"".join(rng.choice([lines[:-1], lines + lines[-1:], [*lines, b"\\.\n"]])))
    else:
        given = [
            (name, packed([(name, content)])) if at == one else (name, content)
            for at, (name, content) in enumerate(given)
        ]
    return packed(given)


def places_of(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything that a manifest states."""
    if way:
        yield way
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places_of(value[key], (*way, key))


def forged_manifest(rng: random.Random, data: bytes) -> bytes:
    """What it states changed at one place: another value, nothing, twice, more than there may be."""
    content = entries(data)
    manifest = json.loads(content[MANIFEST])
    way = rng.choice(list(places_of(manifest)))
    target = manifest
    for key in way[:-1]:
        target = target[key]
    kind = rng.randrange(10)
    if kind == 0:
        del target[way[-1]]
    elif kind == 1 and isinstance(target, list):
        target.append(copy.deepcopy(target[way[-1]]))
    elif kind == 2 and isinstance(target, dict):
        target["more"] = rng.choice(VALUES)
    else:
        target[way[-1]] = rng.choice(VALUES)
    content[MANIFEST] = json.dumps(manifest).encode()
    return packed(content)


def forged_rows(rng: random.Random, data: bytes) -> bytes:
    """One cell of one table changed, a row left out or there twice, with every hash and count stated anew."""
    content = entries(data)
    manifest = json.loads(content[MANIFEST])
    each = manifest["workspaces"][0]
    files = [(kind, file) for kind in ("tables", "kept") for file in each[kind] if file["n_rows"]]
    kind, file = rng.choice(files)
    path = f"workspaces/{each['name']}/{'kept/' if kind == 'kept' else ''}{file['table']}.copy"
    lines = content[path].splitlines()
    at, way = rng.randrange(len(lines)), rng.randrange(8)
    if way == 0:
        lines.append(lines[at])
    elif way == 1:
        del lines[at]
    else:
        cells = lines[at].split(b"\t")
        place = rng.randrange(len(cells))
        cells[place] = _within(rng, cells[place]) if rng.random() < 0.5 else rng.choice(CELLS)
        lines[at] = b"\t".join(cells)
    made = b"".join(line + b"\n" for line in lines)
    file.update(n_rows=made.count(b"\n"), n_bytes=len(made), sha256=hashlib.sha256(made).hexdigest())
    content[path], content[MANIFEST] = made, json.dumps(manifest).encode()
    return packed(content)


def stated_anew(data: bytes, table: str, change: Callable[[bytes], bytes], **stated: Any) -> bytes:
    """The rows of a table of the first workspace changed, its sums stated anew, ``stated`` of the workspace."""
    content = entries(data)
    manifest = json.loads(content[MANIFEST])
    each = manifest["workspaces"][0]
    each.update(stated)
    for kind in ("tables", "kept"):
        for file in each[kind]:
            if file["table"] == table:
                path = f"workspaces/{each['name']}/{'kept/' if kind == 'kept' else ''}{table}.copy"
                made = content[path] = change(content[path])
                file.update(n_rows=made.count(b"\n"), n_bytes=len(made), sha256=hashlib.sha256(made).hexdigest())
    content[MANIFEST] = json.dumps(manifest).encode()
    return packed(content)


def _byte_changed(data: bytes, name: str) -> bytes:
    """As long as before, and a sound archive: only the sum in the manifest tells."""
    content = entries(data)
    content[name] = content[name].replace(b"bounded", b"boundet", 1).replace(b"queue a", b"queue z", 1)
    return packed(content)


STAGED: dict[str, Callable[[bytes], bytes]] = {
    "a letter of a chunk is another one": lambda data: _byte_changed(data, "workspaces/w/vector_chunks.copy"),
    "a letter of a judgment is another one": lambda data: _byte_changed(data, "workspaces/w/kept/judgments.copy"),
    "another revision is stated": lambda data: stated_anew(data, "", bytes, revision="0" * 31 + "1"),
    "another count is stated": lambda data: stated_anew(data, "", bytes, n_chunks=3),
    "a document is left out": lambda data: stated_anew(
        data, "document_nodes", lambda rows: rows[rows.index(b"\n") + 1 :]
    ),
    "a chunk is left out": lambda data: stated_anew(data, "vector_chunks", lambda rows: rows[rows.index(b"\n") + 1 :]),
    "a judgment of another workspace": lambda data: stated_anew(data, "judgments", lambda rows: b"v" + rows[1:]),
    "triage of another workspace": lambda data: stated_anew(data, "triage", lambda rows: rows + b"v" + rows[1:]),
    "a vector of another width": lambda data: stated_anew(
        data, "vector_chunks", lambda rows: rows.replace(b"[0,", b"[", 1)
    ),
    "a workspace twice": lambda data: _workspaces(data, 2),
    "a table twice": lambda data: _tables(data, "memories"),
    "a table of the server": lambda data: _tables(data, "pg_authid"),
}
"""What is wrong → the file with just that wrong; each must be refused, and nothing changed."""
FOREIGN: dict[str, Callable[[bytes], bytes]] = {
    "a rule that is a number": lambda data: stated_anew(
        data, "check_rules", lambda rows: rows[: rows.index(b"{")] + b"-1\n"
    ),
    "a query set that is a list": lambda data: stated_anew(
        data, "query_sets", lambda rows: rows[: rows.index(b"{")] + b"[]\n"
    ),
}
"""Rows that the tables take and docgraph never writes, with all sums right."""


def _workspaces(data: bytes, times: int) -> bytes:
    content = entries(data)
    manifest = json.loads(content[MANIFEST])
    manifest["workspaces"] *= times
    content[MANIFEST] = json.dumps(manifest).encode()
    return packed(content)


def _tables(data: bytes, name: str) -> bytes:
    content = entries(data)
    manifest = json.loads(content[MANIFEST])
    tables = manifest["workspaces"][0]["tables"]
    (memories,) = (file for file in tables if file["table"] == "memories")
    tables.append({**memories, "table": name})
    content[MANIFEST], content[f"workspaces/w/{name}.copy"] = (
        json.dumps(manifest).encode(),
        content["workspaces/w/memories.copy"],
    )
    return packed(content)


def _within(rng: random.Random, cell: bytes) -> bytes:
    """JSON with one of its values changed; any other cell shortened."""
    try:
        value = json.loads(cell)
        way = rng.choice(list(places_of(value)))
    except (ValueError, IndexError):
        return cell[: len(cell) // 2]
    target = value
    for key in way[:-1]:
        target = target[key]
    target[way[-1]] = rng.choice([v for v in VALUES if v != "\x00"])
    return json.dumps(value).encode().replace(b"\\", b"\\\\")


KINDS: dict[str, Callable[[random.Random, bytes], bytes]] = {
    **{region: lambda rng, data, r=region: damaged(rng, data, r) for region in REGIONS},  # type: ignore[misc]
    "entries": rearranged,
    "what it states": forged_manifest,
    "rows": forged_rows,
}
"""What is changed → the file with it changed."""
FORGED = ("what it states", "rows")
"""Whoever writes these can state all sums anew: what is made of them may be other, but it is whole and can be read."""
