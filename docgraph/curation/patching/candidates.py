"""Texts that may carry a correction, the likeliest first; who reads them again says which one does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from docgraph.curation.patching import header_fields, links, toml_fields, yaml_fields
from docgraph.curation.patching.blocks import Block, blocks_of
from docgraph.curation.patching.names import LIST_FIELD, Named, href_like
from docgraph.domain.graph import Relationship
from docgraph.domain.imports.fields import field_key

Place = Literal["field", "link"]
MAX_CANDIDATES = 600


@dataclass(frozen=True)
class Candidate:
    """A new text of a file. ``field`` = the field of metadata that it touches; "" = it touches the body."""

    text: str
    field: str = ""


@dataclass(frozen=True)
class Said:
    """Where a document states a relationship, as the extractor noted it: the field and the name, or the line."""

    place: str
    field: str = ""
    raw: str = ""
    line: str = ""


def said_of(edge: Relationship) -> Said:
    """Where the text of a relationship stands, by its provenance."""
    metadata = edge.relationship_metadata
    place, text = str(metadata.get("place", "")), str(metadata.get("text", ""))
    if place in ("front_matter", "header", "sidecar") and ": " in text:
        field, _, raw = text.partition(": ")
        return Said(place, field=field, raw=raw)
    return Said(place, line=text)


def dropping(text: str, name: str, said: Said) -> Iterator[Candidate]:
    """The text without the statement."""
    if said.field:
        for block, inner in _blocks(text, name):
            yield from _each(text, block, said.field, _drop(block, inner, said))
    else:
        for target in links.targets_in(text, said.line):
            yield Candidate(links.without(text, target))


def putting(
    text: str, name: str, said: Said, spelled: Sequence[str], target: Named, start: Named
) -> Iterator[Candidate]:
    """The text with the statement naming ``target``: in a field as ``spelled``, else as the address of a link."""
    if said.field:
        for new in spelled:
            for block, inner in _blocks(text, name):
                yield from _each(text, block, said.field, _put(block, inner, said, new))
    else:
        for old in links.targets_in(text, said.line):
            for new in dict.fromkeys((*href_like(old, target, start), target.document_id)):
                yield Candidate(links.pointed(text, old, new))


def reanchoring(text: str, said: Said, anchor: str, new: str) -> Iterator[Candidate]:
    """The text with links to one address at ``anchor`` pointing at ``new`` there."""
    for target in links.targets_in(text, said.line):
        yield Candidate(links.anchored(text, target, anchor, new))


def adding(
    text: str, name: str, fields: Iterable[str], spelled: Sequence[str], relation_type: str
) -> Iterator[Candidate]:
    """The text with one more name in one of ``fields``, where it has metadata at all."""
    tried = list(dict.fromkeys(fields))
    for block, inner in _blocks(text, name):
        for field in tried:
            for new in spelled:
                if block.kind == "yaml":
                    found = yaml_fields.more(inner, field, new, relation_type)
                elif block.kind == "toml":
                    found = toml_fields.more(inner, field, new, relation_type)
                elif field_key(field) != LIST_FIELD:
                    found = header_fields.more(inner, field.replace("_", "-").title(), new)
                else:
                    continue
                yield from _each(text, block, field, found)


def has_metadata(text: str, name: str) -> bool:
    """Whether a file has a place for fields."""
    return bool(blocks_of(text, name))


def _blocks(text: str, name: str) -> Iterator[tuple[Block, str]]:
    for block in blocks_of(text, name):
        yield block, text[block.start : block.end]


def _each(text: str, block: Block, field: str, found: Iterable[str]) -> Iterator[Candidate]:
    for inner in found:
        yield Candidate(text[: block.start] + inner + text[block.end :], field)


def _drop(block: Block, inner: str, said: Said) -> Iterator[str]:
    if block.kind == "yaml":
        return yaml_fields.drop(inner, said.field, said.raw)
    if block.kind == "toml":
        return toml_fields.drop(inner, said.field, said.raw)
    return header_fields.drop(inner, said.field, said.raw)


def _put(block: Block, inner: str, said: Said, new: str) -> Iterator[str]:
    if block.kind == "yaml":
        return yaml_fields.put(inner, said.field, said.raw, new)
    if block.kind == "toml":
        return toml_fields.put(inner, said.field, said.raw, new)
    return header_fields.put(inner, said.field, said.raw, new)
