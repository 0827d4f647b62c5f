"""The old address of saved runs: the page Questions, with the saved run open that the address names."""

from docgraph.ui.query_sets.page import questions_page

PAGE = {"title": "Saved runs", "order": 60, "place": "Questions"}

questions_page()
