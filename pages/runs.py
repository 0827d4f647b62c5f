"""Runs: saved runs, found again, compared, reviewed, exported and put away."""

from docgraph.ui.runs.page import runs_page

PAGE = {"title": "Saved runs", "order": 60, "place": "Questions"}

runs_page()
