"""Several documents of one name."""
