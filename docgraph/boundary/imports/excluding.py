"""Which files of a folder are no documents: what its ``.gitignore`` files say, and patterns that were given."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import regex
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from docgraph.domain.imports.look import Unread
from docgraph.errors import RequestError

GITIGNORE = ".gitignore"
IGNORED_FOLDERS = frozenset({"__pycache__", "node_modules", "venv", "site-packages"})
"""Folders that hold other people's code: no import goes into them."""

MAX_GITIGNORE, MAX_PATTERNS, MAX_PATTERN, MAX_STARS = 200_000, 5_000, 500, 20
"""Bytes of one such file, patterns of one, characters of a pattern, stars in it."""

SECONDS = 0.02
"""What one pattern may take on one name; one that takes longer is used no more."""

SHOWN = 3
_FOLDER = "ps_d"
"""The group of the library's expressions that is there where a folder matched, this one or one above."""

_HINT = "write it as in a .gitignore: *.tmp, build/, /drafts/**/old-*.md"


@dataclass
class _Pattern:
    """One line: ``excludes`` is false for ``!…``; ``matcher`` is None once it took too long."""

    text: str
    excludes: bool
    matcher: regex.Pattern[str] | None


class Rules(NamedTuple):
    """The patterns of one file, or those that were given; names are seen from ``folder`` (``""``, ``docs/``)."""

    label: str
    folder: str
    patterns: tuple[_Pattern, ...]


@dataclass
class Excluded:
    """What was passed over: by the pattern that did it, how many files and folders and the first of them."""

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, by: str) -> None:
        """One file or folder."""
        self.counts[by] = self.counts.get(by, 0) + 1
        there = self.places.setdefault(by, [])
        if len(there) < SHOWN:
            there.append(_shown(name))

    @property
    def told(self) -> tuple[Unread, ...]:
        """By pattern, the most frequent first."""
        ordered = sorted(self.counts.items(), key=lambda pair: (-pair[1], pair[0]))
        return tuple(Unread(n=n, cause=by, places=tuple(self.places[by])) for by, n in ordered)


def _shown(name: str) -> str:
    """A name as a report can hold it: on one line, control characters as escapes, at most 300 characters."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name[:300])


def patterns_of(given: Sequence[str] | str) -> tuple[str, ...]:
    """Patterns of files to leave out; a single one may stand without its list. Raises RequestError for other things."""
    patterns = (given,) if isinstance(given, str) else tuple(given)
    if strange := next((each for each in patterns if not isinstance(each, str)), None):
        raise RequestError(
            f"{str(strange)[:60]!r} is not a pattern of files to leave out", hint='give texts: ["*.tmp"]'
        )
    return patterns


def given_rules(patterns: Iterable[str]) -> tuple[Rules, ...]:
    """The rules of patterns that somebody gave, in the syntax of ``.gitignore``; they count before the folder's own.

    Raises RequestError for one that is none.
    """
    made = []
    for text in patterns:
        pattern = _pattern(text) if text.strip() else None
        if pattern is None:
            raise RequestError(f"{text[:80]!r} is not a pattern of files to leave out", hint=_HINT)
        made.append(pattern)
    return (Rules("exclude", "", tuple(made)),) if made else ()


def rules_of(data: bytes, *, folder: str) -> tuple[Rules, int]:
    """(the rules of a ``.gitignore`` in ``folder``, how many of its lines cannot be used)."""
    patterns: list[_Pattern] = []
    unused = 0
    for line in data.decode("utf-8-sig", "replace").splitlines():
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        pattern = _pattern(line) if len(patterns) < MAX_PATTERNS else None
        if pattern is None:
            unused += 1
        else:
            patterns.append(pattern)
    return Rules(f"{folder}{GITIGNORE}", folder, tuple(patterns)), unused


def excluded_by(name: str, rules: Sequence[Rules], *, is_folder: bool = False) -> str:
    """Which pattern leaves a file or folder out, as a report says it; empty where none does.

    The last of ``rules`` that says anything counts, and of its patterns the last one. What lies in a folder that is
    left out is not asked about: a pattern cannot bring it back, as in Git.
    """
    for each in reversed(rules):
        if not name.startswith(each.folder):
            continue
        path = name[len(each.folder) :]
        for pattern in reversed(each.patterns):
            if _matches(pattern, path, is_folder=is_folder):
                return f"{each.label}: {_shown(pattern.text)}" if pattern.excludes else ""
    return ""


def excluded_within(name: str, rules: Sequence[Rules]) -> str:
    """The same for a file of which nobody walked through the folders: each of them is asked about first."""
    folders: list[str] = []
    at = posixpath.dirname(name)
    while at:
        folders.append(at)
        at = posixpath.dirname(at)
    for folder in reversed(folders):
        if by := excluded_by(folder, rules, is_folder=True):
            return by
    return excluded_by(name, rules)


def _pattern(text: str) -> _Pattern | None:
    """A line of a ``.gitignore``; None for what is none, or more than is used."""
    if len(text) > MAX_PATTERN or text.count("*") > MAX_STARS:
        return None
    try:
        made = GitIgnoreSpecPattern(text)
        if made.include is None or made.regex is None:
            return None
        return _Pattern(text.strip(), made.include, regex.compile(made.regex.pattern))
    except (ValueError, regex.error, RecursionError, OverflowError):
        return None


def _matches(pattern: _Pattern, name: str, *, is_folder: bool) -> bool:
    """Whether a pattern is about this file or folder itself, and not about a folder above it."""
    if pattern.matcher is None:
        return False
    try:
        found = pattern.matcher.search(name, timeout=SECONDS)
        if found is not None and found.groupdict().get(_FOLDER) is None:
            return True
        within = f"{name}/"
        return is_folder and any(
            each.groupdict().get(_FOLDER) is not None and each.end() == len(within)
            for each in pattern.matcher.finditer(within, timeout=SECONDS)
        )
    except TimeoutError:
        pattern.matcher = None
        return False
