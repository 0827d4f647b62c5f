"""Questions, configurations and rankings as commands take them: files and folders, with every line that is not read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docgraph.boundary.files.folders import LeadsOutError, RootedFolder
from docgraph.boundary.files.regular import reason_of
from docgraph.boundary.judgments import query_sets
from docgraph.boundary.judgments.trec import MAX_TREC_BYTES
from docgraph.cli.files import is_run, rankings_of, read_file
from docgraph.domain.query_set import QuerySet
from docgraph.domain.report import Rejected
from docgraph.errors import RequestError, UserError

MAX_JSON = 500_000_000


def query_set_of(name: str, qrels: str | None) -> QuerySet:
    """The questions of a file or a folder. Raises UserError."""
    folder = Path(name)
    judged = None if qrels is None else read_file(qrels, max_bytes=MAX_TREC_BYTES, hint="name a file of qrels")
    if not _is_folder(folder):
        data = read_file(name, max_bytes=query_sets.MAX_BYTES, hint=query_sets.HINT)
        name = folder.resolve().parent.name if folder.stem == "queries" else folder.stem
        return query_sets.read_query_set(data, name=f"{name}{folder.suffix}", qrels=judged)
    try:
        root = RootedFolder(folder)
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {name[:200]!r}: {reason_of(error)}", hint=query_sets.HINT) from error
    data = _read_within(root, "queries.jsonl", query_sets.MAX_BYTES, hint=query_sets.HINT)
    if judged is None and (there := next((each for each in query_sets.QRELS if _is_there(root, each)), None)):
        judged = _read_within(root, there, MAX_TREC_BYTES, hint="name a file of qrels")
    return query_sets.read_query_set(data, name=root.path.name, qrels=judged)


def _is_there(root: RootedFolder, name: str) -> bool:
    """Whether something is called so, be it behind a link that leads out, of which the reading says so."""
    try:
        root.target(name)
    except LeadsOutError:
        return True
    except OSError:
        return False
    return True


def _read_within(root: RootedFolder, name: str, max_bytes: int, *, hint: str) -> bytes:
    """A file of the folder, reached by no link that leads out; one byte more than ``max_bytes`` at most."""
    try:
        with root.open(root.target(name)) as file:
            return file.read(max_bytes + 1)
    except LeadsOutError as error:
        hint = "name the target file itself"
        raise UserError(f"{name} is a symbolic link that leaves {root.path.name[:80]!r}", hint=hint) from error
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {str(root.path / name)[:200]!r}: {reason_of(error)}", hint=hint) from error


def is_kept(name: str) -> bool:
    """Whether a name can only be that of a kept set: nothing of it lies here, and no file of questions is called so."""
    try:
        return (
            not Path(name).exists()
            and not name.lower().endswith((".jsonl", ".csv", ".tsv", ".json"))
            and "/" not in name
        )
    except (OSError, ValueError):
        return False


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):  # a name that no file can have: reading it says so
        return False


def configurations_of(given: Iterable[str]) -> tuple[dict[str, Any], tuple[Rejected, ...]]:
    """(name → what ``Docgraph.evaluate`` takes, lines of rankings that are not read). Raises UserError."""
    found: dict[str, Any] = {}
    unread: list[Rejected] = []
    for text in given:
        name, separator, value = text.partition("=")
        if not separator:
            name, value = (Path(text).stem, text) if is_run(text) else (text, text)
        if name in found:
            raise RequestError(f"two configurations are named {name[:60]!r}", hint="write NAME=… with another name")
        found[name], refused = _configuration(value)
        unread += refused
    return found, tuple(unread)


def _configuration(value: str) -> tuple[Any, tuple[Rejected, ...]]:
    if value.startswith(("http://", "https://")):
        return value, ()
    if is_run(value):
        return rankings_of(value)
    return (json_object(value, "a request") if value.lower().endswith(".json") else value), ()


def fields_of(given: Iterable[str]) -> dict[str, Any]:
    """Fields of a request as ``FIELD=VALUE``; a value is JSON, or text where it is none."""
    found: dict[str, Any] = {}
    for text in given:
        name, separator, value = text.partition("=")
        if not separator:
            raise RequestError(f"{text[:60]!r} is not a field", hint="write FIELD=VALUE, such as max_documents=8")
        try:
            found[name.strip()] = json.loads(value)
        except ValueError:
            found[name.strip()] = value
    return found


def json_object(name: str, what: str) -> dict[str, Any]:
    """A file that holds one JSON object. Raises UserError that says what it should be."""
    data = read_file(name, max_bytes=MAX_JSON, hint=f"name a JSON file with {what}")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise UserError(f"{name[:80]!r} is not a JSON object", hint=f"name a JSON file with {what}")
    return value


def split(given: Iterable[str]) -> list[str]:
    """What is repeated, or divided by commas, one by one."""
    return [name.strip() for part in given for name in part.split(",") if name.strip()]
