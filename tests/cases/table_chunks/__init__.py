"""Tables and blocks of code that are longer than a chunk."""
