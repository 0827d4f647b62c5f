"""How tools write their folders, one a file: what its pages look like, what a link means, what is no text."""
