"""The Conversation page."""
