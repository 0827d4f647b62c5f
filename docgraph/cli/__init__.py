"""The command line: ``docgraph COMMAND``; a thin surface over ``Docgraph``."""

from docgraph.cli.edge import main

__all__ = ["main"]
