"""Values in a notebook: HTML that stands alone, and data frames."""
