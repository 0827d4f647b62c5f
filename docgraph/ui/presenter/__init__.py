"""Presenter mode: the story of one question for an audience."""
