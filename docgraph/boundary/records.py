"""What a caller may give where a record is expected: the record, a mapping that is checked like JSON, or its text."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from docgraph.domain.overrides import EdgeKey
from docgraph.domain.plan import RetrievalPlan, parse_plan
from docgraph.domain.request import RetrievalRequest, parse_request, request_error
from docgraph.errors import RequestError, UserError

if TYPE_CHECKING:
    from docgraph.domain.packet import PacketRequest

Record = TypeVar("Record", bound=BaseModel)
AnyMapping = Mapping[str, Any]
SHOWN = 60
KEY = ("from document", "type", "to document")


def as_request(given: RetrievalRequest | AnyMapping | str) -> RetrievalRequest:
    """A retrieval request; a text is its question, a mapping its fields. Raises RequestError."""
    if isinstance(given, RetrievalRequest):
        return given
    if isinstance(given, str):
        return parse_request({"query": given})
    if isinstance(given, Mapping):
        return parse_request(given)
    raise RequestError(*_unexpected(given, "a question"), hint='give a text, a RetrievalRequest or {"query": …}')


def as_packet_request(given: PacketRequest | AnyMapping | str) -> PacketRequest:
    """A request of the retrieval contract; a text is its question. Raises RequestError."""
    from docgraph.domain.packet import PacketRequest  # most questions are none of the contract's

    fields = {"query": given} if isinstance(given, str) else given
    if isinstance(fields, PacketRequest | Mapping):  # a request that was made past its validation is refused here too
        try:
            return PacketRequest.model_validate(dict(fields))
        except ValidationError as error:
            raise request_error(error) from error
    raise RequestError(*_unexpected(given, "a question"), hint='give a text, a PacketRequest or {"query": …}')


def as_plan(given: RetrievalPlan | AnyMapping) -> RetrievalPlan:
    """A plan; a mapping is one that was read from JSON, checked whole. Raises PlanError, and UserError."""
    if isinstance(given, Mapping):
        return parse_plan(_as_json(given, "a RetrievalPlan"))
    return as_record(given, RetrievalPlan)


def as_key(given: Sequence[str]) -> EdgeKey:
    """A relationship's key: (from document, type, to document). Raises UserError for what is not three texts."""
    parts = tuple(given) if isinstance(given, list | tuple) else ()
    if len(parts) != len(KEY) or not all(isinstance(part, str) for part in parts):
        raise UserError(
            f"a relationship's key is ({', '.join(KEY)}), not {repr(given)[:SHOWN]}", hint="give three texts"
        )
    start, via, end = parts
    return start, via, end


def as_record(given: Record | AnyMapping, kind: type[Record]) -> Record:
    """A record of ``kind``; a mapping is checked as JSON would be: nothing is converted that JSON would not convert.

    Raises UserError with the first bad field and its value, or with what was expected.
    """
    if isinstance(given, kind):
        return given
    if not isinstance(given, Mapping):
        name = _named(kind)
        raise UserError(*_unexpected(given, name), hint=f"give {name}, or a mapping with its fields")
    try:
        return kind.model_validate_json(_as_json(given, _named(kind)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = " ".join(".".join(str(part)[:SHOWN] for part in first["loc"]).split())
        reason = first["msg"].removeprefix("Value error, ")
        value = "" if first["type"] == "missing" else f" (it was {str(first.get('input'))[:SHOWN]!r})"
        said = f"{where}: {reason}" if where else reason
        raise UserError(f"this is not {_named(kind)}: {said}{value}", hint="correct it and try again") from None


def as_records(given: Iterable[Record | AnyMapping], kind: type[Record]) -> list[Record]:
    """Records of ``kind``, as ``as_record`` takes each; what is no list of them is a UserError."""
    return list(_each(given, kind))


def as_stream(given: Iterable[Record | AnyMapping], kind: type[Record]) -> Collection[Record] | Iterator[Record]:
    """The same; a list is checked whole before anything is done with it, a generator is read and checked one by one."""
    records = _each(given, kind)
    return list(records) if isinstance(given, Collection) else records


def _each(given: Iterable[Record | AnyMapping], kind: type[Record]) -> Iterator[Record]:
    if isinstance(given, str | bytes | Mapping | BaseModel) or not isinstance(given, Iterable):
        raise UserError(*_unexpected(given, f"a list, each item {_named(kind)}"), hint="put it into a list: […]")
    return (as_record(each, kind) for each in given)


def _named(kind: type[BaseModel]) -> str:
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def _unexpected(given: object, expected: str) -> tuple[str]:
    shown = repr(given)[:SHOWN] if isinstance(given, str | bytes | int | float | None) else ""
    return (f"{expected} is expected, not {type(given).__name__}{f' {shown}' if shown else ''}",)


def _as_json(given: AnyMapping, name: str) -> str:
    try:
        return json.dumps(dict(given), default=_plain)
    except (TypeError, ValueError) as error:
        raise UserError(f"{name} cannot be read: {error}", hint="give what JSON can hold") from None


def _plain(value: object) -> object:
    """Records and mappings inside a mapping, as JSON has them."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    if hasattr(value, "tolist"):  # a vector of numpy
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no form in JSON")
