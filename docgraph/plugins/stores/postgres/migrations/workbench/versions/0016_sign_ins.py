"""Sign-ins: who is let in by which token, until when, and who ended it."""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the table; whoever signed in before signs in anew."""
    op.execute(
        """
        CREATE TABLE IF NOT EXISTS docgraph.sign_ins (
          sign_in_id text COLLATE "C" PRIMARY KEY,
          name text NOT NULL,
          subject text COLLATE "C" NOT NULL,
          role text NOT NULL,
          claims text COLLATE "C" NOT NULL,
          browser text NOT NULL,
          created text COLLATE "C" NOT NULL,
          last_seen text COLLATE "C" NOT NULL,
          expires text COLLATE "C" NOT NULL,
          ended_at text COLLATE "C" NOT NULL,
          ended_by text NOT NULL)
        """
    )
