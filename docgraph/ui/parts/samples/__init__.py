"""The sample corpus and its questions on whatever page."""
