"""Library: workspaces, import, documents, health, limits."""

from docgraph.ui.library.page import library

PAGE = {"title": "Library", "order": 90}

library()
