"""The Relationships page: one folder a section, and what sections share beside them."""
