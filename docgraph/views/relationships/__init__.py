"""Relationship data as rows and words: edges, findings, history, exchange, suggestions, vocabulary."""
