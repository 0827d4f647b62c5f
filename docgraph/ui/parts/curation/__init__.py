"""Curating on whatever page: who edits, what is drafted, and the checks of a workspace."""
