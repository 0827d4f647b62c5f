"""The oldest workbench that is opened: ``schema.sql`` makes it, up to this number."""

revision, down_revision = "0015", None


def upgrade() -> None:
    """Nothing comes before."""
