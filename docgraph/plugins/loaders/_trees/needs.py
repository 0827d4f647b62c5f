"""Reads needs.json as sphinx-needs writes it: the needs of the current version, and every kind of link among them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docgraph.domain.graph import Document, Relationship
from docgraph.domain.report import Rejected
from docgraph.plugins.loaders._graphs.nodes import edge, listed, mapped, node_document

READER = "sphinx_needs"
PART_OF = "part_of"
_LISTS_OF_OTHERS = frozenset(("tags", "sections", "constraints", "layers", "signature"))
_LEFT = frozenset(("content", "description", "lineno_content", "parts", "constraints_results", "needs_schema"))


def is_needs(value: Any) -> bool:
    """Whether a JSON value is such a file."""
    return any("needs" in mapped(version) for version in mapped(mapped(value).get("versions")).values())


def read(value: Mapping[str, Any], source: str) -> Iterator[Document | Relationship | Rejected]:
    """Needs, then their links under the option's name (``links`` → ``links_to``); back links repeat them and are left.

    A need inside another one (``parent_need``) is ``part_of`` it; a link to a part of a need (``ID.1``) is one to it.
    """
    versions = mapped(value["versions"])
    current = str(value.get("current_version", ""))
    version = mapped(versions.get(current) or next(reversed(versions.values())))
    needs = {str(name): mapped(need) for name, need in mapped(version.get("needs")).items()}
    if not needs:
        raise ValueError(f"version {current[:40]!r} has no needs")
    for need_id, need in needs.items():
        text = next((need[name] for name in ("content", "description") if isinstance(need.get(name), str)), "")
        fields = {name: told for name, told in need.items() if name not in _LEFT and told not in (None, "", [], {})}
        title = str(need.get("title") or need_id)
        try:
            yield node_document(
                need_id, fields, source, title=title, text=text if text.strip() else title, doc_type=_kind(need)
            )
        except ValueError as error:
            yield Rejected(reason=f"need {need_id[:80]}: {error}", place=f"need {need_id[:80]}")
    kinds = _link_fields(version, needs)
    order = 0
    for need_id, need in needs.items():
        for field in kinds:
            for target in _targets(need.get(field), needs):
                kind = {"links": "links_to", "parent_need": PART_OF, "parent_needs": PART_OF}.get(field, field)
                yield edge(need_id, kind, target, reader=READER, source=source, order=order, text=f"{field}: {target}")
                order += 1


def _kind(need: Mapping[str, Any]) -> str:
    return str(need.get("type_name") or need.get("type") or "need")


def _link_fields(version: Mapping[str, Any], needs: Mapping[str, Any]) -> list[str]:
    """Fields that hold links: those that the schema says, without one those whose lists name needs and nothing else."""
    schema = mapped(mapped(version.get("needs_schema")).get("properties"))
    if schema:
        said = [name for name, told in schema.items() if mapped(told).get("field_type") == "links"]
        return list(dict.fromkeys((*said, *(name for name in ("parent_need",) if name in schema))))
    found: dict[str, bool] = {"links": True, "parent_need": True}
    for need in needs.values():
        for name, told in need.items():
            if isinstance(told, list) and told and name not in _LISTS_OF_OTHERS and not name.endswith("_back"):
                found[name] = found.get(name, True) and (
                    name == "links" or all(_bare(target, needs) in needs for target in told)
                )
    return [name for name, is_link in found.items() if is_link]


def _targets(value: Any, needs: Mapping[str, Any]) -> list[str]:
    given = [value] if isinstance(value, str) else listed(value)
    return [name for each in given if isinstance(each, str) and (name := _bare(each, needs))]


def _bare(name: Any, needs: Mapping[str, Any]) -> str:
    whole = str(name).strip()
    need = whole.rpartition(".")[0]
    return need if whole not in needs and need in needs else whole
