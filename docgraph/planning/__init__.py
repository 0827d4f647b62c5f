"""Decides which documents are read: ranking, scope, one-hop expansion, explanation."""
