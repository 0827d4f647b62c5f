"""Runs: saved runs, found again, compared, reviewed, exported and put away."""

from docgraph.ui.runs.page import runs_page

PAGE = {"title": "Runs", "order": 70}

runs_page()
