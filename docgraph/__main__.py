"""``python -m docgraph`` is the command line."""

from __future__ import annotations

from docgraph.cli import main

if __name__ == "__main__":
    main()
