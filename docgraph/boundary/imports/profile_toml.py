"""Reads and writes an import profile as TOML: small, readable, to be kept beside the documents it is for."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal, TypeAlias

from pydantic import ValidationError

from docgraph.boundary.files.regular import named_file, reason_of
from docgraph.boundary.limits import MAX_RULES_BYTES
from docgraph.boundary.records import as_record
from docgraph.boundary.rules_toml import read_toml, toml_key, toml_text
from docgraph.domain.imports.fields import SIDECAR_SUFFIXES
from docgraph.domain.imports.look import Look
from docgraph.domain.imports.profile import ANY, NAME, NUMBER, ImportProfile
from docgraph.errors import UserError

TABLES: Mapping[str, Mapping[str, str]] = {
    "documents": {"one_per": "one_per", "page": "page", "sidecars": "sidecars", "skip": "skip", "exclude": "exclude"},
    "links": {"base": "base", "outside": "outside", "root": "root", "citations": "citations"},
    "words": {"empty": "empty"},
    "targets": {"boilerplate": "boilerplate"},
    "stubs": {"values": "stub_values", "below": "stub_below"},
}
"""Table → key in it → field of the profile; ``numbers`` are an array of tables beside them."""
NUMBERS, VERSION = "numbers", "version"
AUTO: TypeAlias = Literal["auto"]
_HINT = "docgraph ingest PATH --dry-run --profile auto --profile-out FILE writes one that is right"
_NOTES: Mapping[str, str] = {
    "one_per": "folder = the page of a folder is the document, and the folder's name its id",
    "sidecars": "files that hold the metadata of the document beside them",
    "skip": "folders of templates: no documents",
    "exclude": "files that are left out, as in a .gitignore",
    "base": "web addresses that are the top of this folder; * is one part, as a branch",
    "outside": "web addresses of what this folder is a part of",
    "root": "beginnings of paths that are the top of this folder",
    "citations": "[[1]](address) is a link and no wiki link",
    "empty": "words that name no document",
    "boilerplate": "targets that every document names: counted, no relationship",
    "values": "metadata that says a document only points elsewhere",
    "below": "characters of text under which a document is a stub; 0 = none",
}
_WIDE = 100
_QUOTED = re.compile(r"(?: has |it is )'([^']{1,80})'")
_PLACE = re.compile(r"\[?(\w+)\]?(?:\.(?:\d+\.)?(\w+))?(?:\.\w+){0,5} of ")
_TABLE = re.compile(r"\[\[?([^\[\]]+)\]")


def read_profile(data: bytes, *, name: str = "the profile") -> ImportProfile:
    """A profile from TOML bytes. ``name`` names the file in errors.

    Raises UserError for what is no TOML or too large, for other tables and keys, and for values that cannot be meant:
    every entry is a plain path, address or word, nothing in it is a pattern.
    """
    given = read_toml(data, name=name, hint=_HINT)
    try:
        return _checked(_profile(given, name), name)
    except UserError as error:
        line = line_of(data, error.message)
        if line is None:
            raise
        raise UserError(f"line {line}: {error.message}", hint=error.hint) from None


def write_profile(profile: ImportProfile, look: Look | None = None) -> str:
    """The profile as TOML that ``read_profile`` reads back; what is at its default is left out.

    With the ``look`` it comes from each part has the sentence that was found about it.
    """
    default = ImportProfile()
    head = ["# How docgraph reads this folder: docgraph ingest PATH --profile FILE"]
    if look is not None:
        head += [f"# {_comment(look.name)}: {look.n_documents:,} documents in {look.n_files:,} files"]
        head += [f"# {_comment(each.sentence)}" for each in look.dialects]
        head += [f"# {_comment(each.title)}: {_comment(each.sentence)}" for each in look.proposals]
    blocks = ["\n".join([*head, f"{VERSION} = {profile.version}"])]
    for table, keys in TABLES.items():
        lines = []
        for key, field in keys.items():
            value = getattr(profile, field)
            if value != getattr(default, field) or (field == "page" and profile.one_per == "folder"):
                lines += [*([f"# {_NOTES[key]}"] if key in _NOTES else []), f"{key} = {_value(value)}"]
        if lines:
            blocks.append("\n".join([f"[{table}]", *lines]))
    for series in profile.numbers:
        values = {"word": series.word, "field": series.field, "addresses": series.addresses}
        lines = [f"{key} = {_value(value)}" for key, value in values.items() if value]
        blocks.append("\n".join([f"[[{NUMBERS}]]", *(lines or ['word = ""'])]))
    return "\n\n".join(blocks) + "\n"


def _profile(given: Mapping[str, Any], name: str) -> ImportProfile:
    known = {VERSION, NUMBERS, *TABLES}
    if strangers := sorted(set(given) - known):
        raise UserError(
            f"{name} has {strangers[0][:60]!r}, which no profile has",
            hint=f"its tables are {', '.join(TABLES)} and [[{NUMBERS}]]",
        )
    values: dict[str, Any] = {key: given[key] for key in (VERSION, NUMBERS) if key in given}
    for table, keys in TABLES.items():
        entries = given.get(table, {})
        if not isinstance(entries, dict):
            raise UserError(f"{table!r} of {name} is no table", hint=f"write [{table}] on a line of its own")
        if strangers := sorted(set(entries) - set(keys)):
            raise UserError(
                f"[{table}] of {name} has {strangers[0][:60]!r}, which is not a key of it",
                hint=f"[{table}] has {', '.join(keys)}",
            )
        values |= {keys[key]: value for key, value in entries.items()}
    try:
        return ImportProfile.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(_published(part) for part in first["loc"])
        raise UserError(
            f"{place} of {name} cannot be read: {first['msg']} (it is {str(first['input'])[:80]!r})", hint=_HINT
        ) from None


def _published(part: object) -> str:
    """A field as the file calls it."""
    for table, keys in TABLES.items():
        for key, field in keys.items():
            if part == field:
                return f"{table}.{key}"
    return str(part)[:60]


def _checked(profile: ImportProfile, name: str) -> ImportProfile:
    """Raises UserError for entries that are well formed and cannot be meant."""
    for base in (*profile.base, *profile.outside):
        _refuse_unless(base.startswith(("https://", "http://")), name, "links.base", base, "it is a web address")
        _refuse_unless(base.endswith("/"), name, "links.base", base, "it ends with /")
        host = base.split("://", 1)[1].split("/", 1)[0]
        _refuse_unless(ANY not in host, name, "links.base", base, "* is one part of the path, never the host")
    for root in profile.root:
        parts = root.removeprefix("..").split("/")
        _refuse_unless(parts[0] == "" and any(parts), name, "links.root", root, "it is like /docs/ or ../docs/")
        _refuse_unless(".." not in parts, name, "links.root", root, "it stays in the folder, or leaves it by one level")
    for sidecar in profile.sidecars:
        fits = "/" not in sidecar and "\\" not in sidecar and sidecar.count(NAME) <= 1
        _refuse_unless(
            fits, name, "documents.sidecars", sidecar, f"it is a file's name, in which {NAME} may stand once"
        )
        readable = sidecar.lower().endswith(SIDECAR_SUFFIXES)
        _refuse_unless(readable, name, "documents.sidecars", sidecar, "it ends with .yaml, .yml, .json or .toml")
    for folder in profile.skip:
        fits = folder.endswith("/") and not folder.startswith("/") and ".." not in folder.split("/")
        _refuse_unless(fits, name, "documents.skip", folder, "it is a folder of the import, like _layouts/")
    for series in profile.numbers:
        for address in series.addresses:
            fits = address.startswith(("https://", "http://")) and address.count(NUMBER) == 1
            last = fits and NUMBER in address.rstrip("/").rsplit("/", 1)[-1]
            _refuse_unless(bool(last), name, "numbers.addresses", address, f"its last part holds {NUMBER} once")
    return profile


def _refuse_unless(fits: bool, name: str, place: str, value: str, rule: str) -> None:
    if not fits:
        raise UserError(f"{place} of {name} has {value[:80]!r}", hint=rule)


def line_of(data: bytes, said: str) -> int | None:
    """The line, from 1, that an error is about: that of the value it names, below the table and key it names."""
    quoted = [found for found in _QUOTED.findall(said) if found]
    place = _PLACE.match(said)
    table, key = ("", "") if place is None else (place[1], place[2] or "")
    if place is not None and not place[0].startswith("[") and not key:
        table, key = "", table
    inside, best = not table, None
    for number, line in enumerate(data.decode("utf-8-sig", "replace").splitlines(), start=1):
        bare = line.strip()
        if header := _TABLE.match(bare):
            inside = not table or header[1].strip() == table
        elif inside and key and re.match(rf"{re.escape(key)}\s*=", bare):
            best = number
        if (inside or not table) and any(value in bare for value in quoted) and not bare.startswith("#"):
            return number
    return best


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, tuple | list):
        entries = [_value(each) for each in value]
        line = f"[{', '.join(entries)}]"
        return line if len(line) <= _WIDE else "[\n" + "".join(f"  {entry},\n" for entry in entries) + "]"
    return toml_text(value) if isinstance(value, str) else json.dumps(value)


def _comment(text: str) -> str:
    """Text as a comment can hold it: one line, without control characters."""
    return "".join(character if character.isprintable() else " " for character in text)


def profile_of(given: ImportProfile | Mapping[str, Any] | str | PathLike[str] | None) -> ImportProfile | AUTO | None:
    """What was given as a profile: one, its fields, ``auto``, or a file of one. Raises UserError for what is none."""
    if given is None or isinstance(given, ImportProfile):
        return given
    if given == "auto":
        return "auto"
    if not isinstance(given, str | PathLike):
        return as_record(given, ImportProfile)
    name = os.fspath(given)[:200]
    try:
        with named_file(given) as file:
            data = file.read(MAX_RULES_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = reason_of(error)
        raise UserError(f"the profile {name!r} cannot be read: {reason}", hint='name a TOML file, or "auto"') from None
    return read_profile(data, name=name)
