"""Relationships: findings of the checks judged one by one, all edges, vocabulary, suggestions, history."""

from docgraph.ui.relationships.page import relationships_page

PAGE = {"title": "Relationships", "order": 70, "place": "Relationships"}

relationships_page()
