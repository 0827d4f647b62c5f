"""Obeys a plan: fetches chunks from its documents only, blind to why they are in."""
