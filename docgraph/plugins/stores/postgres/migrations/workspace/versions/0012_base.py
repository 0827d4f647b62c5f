"""The oldest workspace that is opened: ``schema.sql`` makes it, up to this number."""

revision, down_revision = "0012", None


def upgrade() -> None:
    """Nothing comes before."""
