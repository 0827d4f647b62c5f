"""Series of numbered documents, learnt from names, fields, titles and texts: none of them is known beforehand."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from docgraph.domain.imports.profile import Series

_STEM = re.compile(r"(?:([A-Za-z]{2,12})[-_ ]?)?0*(\d{1,6})(?=$|[-_. ])")
_DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?(?!\d)|\d{8}")
_VALUE = re.compile(r"(?:([A-Za-z]{2,12})[-_ ]?)?#?0*(\d{1,6})")
_FIELD_WORD = re.compile(r"([A-Za-z]{2,12})(?:[-_ ](?:number|num|no|nr|id))?", re.IGNORECASE)
_NO_WORD = frozenset({"number", "num", "no", "nr", "id", "order", "weight", "section", "position", "index", "version"})
_NO_FIELD = ("order", "weight", "position", "title", "name", "label")
_FEW, _SHARE, _MANY = 3, 0.1, 20
_AGREE = 0.8
_NAMED = 0.3
_FIRST = 6_000


@dataclass(frozen=True)
class Numbered:
    """What a document's number can be read from."""

    document: str
    stem: str
    fields: Mapping[str, Any]
    title: str = ""
    text: str = ""


def number_in(stem: str) -> tuple[str, int] | None:
    """(word in lower case, number) that a name starts with: ``eip-20`` → eip 20, ``0004-dns`` → "" 4; not of a date."""
    if _DATE.match(stem):
        return None
    found = _STEM.match(stem)
    return ((found[1] or "").casefold(), int(found[2])) if found else None


def number_of(value: Any) -> int | None:
    """The number that a field holds: 1967, "1967", "KEP-1967"."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 0 <= value < 1_000_000 else None
    found = _VALUE.fullmatch(value.strip()) if isinstance(value, str) else None
    return int(found[2]) if found else None


@dataclass(frozen=True)
class Group:
    """Documents whose names have one word before a number; ``field`` states the numbers of most of them, if any."""

    word: str
    members: tuple[Numbered, ...]
    numbers: Mapping[str, int]
    field: str


def numbered_groups(documents: Sequence[Numbered]) -> list[Group]:
    """The groups that make a series, the largest first; ``numbers`` are those of the names."""
    groups: dict[str, dict[str, int]] = {}
    members: dict[str, list[Numbered]] = {}
    for each in documents:
        if found := number_in(each.stem):
            groups.setdefault(found[0], {})[each.document] = found[1]
            members.setdefault(found[0], []).append(each)
    return [
        Group(word, tuple(members[word]), numbers, _field(members[word], numbers))
        for word, numbers in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))
        if _is_series(numbers, len(documents))
    ]


def learn_series(
    documents: Sequence[Numbered], called: Mapping[str, str] | None = None
) -> list[tuple[Series, dict[str, int]]]:
    """Each series with the number of each of its documents; ``called`` = document → what people call it: ADR-7."""
    learnt = []
    for group in numbered_groups(documents):
        members, field = group.members, group.field
        name = _written(group.word, members) or _word_of_field(field) or _word_in_texts(members, group.numbers)
        name = name or _word_called(members, called or {})
        learnt.append((Series(word=name, field=field), {**group.numbers, **_stated(members, field)}))
    return learnt


def numbers_of(series: Series, documents: Iterable[Numbered]) -> dict[str, int]:
    """The documents of a series by their own field, else by their name."""
    found = {}
    for each in documents:
        stated = number_of(field_value(each.fields, series.field)) if series.field else None
        if stated is not None:
            found[each.document] = stated
        elif (in_name := number_in(each.stem)) and in_name[0] in ("", series.word.casefold()):
            found[each.document] = in_name[1]
    return found


def field_value(fields: Mapping[str, Any], name: str) -> Any:
    """A field whatever its case."""
    if name in fields:
        return fields[name]
    return next((value for each, value in fields.items() if each.casefold() == name.casefold()), None)


def stem_of(name: str, page: str | None) -> str:
    """What a document is called: its file, or its folder where the file is only the ``page`` of it."""
    folder, base = posixpath.split(name)
    stem = base.rsplit(".", 1)[0]
    return posixpath.basename(folder) if page and stem.casefold() == page.casefold() and folder else stem


def _is_series(numbers: Mapping[str, int], n_documents: int) -> bool:
    enough = len(numbers) >= max(_FEW, min(_SHARE * n_documents, _MANY))
    return enough and len(set(numbers.values())) >= _AGREE * len(numbers)


def _field(members: Sequence[Numbered], numbers: Mapping[str, int]) -> str:
    """The field that states most members' own numbers; empty where none does."""
    agree = Counter(
        name for each in members for name, value in each.fields.items() if number_of(value) == numbers[each.document]
    )
    for name, n in sorted(agree.items(), key=lambda pair: (-pair[1], pair[0])):
        word = _FIELD_WORD.fullmatch(name)
        if n >= _AGREE / 2 * len(members) and word and name.casefold() not in _NO_FIELD:
            return name
    return ""


def _stated(members: Sequence[Numbered], field: str) -> dict[str, int]:
    found = ((each.document, number_of(each.fields.get(field))) for each in members) if field else ()
    return {document: number for document, number in found if number is not None}


def _written(word: str, members: Sequence[Numbered]) -> str:
    """A word of file names as people write it: in capitals, unless titles write it otherwise."""
    if not word:
        return ""
    seen = Counter(
        found[1] for each in members if (found := re.match(rf"({re.escape(word)})[-_ ]?\d", each.title, re.IGNORECASE))
    )
    return seen.most_common(1)[0][0] if seen else word.upper()


def _word_of_field(field: str) -> str:
    found = _FIELD_WORD.fullmatch(field)
    return found[1].upper() if found and found[1].casefold() not in _NO_WORD else ""


def _word_called(members: Sequence[Numbered], called: Mapping[str, str]) -> str:
    """The word that nearly all members are called by."""
    seen = Counter(called[each.document].rpartition("-")[0] for each in members if each.document in called)
    word, n = next(iter(seen.most_common(1)), ("", 0))
    return word if n >= _AGREE * len(members) else ""


def _word_in_texts(members: Sequence[Numbered], numbers: Mapping[str, int]) -> str:
    """The word before a document's own number in its title or first lines, where enough of them have it."""
    seen = Counter(word for each in members for word in own_words(each.title, each.text, numbers[each.document]))
    word, n = next(iter(seen.most_common(1)), ("", 0))
    return word if n >= max(_FEW, _NAMED * len(members)) else ""


def own_words(title: str, text: str, number: int) -> frozenset[str]:
    """Words that stand before a document's own number in its title or first lines."""
    place = f"{title}\n{text[:_FIRST]}"
    return frozenset(re.findall(rf"\b([A-Z][A-Za-z]{{1,11}})[- ]#?0*{number}\b", place))
