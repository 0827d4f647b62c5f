"""Stored texts embedded: titles that lack their vectors, whole workspaces anew."""
