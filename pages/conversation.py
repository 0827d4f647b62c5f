"""Conversation: questions over several turns, and how each turn was understood, asked and decided."""

from docgraph.ui.conversation.page import conversation_page

PAGE = {"title": "Conversation", "order": 40, "place": "Ask"}

conversation_page()
