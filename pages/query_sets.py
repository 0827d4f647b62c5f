"""Questions: what is saved, with what relationships change in it, sets that are run, and passages judged blind."""

from docgraph.ui.query_sets.page import questions_page

PAGE = {"title": "Questions", "order": 50, "place": "Questions"}

questions_page()
