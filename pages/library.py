"""Library: workspaces, import, documents, health, limits."""

from docgraph.ui.library.page import library

PAGE = {"title": "Workspace", "order": 80, "place": "Workspace"}

library()
