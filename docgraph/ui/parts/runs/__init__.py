"""Saved runs on whatever page: kept, listed, and announced when one is shown frozen."""
