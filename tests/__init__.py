"""The tests; their folders mirror those of the package."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""
