"""What people call documents that are numbered by their files alone (``adr/0007-yaml.md`` → ADR-7)."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from docgraph.domain.imports.numbering import number_in, own_words

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
_NAMED = re.compile(r"(?<![\w/-])([A-Z][A-Za-z]{1,11}?)s?(?:[- ]#?|(?=0))0*(\d{1,6})(?![\w.]\w)")
_FEW, _SHARE, _OWN_SHARE = 3, 0.8, 0.3
_MOST = 1_000
_PAGES = ("readme", "index", "_index")


@dataclass(frozen=True)
class Member:
    """A document whose file begins with a number: where it lies, the number, and words before it in its own text."""

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
        words = {folder: self._word_of(folder, members) for folder, members in groups.items() if _is_series(members)}
        rest = {folder: groups[folder] for folder, word in words.items() if not word}
        together = [each for members in rest.values() for each in members]
        for folder, members in rest.items():
            words[folder] = self._in_texts(together if _is_series(together) else members, self._names(folder))
        for folder, word in sorted(words.items()):
            yield from ((each.document_id, f"{word}-{each.number}") for each in groups[folder] if word)

    def _word_of(self, folder: str, members: Sequence[Member]) -> str:
        """What the members of a folder are called by their own texts, or by the name of a folder around them."""
        own = Counter(word for each in members for word in each.words if word.casefold() not in _NO_SERIES)
        word, n = next(iter(own.most_common(1)), ("", 0))
        if n >= max(_FEW, _OWN_SHARE * len(members)):
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
            least = 1 if word.casefold() in singular or self._explained.get(word, set()) & numbers else _FEW - 1
            is_name = word.isupper() or word.casefold() in singular
            if is_name and word.casefold() not in _NO_SERIES and len(fitting) >= least:
                best += [(-len(fitting), word)] if len(fitting) >= _SHARE * len(here) else []
        return min(best)[1] if len(numbers) >= _FEW and best else ""


def _numbers_in(text: str) -> Iterator[tuple[str, int]]:
    for n, found in enumerate(_NAMED.finditer(text)):
        if n >= _MOST:
            return
        yield found[1], int(found[2])


def _by_folder(members: Iterable[Member]) -> Mapping[str, list[Member]]:
    found: dict[str, list[Member]] = {}
    for each in members:
        found.setdefault(each.folder, []).append(each)
    return found


def _is_series(members: Sequence[Member]) -> bool:
    """Whether nearly every number is that of one member."""
    return len({each.number for each in members}) >= _SHARE * len(members)


def _word_of_folder(name: str) -> str:
    """``adr`` → ADR, ``rfcs`` → RFC, ``decisions`` → ADR; empty for a name that says nothing."""
    folded = name.casefold()
    if _DECISIONS.fullmatch(folded):
        return "ADR"
    single = folded.removesuffix("s")
    return single.upper() if single in _SERIES else ""
