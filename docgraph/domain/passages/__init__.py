"""Which passages answer: the part of a question that asks, words as full text counts them, windows of a chunk, fit."""
