"""Parts that several pages show; a part knows the frame and other parts, never a page."""
