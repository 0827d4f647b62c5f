"""Filters over metadata: conditions on fields of documents, what each of them means, and the keys that they look at.

A document has *facets*: keys that follow from its type, its scope and its metadata. Every condition asks whether one of
them is among some keys, or lies between two of them, compared code point by code point; so a store that keeps them
answers as exactly as one that works them out, and an index finds them.
"""

from __future__ import annotations

import math
import re
import struct
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import Field, field_validator, model_validator

from docgraph.domain.anchors import BROKEN_ANCHORS, SECTION_ANCHORS
from docgraph.domain.frozen import Frozen
from docgraph.domain.graph import StoredDocument

Operator = Literal["=", "!=", ">=", "<=", ">", "<", "^="]
AppliesTo = Literal["both", "seeds", "related"]
ANYTHING = "*"
"""As the value: the field has one (``=``), or it has none (``!=``)."""
MAX_CONDITIONS, MAX_VALUES, MAX_FIELD, MAX_VALUE = 20, 50, 100, 200
MAX_FACETS = 400
"""Keys of one document; further ones are not looked at."""
MAX_DEPTH = 4
"""Levels of nesting whose fields have names of their own (``owner.team``)."""
FORMS = "status=accepted, status=accepted|draft, status!=rejected, date>=2024-05, priority<3, title^=adr, owner=*"

_THERE, _IS, _ORDER = "\x1c", "\x1e", "\x1f"
_NUMBER, _TEXT = "1", "2"
_LAST = "\U0010ffff"
_CONDITION = re.compile(r"(?s)(.+?)\s*(!=|>=|<=|\^=|=|>|<)(.*)")
_NUMERIC = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?")
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d.*)?)?")
_BAR = re.compile(r"(?<!\\)\|")
_EQUALS, _ESCAPED = re.compile(r"\\*="), re.compile(r"\\+=")


class Between(NamedTuple):
    """Keys from ``low`` on, before ``high``."""

    low: str
    high: str


class Wanted(NamedTuple):
    """What a condition asks of a document's facets: one of ``keys`` or one in ``ranges``; the opposite if ``not_``.

    ``there`` = the key that every document has which has the field at all.
    """

    keys: tuple[str, ...]
    ranges: tuple[Between, ...]
    not_: bool
    there: str


class Condition(Frozen):
    """One condition on one field: ``status = accepted``. Upper and lower case are the same.

    A field with several values (tags) meets it when one of them does. ``=`` with several ``values`` = any of them;
    ``!=`` = none of them (a document without the field meets it); ``^=`` = begins with. ``>=``, ``<=``, ``>`` and ``<``
    compare numbers with numbers, and everything else as text, in which ISO dates have their order; ``2024-05`` stands
    for the whole month, ``2024`` for the year.
    """

    field: str = Field(min_length=1, max_length=MAX_FIELD)
    operator: Operator
    values: tuple[str, ...] = Field(min_length=1, max_length=MAX_VALUES)

    @field_validator("field", mode="before")
    @classmethod
    def _normal_field(cls, field: Any) -> Any:
        return normal(field) if isinstance(field, str) else field

    @field_validator("values", mode="before")
    @classmethod
    def _normal_values(cls, values: Any) -> Any:
        given = [values] if isinstance(values, str) else values
        if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in given):
            return values
        if long := next((each for each in given if len(each) > MAX_VALUE), None):
            raise ValueError(f"a value has {len(long)} characters, {MAX_VALUE} are possible")
        return tuple(sorted({normal(each) for each in given}))

    @model_validator(mode="after")
    def _has_a_value(self) -> Condition:
        if not all(self.values):
            raise ValueError(f"{self.field!r} is compared with nothing: write {FORMS}")
        if self.operator not in ("=", "!=") and len(self.values) > 1:
            raise ValueError(f"{self.field}{self.operator} takes one value, not {len(self.values)}")
        return self

    @property
    def text(self) -> str:
        """As it is written: ``status=accepted|draft``; ``parse_condition`` reads it again."""
        written = "|".join(each.replace("|", "\\|") for each in self.values)
        if self.operator in (">", "<") and _EQUALS.match(written):
            written = f"\\{written}"  # else the two marks would be another operator
        return f"{self.field}{self.operator}{written}"

    @property
    def wanted(self) -> Wanted:
        """What it asks of a document's facets."""
        there, is_not = f"{self.field}{_THERE}", self.operator == "!="
        if self.operator in ("=", "!="):
            keys = tuple(there if each == ANYTHING else f"{self.field}{_IS}{each}" for each in self.values)
            return Wanted(keys, (), is_not, there)
        (value,) = self.values
        if self.operator == "^=":
            low = f"{self.field}{_IS}{value}"
            return Wanted((), (Between(low, low + _LAST),), False, there)
        return Wanted((), tuple(_ranges(self.field, self.operator, value)), False, there)

    def meets(self, facets: Collection[str]) -> bool:
        """Whether a document with these facets meets it."""
        keys, ranges, is_not, _ = self.wanted
        found = any(key in facets for key in keys)
        found = found or any(low <= facet < high for low, high in ranges for facet in facets)
        return found is not is_not


class Where(Frozen):
    """All conditions that a document has to meet, and whom that concerns: seeds, related documents, or both."""

    conditions: tuple[Condition, ...] = Field(min_length=1, max_length=MAX_CONDITIONS)
    applies_to: AppliesTo = "both"

    @field_validator("conditions")
    @classmethod
    def _in_order(cls, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple(sorted(set(conditions), key=lambda each: each.text))

    @property
    def texts(self) -> tuple[str, ...]:
        """The conditions as they are written."""
        return tuple(each.text for each in self.conditions)

    @property
    def words(self) -> str:
        """``status=accepted, date>=2024``."""
        return ", ".join(self.texts)

    @property
    def whom(self) -> str:
        """Whom it concerns, in words; empty: everybody."""
        return {"both": "", "seeds": "seeds", "related": "related documents"}[self.applies_to]

    @property
    def of_seeds(self) -> tuple[Condition, ...]:
        """The conditions that seeds have to meet."""
        return self.conditions if self.applies_to != "related" else ()

    @property
    def of_related(self) -> tuple[Condition, ...]:
        """The conditions that related documents have to meet."""
        return self.conditions if self.applies_to != "seeds" else ()


def parse_condition(text: str) -> Condition:
    """A condition as it is written (``FORMS``). Raises ValueError with what was wrong."""
    found = _CONDITION.fullmatch(text.strip())
    if found is None or not normal(found[1]):
        raise ValueError(f"{text[:80]!r} is not a condition: write {FORMS}")
    operator: Any = found[2]
    written = found[3][1:] if operator in (">", "<") and _ESCAPED.match(found[3]) else found[3]
    values = [each.replace("\\|", "|") for each in _BAR.split(written)]
    return Condition(field=found[1], operator=operator, values=tuple(values))


def as_where(given: Any) -> Any:
    """What may stand for a ``Where``: a condition as it is written, several of them, or the fields of one."""
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Sequence):
        return Where(conditions=tuple(each if isinstance(each, Condition) else _condition(each) for each in given))
    if isinstance(given, Mapping) and isinstance(given.get("conditions"), list | tuple):
        return {**given, "conditions": tuple(_condition(each) for each in given["conditions"])}
    return given


def _condition(given: Any) -> Any:
    return parse_condition(given) if isinstance(given, str) else given


def facets_of(doc_type: str, ingestion_id: str, metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """The keys of a document, sorted; ``MAX_FACETS`` at most. ``doc_type`` and ``ingestion_id`` are fields like any."""
    found: dict[str, None] = {}
    fields = {name: value for name, value in metadata.items() if name not in (SECTION_ANCHORS, BROKEN_ANCHORS)}
    for field, value in _values({"doc_type": doc_type, "ingestion_id": ingestion_id, **fields}):
        for key in _keys(field, value):
            found.setdefault(key, None)
        if len(found) >= MAX_FACETS:
            break
    return tuple(sorted(list(found)[:MAX_FACETS]))


def facets_of_document(document: StoredDocument) -> tuple[str, ...]:
    """``facets_of`` a document as it is stored."""
    return facets_of(document.doc_type, document.ingestion_id, document.metadata)


def meets(conditions: Sequence[Condition], facets: Collection[str]) -> bool:
    """Whether a document with these facets meets all of them."""
    return all(each.meets(facets) for each in conditions)


def field_values(facets: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(field, value) of the keys that say what a field is; a field without short values is there with an empty one."""
    told = set()
    for facet in facets:
        field, mark, value = facet.partition(_IS)
        if mark:
            told.add(field)
            yield field, value
    for facet in facets:
        if facet.endswith(_THERE) and facet[:-1] not in told:
            yield facet[:-1], ""


def normal(text: str) -> str:
    """A name or a value as it is compared: NFC, case folded, white space as single spaces, no control characters."""
    folded = unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode().casefold())
    return " ".join("".join(c if c.isprintable() or c.isspace() else " " for c in folded).split())


def _values(metadata: Mapping[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """(field, value) in order, lists one by one, fields of mappings by their path; what is empty is not there."""
    for name, value in metadata.items():
        field = normal(f"{prefix}{name}")[:MAX_FIELD]
        if not field:
            continue
        for each in value if isinstance(value, list | tuple) else [value]:
            if isinstance(each, Mapping):
                if depth < MAX_DEPTH:
                    yield from _values(each, f"{field}.", depth + 1)
            elif (said := _said(each)) and (text := normal(said)):
                yield field, text


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return "" if value is None or isinstance(value, list | tuple) else str(value)


def _keys(field: str, value: str) -> Iterator[str]:
    """The keys of one value: that the field is there, what it is, and where it stands among others."""
    yield f"{field}{_THERE}"
    if len(value) <= MAX_VALUE:
        yield f"{field}{_IS}{value}"
        number = _number(value)
        yield f"{field}{_ORDER}{_TEXT}{value}" if number is None else f"{field}{_ORDER}{_NUMBER}{_ordered(number)}"


def _ranges(field: str, operator: Operator, value: str) -> Iterator[Between]:
    number = _number(value)
    if number is not None:
        yield _between(f"{field}{_ORDER}{_NUMBER}", operator, _ordered(number))
    if number is None or _DATE.fullmatch(value):
        yield _between(f"{field}{_ORDER}{_TEXT}", operator, value)


def _between(head: str, operator: Operator, key: str) -> Between:
    """The keys after ``head`` that stand so to ``key`` and what begins with it."""
    ranges = {
        ">=": Between(head + key, head + _LAST),
        ">": Between(head + key + _LAST, head + _LAST),
        "<": Between(head, head + key),
        "<=": Between(head, head + key + _LAST),
    }
    return ranges[operator]


def _number(value: str) -> float | None:
    found = float(value) if _NUMERIC.fullmatch(value) else None
    return found if found is not None and math.isfinite(found) else None


def _ordered(number: float) -> str:
    """16 hex digits in the order of numbers."""
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))
    return f"{bits ^ (0xFFFFFFFFFFFFFFFF if bits >> 63 else 0x8000000000000000):016x}"
