"""Series of numbered documents, learnt from names, fields, titles and texts: none of them is known beforehand."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


_DECISIONS = re.compile(
    r"(?:architectur(?:e|al)[-_ ]?)?(?:decisions?|decision[-_ ](?:records?|log)|adrs?)"
    r"|m?adr[-_ ]?(?:docs?|records?|log)"
)
_SERIES = frozenset(
    re.findall(
        r"\w+",
        "aip bip cep cip ddr dip dr ead edr eip enhancement erc fep flip hip jep kep kip lip mep nep nip otep pdr pep "
        "pip rep rfc rfd sep sip slep srfi tdr tep tip xep zip",
    )
)
"""Names of folders that say what is in them is called so."""
_NO_SERIES = frozenset(
    re.findall(
        r"\w+",
        "aes api appendix april argument article august base bug build chapter chrome commit css day december entry es "
        "example february figure firefox fig go html http https id ipv iso issue item january java july june key "
        "level line lines march may md mp no node note november nr number october option page part phase php point "
        "port pr python q release rest rsa rule section september sha slide sql stage step sub table task tcp tls top "
        "types udp usb utf version vol volume week windows year",
    )
)
"""Words that stand before numbers of something else."""
_MENTION = re.compile(r"(?<![\w/-])([A-Z][A-Za-z]{1,11}?)s?(?:[- ]#?|(?=0))0*(\d{1,6})(?![\w.]\w)")
_FEW_WORDS, _WORD_SHARE, _OWN_SHARE = 3, 0.8, 0.3
_MOST = 1_000
_PAGES = ("readme", "index", "_index")


@dataclass(frozen=True)
class Member:
    """A document whose file begins with a number: its folder, the number, and words before it in its own text."""

    document_id: str
    folder: str
    number: int
    words: frozenset[str]


class SeriesWords:
    """Learns from the documents of one import, one by one, what those that have numbers only are called."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._members: list[Member] = []
        self._named: dict[str, set[int]] = {}
        self._explained: dict[str, set[int]] = {}

    def note(
        self, document_id: str, source: str, *, title: str, text: str, named: Iterable[tuple[str, int]] | None = None
    ) -> None:
        """Remember what a document tells of series: its own number, and the words before numbers in its text.

        ``named`` = those words with their numbers, where they are known already.
        """
        folder, base = posixpath.split(source)
        stem = base.rsplit(".", 1)[0]
        is_page = stem.casefold() in _PAGES
        if is_page and folder and number_in(posixpath.basename(folder)):
            folder, stem = posixpath.split(folder)
        found = number_in(stem)
        if found is not None and not found[0] and "template" not in stem.casefold():
            self._members.append(Member(document_id, folder, found[1], own_words(title, text, found[1])))
        told = self._explained if is_page else self._named
        for word, number in _numbers_in(text) if named is None else named:
            told.setdefault(word, set()).add(number)

    def called(self) -> Iterator[tuple[str, str]]:
        """(document id, ``ADR-7``) of each that has a word of its own."""
        groups = _by_folder(self._members)
        words = {
            folder: self._word_of(folder, members) for folder, members in groups.items() if _is_named_series(members)
        }
        rest = {folder: groups[folder] for folder, word in words.items() if not word}
        together = [each for members in rest.values() for each in members]
        for folder, members in rest.items():
            words[folder] = self._in_texts(together if _is_named_series(together) else members, self._names(folder))
        for folder, word in sorted(words.items()):
            yield from ((each.document_id, f"{word}-{each.number}") for each in groups[folder] if word)

    def _word_of(self, folder: str, members: Sequence[Member]) -> str:
        """What the members of a folder are called by their own texts, or by the name of a folder around them."""
        own = Counter(word for each in members for word in each.words if word.casefold() not in _NO_SERIES)
        word, n = next(iter(own.most_common(1)), ("", 0))
        if n >= max(_FEW_WORDS, _OWN_SHARE * len(members)):
            return word
        return next(filter(None, map(_word_of_folder, self._names(folder))), "")

    def _names(self, folder: str) -> list[str]:
        """The names of a folder and of those that it lies in, the nearest first."""
        return [name for name in (*reversed(folder.split("/")), self._root) if name]

    def _in_texts(self, members: Sequence[Member], names: Sequence[str]) -> str:
        """The word that texts most often write before numbers of the series, and hardly before any other."""
        numbers = {each.number for each in members}
        singular = {name.casefold().rstrip("s") for name in names}
        best: list[tuple[int, str]] = []
        for word in sorted(self._named.keys() | self._explained.keys()):
            here = self._named.get(word, set()) | self._explained.get(word, set())
            fitting = here & numbers
            least = 1 if word.casefold() in singular or self._explained.get(word, set()) & numbers else _FEW_WORDS - 1
            is_name = word.isupper() or word.casefold() in singular
            if is_name and word.casefold() not in _NO_SERIES and len(fitting) >= least:
                best += [(-len(fitting), word)] if len(fitting) >= _WORD_SHARE * len(here) else []
        return min(best)[1] if len(numbers) >= _FEW_WORDS and best else ""


def _numbers_in(text: str) -> Iterator[tuple[str, int]]:
    for n, found in enumerate(_MENTION.finditer(text)):
        if n >= _MOST:
            return
        yield found[1], int(found[2])


def _by_folder(members: Iterable[Member]) -> Mapping[str, list[Member]]:
    found: dict[str, list[Member]] = {}
    for each in members:
        found.setdefault(each.folder, []).append(each)
    return found


def _is_named_series(members: Sequence[Member]) -> bool:
    """Whether nearly every number is that of one member."""
    return len({each.number for each in members}) >= _WORD_SHARE * len(members)


def _word_of_folder(name: str) -> str:
    """``adr`` → ADR, ``rfcs`` → RFC, ``decisions`` → ADR; empty for a name that says nothing."""
    folded = name.casefold()
    if _DECISIONS.fullmatch(folded):
        return "ADR"
    single = folded.removesuffix("s")
    return single.upper() if single in _SERIES else ""
