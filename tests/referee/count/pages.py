"""Pages of HTML: a link is the ``href`` of an ``a``, against ``base`` where there is one (WHATWG HTML, 4.6)."""

from __future__ import annotations

import posixpath

import lxml.html

from tests.referee.count.folder import Folder, Pairs, joined, local, pairs_of
from tests.referee.count.markdown import cleared


def html(folder: Folder) -> Pairs:
    """A path that ends in ``/`` is the ``index.html`` there."""
    pages = folder.named(".html", ".htm", ".xhtml")
    found: list[tuple[str, str | None]] = []
    for name in pages:
        tree = cleared(lxml.html.document_fromstring(folder.data(name)))
        base = next((each.get("href", "") for each in tree.iter("base")), "")
        if base and not local(base):
            continue
        here = posixpath.join(posixpath.dirname(name), posixpath.dirname(local(base)))
        for each in tree.iter("a", "area"):
            if path := local(each.get("href") or ""):
                at = joined(here, path)
                target = next((p for p in (at, f"{at}/index.html", f"{at}/index.htm") if p in pages), None)
                found.append((name, target))
    return pairs_of(found)
