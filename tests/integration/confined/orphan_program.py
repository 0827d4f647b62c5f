"""Reads a file that never ends in the process for it, having said which that is; run to be killed."""

from __future__ import annotations

import sys

from docgraph import plugins
from docgraph.boundary.confined.process import Readers
from docgraph.domain.graph import Document
from docgraph.plugins.confined import MODULE, wrapped

if __name__ == "__main__":
    loader = wrapped(plugins.build("loaders", "hostile"), Readers(MODULE))
    (found,) = loader.load(b"pid", source="a.hostile")
    assert isinstance(found, Document)
    print(found.text, flush=True)
    list(loader.load(sys.argv[1].encode(), source="a.hostile"))
