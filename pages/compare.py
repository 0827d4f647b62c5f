"""Compare: what relationships changed between two runs of one question, and what it cost."""

from docgraph.ui.compare.page import compare_page

PAGE = {"title": "Compare", "order": 30, "place": "Ask"}

compare_page()
