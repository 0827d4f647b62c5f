"""Habits of a folder: words that mean nothing, targets that everybody names, stubs, templates, languages."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from docgraph.domain.imports.fields import TARGET_KEYS, field_key
from docgraph.ingestion.profiling.addresses import Mention, is_web
from docgraph.ingestion.profiling.headers import Head
from docgraph.ingestion.profiling.paths import PathIndex, bare, normal

PLACEHOLDERS = frozenset(
    [
        "n/a",
        "na",
        "n.a.",
        "none",
        "nil",
        "null",
        "tbd",
        "tba",
        "todo",
        "tbc",
        "-",
        "--",
        "---",
        "?",
        "??",
        "unknown",
        "nothing",
        "no",
        "not-applicable",
        "xxx",
        "…",
    ]
) | {"not applicable", "to be determined", "to be defined", "not yet"}
"""Words by which authors say that a field names nothing; those that a folder uses are proposed."""
_STUB_FIELDS = ("status", "state", "type", "layout")
_STUB_VALUES = frozenset({"moved", "redirect", "redirected", "stub", "alias", "relocated"})
_REDIRECTS = ("redirect_to", "redirect", "moved_to")
ANY_VALUE = "*"
SHORT = 300
"""Characters of text under which a document is proposed as a stub."""
_FEW_STUBS = 0.1
_MANY, _SHARE, _SAME, _NEARLY_ALL = 5, 0.15, 0.7, 0.6
_FORMAL = re.compile(r"licen[cs]e|copying|copyright|template|contributing|conduct|notice|disclaimer|imprint|privacy")
_TEMPLATE_FOLDERS = ("_layouts", "_includes", "layouts", "partials", "_templates", "templates", "_partials")
_DIGITS = re.compile(r"\d+")
_LANGUAGES = frozenset(
    [
        "ar",
        "bg",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "en",
        "en-gb",
        "en-us",
        "es",
        "es-es",
        "et",
        "fa",
        "fi",
        "fr",
        "he",
        "hi",
        "hr",
        "hu",
        "id",
        "it",
        "ja",
        "ko",
        "lt",
        "lv",
        "nl",
        "no",
        "pl",
        "pt",
        "pt-br",
        "ro",
        "ru",
        "sk",
        "sl",
        "sr",
        "sv",
        "th",
        "tr",
        "uk",
        "vi",
        "zh",
        "zh-cn",
        "zh-hans",
        "zh-hant",
        "zh-tw",
    ]
)


def values_in(value: Any, depth: int = 0) -> list[str]:
    """The names that a field gives, as written: of a text, a number, a list, or of mappings with a target."""
    if isinstance(value, bool) or value is None or depth > 4:
        return []
    if isinstance(value, str | int):
        text = " ".join(str(value).split())
        return [text] if text else []
    if isinstance(value, Mapping):
        key = next((key for key in TARGET_KEYS if value.get(key) not in (None, "")), None)
        return values_in(value[key], depth + 1) if key else []
    if isinstance(value, list | tuple):
        return [name for item in value[:1_000] for name in values_in(item, depth + 1)]
    return []


def plain_word(name: str) -> str:
    """A word as it is compared: without quotation marks and brackets around it, in lower case."""
    return name.strip().strip("\"'()[]").casefold()


def is_placeholder(name: str, words: Collection[str]) -> bool:
    """Whether a name is one of the (casefolded) words that mean nothing."""
    return plain_word(name) in words


def placeholders(declared: Iterable[Mention]) -> list[Mention]:
    """Declared names that mean nothing."""
    return [each for each in declared if is_placeholder(each.text, PLACEHOLDERS)]


def target_of(href: str, folder: str) -> str | None:
    """A link's target from the top of the folder; ``../`` in front where it leads out; None for web addresses."""
    path = bare(href)
    if not path or is_web(path) or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//", path):
        return None
    inside = normal(folder, path)
    if inside is not None:
        return f"/{inside}"
    return posixpath.normpath(posixpath.join(folder, path))


def boilerplate(heads: Sequence[Head], roots: Collection[str], places: PathIndex) -> dict[str, list[Mention]]:
    """Targets that many documents name in one and the same line: a licence, a template; or nearly all of them."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for head in heads:
        for link in head.links:
            target = target_of(link.href, head.folder)
            if target is None or not link.label:
                continue
            root = next((root for root in roots if target.startswith(root)), "/")
            target = f"/{target[len(root) :]}" if target.startswith("/") else target
            document = places.document(target[1:]) if target.startswith("/") else None
            found[f"/{document}" if document else target].setdefault(head.name, link.line)
    chosen: dict[str, list[Mention]] = {}
    for target, lines in sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        if len(lines) < max(_MANY, _SHARE * len(heads)):
            break
        same = Counter(_DIGITS.sub("0", line) for line in lines.values()).most_common(1)[0][1]
        is_formal = bool(_FORMAL.search(target.casefold())) or len(lines) >= _NEARLY_ALL * len(heads)
        if is_formal and same >= _SAME * len(lines):
            chosen[target] = [Mention(source, line) for source, line in lines.items()]
    return chosen


def stub_values(heads: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[dict[str, tuple[str, ...]], list[Mention]]:
    """(field → values that say a document only points elsewhere, the documents that have one)."""
    values: dict[str, set[str]] = defaultdict(set)
    found = []
    for name, fields in heads:
        for field, value in fields.items():
            key = field_key(field)
            if key in _REDIRECTS and isinstance(value, str) and value.strip():
                values[field].add(ANY_VALUE)
                found.append(Mention(name, f"{field}: {value.strip()[:100]}"))
            elif key in _STUB_FIELDS and isinstance(value, str) and value.strip().casefold() in _STUB_VALUES:
                values[field].add(value.strip())
                found.append(Mention(name, f"{field}: {value.strip()}"))
            else:
                continue
            break
    return {field: tuple(sorted(each)) for field, each in sorted(values.items())}, found


def short_texts(heads: Sequence[Head]) -> list[Mention]:
    """Documents with almost no text of their own, where they are the exception."""
    short = [Mention(head.name, f"{head.n_text:,} characters") for head in heads if 0 < head.n_text < SHORT]
    return short if len(short) <= _FEW_STUBS * len(heads) else []


def template_folders(heads: Sequence[Head]) -> dict[str, list[Mention]]:
    """Folders that hold page templates, as paths from the top with ``/`` at the end."""
    found: dict[str, list[Mention]] = defaultdict(list)
    for head in heads:
        parts = head.name.split("/")[:-1]
        place = next((i for i, part in enumerate(parts) if part.casefold() in _TEMPLATE_FOLDERS), None)
        if place is not None:
            found["/".join(parts[: place + 1]) + "/"].append(Mention(head.name, "a template" * head.is_template))
    return {
        folder: mentions
        for folder, mentions in sorted(found.items())
        if sum(bool(each.text) for each in mentions) * 2 >= len(mentions)
    }


def languages(names: Iterable[str]) -> dict[str, int]:
    """Language → documents whose path names it (``de/``, ``.fr.md``); empty where fewer than two are named."""
    counted: Counter[str] = Counter()
    for name in names:
        parts = name.casefold().replace("_", "-").split("/")
        pieces = parts[-1].split(".")
        candidates = [*parts[:-1][:3], *(pieces[-2:-1] if len(pieces) > 2 else [])]
        if language := next((each for each in candidates if each in _LANGUAGES), None):
            counted[language] += 1
    return dict(sorted(counted.items())) if len(counted) > 1 else {}
