"""Imports: how they are made, and what is kept of them."""
