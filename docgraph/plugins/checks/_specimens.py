"""Documents that stand for others: templates, and the data of tests. What they name is made up."""

from __future__ import annotations

import itertools
import re

from docgraph.domain.graph import StoredDocument
from docgraph.plugins.checks._wording import plain

_BLANK = re.compile(r"\s*(?:\[[^\[\]]{1,300}\]|<[^<>]{1,300}>|\{{1,2}[^{}]{1,300}\}{1,2})\s*")
"""A title that is a blank to be filled in: ``[short title of the problem]``, ``<Title>``, ``{title}``."""
_DATA = frozenset(("fixture", "fixtures", "testdata"))
_TESTS = frozenset(("test", "tests"))
_OF_TESTS = frozenset(("data", "files", "input", "inputs", "resources", "samples"))
_PARTS = frozenset(("_includes", "_layouts", "_partials", "_static", "_templates"))


def is_specimen(document: StoredDocument) -> bool:
    """Whether a document is a template or data of tests, by its title or by the path of its source."""
    return _BLANK.fullmatch(document.title) is not None or is_specimen_path(document.source or document.document_id)


def is_specimen_path(path: str) -> bool:
    """``0000-template.md``, ``NNNN-kep-template/README.md``, ``core/tests/files/REQ.md``, ``fixtures/a.md``."""
    *folders, name = path.replace("\\", "/").casefold().split("/")
    stem = name.rpartition(".")[0] or name
    names = [folders[-1]] if stem in ("readme", "index") and folders else [stem]
    if any(plain(each).split()[-1:] == ["template"] for each in (*names, *folders[-1:])):
        return True
    joined = [each.replace("_", "").replace("-", "") for each in folders]
    beside = itertools.pairwise(joined)
    return not _DATA.isdisjoint(joined) or any(a in _TESTS and b in _OF_TESTS for a, b in beside)


def is_part_of_pages(document: StoredDocument) -> bool:
    """Whether a document is what a generator makes pages of, and no page: it lies in ``_layouts`` or ``_templates``."""
    return not _PARTS.isdisjoint((document.source or document.document_id).casefold().split("/")[:-1])
