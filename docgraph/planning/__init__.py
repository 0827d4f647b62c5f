"""Decides which documents may take part: ranking, scope, one-hop expansion, explanation."""
