"""Query sets: on how many of one's questions it helps, and where it hurts; passages judged one at a time, blind."""

from docgraph.ui.query_sets.page import query_sets_page

PAGE = {"title": "Query sets", "order": 45}

query_sets_page()
