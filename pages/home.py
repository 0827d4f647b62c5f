"""Home: what the workspace holds, one question box, samples that each show another effect, and the ways on."""

from docgraph.ui.home.page import home

PAGE = {"title": "Ask", "order": 10, "place": "Ask"}

home()
