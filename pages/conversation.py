"""Conversation: questions over several turns, and how each turn was understood, asked and decided."""

from docgraph.ui.conversation.page import conversation_page

PAGE = {"title": "Conversation", "order": 60}

conversation_page()
