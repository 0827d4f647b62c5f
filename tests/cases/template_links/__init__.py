"""Links that the templates of a site make."""
