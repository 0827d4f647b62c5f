"""Names of documents: what each is called by, and which names a question holds (ids, numbers, aliases, titles)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from docgraph.domain.graph import StoredDocument
from docgraph.domain.spelling import plain_letters

MAX_NAME_WORDS = 16
"""Words of the longest name that is looked for."""
MAX_QUESTION = 2_000
"""Characters of a question in which names are looked for."""
MAX_SHARED = 3
"""A name that more documents share names none of them."""

NUMBERED_AS = "numbered_as"
"""Field of metadata that says what people call a document by its number, where only its file's name has one: ADR-7."""

_MARKS = r"\u00ad\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u3099\u309a"
_WORD = re.compile(rf"[^\W\d_](?:[^\W\d_]|[{_MARKS}])*|\d+")
"""A word may be written with marks behind its letters, and with hyphens that are not shown."""
_CODE = re.compile(r"^\W*([^\W\d_]{1,12})[\s_-]{0,2}(\d{1,9}(?:[.-]\d{1,9}){0,3})(?![.-]?\d)")
_NUMBERED = re.compile(r"^\W*([^\W\d_]{2,12})[ _-]?0*(\d{1,9})\W*$")
"""A name in a series and nothing else: ``EIP-2070``."""
_FILE_ENDING = re.compile(r"(?<=.)\.[^\W\d_]\w*$")
_AFTER_CODE = re.compile(r"^\s*[:.\u2013\u2014-]+\s*")
_SENTENCE_END = ".!?:;\n"
_FILLERS = frozenset(re.findall(r"\w+", "a an and as at by for from in is it of on or the this that to with"))
"""Words that make no name of a single other word."""


class Naming(NamedTuple):
    """One place in a question that may be a name: its words as typed, where they begin and end (characters)."""

    key: str
    text: str
    start: int
    end: int


def composed(text: str) -> str:
    """``text`` with every letter and its marks as one character (NFC): file systems and keyboards differ there."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def folded(name: str) -> str:
    """A name as it is compared with others: composed, whatever its case."""
    return name.casefold() if name.isascii() else composed(composed(name).casefold())


def readable_words(text: str) -> str:
    """``text`` as words are compared: ligatures as letters (NFKC), and no soft hyphens, which no reader sees."""
    return text if text.isascii() else unicodedata.normalize("NFKC", plain_letters(text))


def numbered(text: str) -> tuple[str, int] | None:
    """(series in lower case, number) of a label or of the last part of an id; None where it is no such name alone."""
    found = _NUMBERED.match(text.rsplit("/", 1)[-1].strip())
    return (found[1].casefold(), int(found[2])) if found else None


def names_another(label: str, target: str) -> bool:
    """Whether a label is a name of the target's series with another number: ``EIP-20`` on a link to ``eip-2``."""
    said, there = numbered(label), numbered(target)
    return said is not None and there is not None and said[0] == there[0] and said[1] != there[1]


def name_keys(document_id: str, title: str, metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """Every key that a document is found by, sorted: id, last part of a path, number ("ADR-014"), title, aliases.

    A key is the words in lower case, numbers without leading zeros; that of a single plain word begins with ``'``.
    """
    file = document_id.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem = _FILE_ENDING.sub("", file)
    names = [document_id, stem, title, *_codes(stem), *_codes(title), _after_code(title), *_aliases(metadata)]
    names += numbered_as(metadata)
    return tuple(sorted({key for name in names if (key := name_key(name))}))


def name_key(name: str) -> str:
    """The key of a name; empty for one without words, or with too many to be looked for."""
    words = [word for word, _, _ in _words(name)]
    if not words or len(words) > MAX_NAME_WORDS or all(word.isdigit() for word in words):
        return ""
    return _key(words)


def other_names(metadata: Mapping[str, Any], source: str = "") -> tuple[str, ...]:
    """What else a link may call a document: aliases, labels in menus, and the addresses that a site gives it.

    ``aliases`` (Obsidian), ``sidebar_label`` and ``nav_title`` (Docusaurus, Jekyll themes), ``uid`` (DocFX); ``slug``,
    ``permalink`` and ``url`` as paths from the root with ``/`` in front: a ``slug`` without one, and an ``id``,
    stand in the folder of ``source``.
    """
    names = [name.strip() for name in (*_aliases(metadata), *_texts(metadata, "sidebar_label", "nav_title", "uid"))]
    folder = source.replace("\\", "/").rpartition("/")[0]
    names += [f"/{slug}" if slug[0] == "/" else f"/{folder}/{slug}" for slug in _texts(metadata, "slug")]
    names += [path for path in _texts(metadata, "permalink", "url") if path[0] == "/"]
    names += [f"/{folder}/{own}" for own in _texts(metadata, "id") if folder and "/" not in own]
    return tuple(dict.fromkeys(filter(None, names)))


def numbered_as(metadata: Mapping[str, Any]) -> tuple[str, ...]:
    """``ADR-7``, where an import learnt that people call the document so."""
    return tuple(_texts(metadata, NUMBERED_AS))


def names_in(question: str) -> tuple[Naming, ...]:
    """Every stretch of a question that could be a name, longest first, then in order.

    A single plain word counts only with a capital inside a sentence: "the notifier" names no document, "the Notifier"
    may.
    """
    text = question[:MAX_QUESTION]
    words = [(*each, each[0].isdigit(), each[0] not in _FILLERS) for each in _words(text)]
    found: list[list[Naming]] = [[] for _ in range(MAX_NAME_WORDS)]
    for first, (_, start, *_) in enumerate(words):
        key, n_digits, n_telling = "", 0, 0
        for n, (word, _, end, is_digit, is_telling) in enumerate(words[first : first + MAX_NAME_WORDS]):
            key = f"{key} {word}" if n else word  # grows word by word: see _key
            n_digits += is_digit
            n_telling += is_telling
            if n_digits > n:
                continue
            plain = n_telling <= 1 and not n_digits
            if plain and not _stands_out([each[:3] for each in words[first : first + n + 1]], text):
                continue
            found[n].append(Naming(f"'{key}" if plain else key, text[start:end], start, end))
    return tuple(naming for of_length in reversed(found) for naming in of_length)


def called(namings: Sequence[Naming], documents: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """document_id → the words that name it, in order of the question; ``documents`` = key → ids that have it.

    A name inside a longer one that is found is not looked at; one that too many documents share names none.
    """
    taken: list[Naming] = []
    for naming in namings if documents else ():
        if not 0 < len(documents.get(naming.key, ())) <= MAX_SHARED:
            continue
        if not any(naming.start < other.end and other.start < naming.end for other in taken):
            taken.append(naming)
    found: dict[str, str] = {}
    for naming in sorted(taken, key=lambda each: each.start):
        for document_id in sorted(documents[naming.key]):
            found.setdefault(document_id, naming.text)
    return found


def named_among(keys: Sequence[str], documents: Iterable[StoredDocument]) -> dict[str, tuple[str, ...]]:
    """Key → ids of the documents that are called so, in order, at most one more than may share a name."""
    wanted, found = set(keys), dict[str, list[str]]()
    for document in documents:
        for key in wanted.intersection(name_keys(document.document_id, document.title, document.metadata)):
            found.setdefault(key, []).append(document.document_id)
    return {key: tuple(sorted(found[key])[: MAX_SHARED + 1]) for key in sorted(found)}


def _key(words: Sequence[str]) -> str:
    telling = [word for word in words if word not in _FILLERS]
    plain = len(telling) <= 1 and not any(word.isdigit() for word in words)
    return ("'" if plain else "") + " ".join(words)


def _words(text: str) -> Iterator[tuple[str, int, int]]:
    """(word in lower case, start, end); letters and digits are words of their own, zeros before a number go."""
    for match in _WORD.finditer(text):
        word = readable_words(match[0]).casefold()
        yield (word.lstrip("0") or "0") if word.isdigit() else word, match.start(), match.end()


def _stands_out(stretch: Sequence[tuple[str, int, int]], text: str) -> bool:
    """Whether the one telling word is written with a capital, and not only because a sentence begins with it."""
    for word, start, end in stretch:
        if word in _FILLERS:
            continue
        before = text[:start].rstrip(" \t\"'“‘(*`")
        return text[start:end] != text[start:end].lower() and bool(before) and before[-1] not in _SENTENCE_END
    return False


def _codes(name: str) -> Iterator[str]:
    """``ADR-014`` of ``ADR-014: Bounded queue`` and of ``adr-014-bounded-queue``, all of ``CVE-2024-1234``."""
    if (code := _CODE.match(name)) is not None:
        yield f"{code[1]} {code[2]}"


def _after_code(title: str) -> str:
    """``Bounded queue`` of ``ADR-014: Bounded queue``; empty for a title without a number before it."""
    code = _CODE.match(title)
    mark = _AFTER_CODE.match(title[code.end() :]) if code else None
    return title[code.end() + mark.end() :] if code and mark else ""


def _texts(metadata: Mapping[str, Any], *fields: str) -> Iterator[str]:
    values = (metadata.get(field) for field in fields)
    yield from (value.strip()[:500] for value in values if isinstance(value, str) and value.strip())


def _aliases(metadata: Mapping[str, Any]) -> Iterator[str]:
    for field in ("alias", "aliases"):
        value = metadata.get(field)
        given = _listed(value) if isinstance(value, str) else value if isinstance(value, list | tuple) else []
        yield from (each[:500] for each in given[:100] if isinstance(each, str))


def _listed(value: str) -> list[str]:
    """The names of a text that lists them with commas between; in quotes or brackets of their own they are whole."""
    bare = value.strip().removeprefix("[").removesuffix("]")
    return [
        name for part in bare.split(",") if (name := part.strip().strip("\"'").removeprefix("[[").removesuffix("]]"))
    ]
