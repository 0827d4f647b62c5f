"""The pictures of README.md and docs, taken from the product as it is, each with its words as text beside it."""
