"""Query sets: on how many of one's questions it helps, and where it hurts; passages judged one at a time, blind."""

from docgraph.ui.query_sets.page import query_sets_page

PAGE = {"title": "Questions", "order": 50, "place": "Questions"}

query_sets_page()
