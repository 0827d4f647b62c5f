"""Plan: what will be read for a question, why each document is in, and what was cut."""

from docgraph.ui.plan.page import plan_page

PAGE = {"title": "Plan", "order": 20, "place": "Ask"}

plan_page()
