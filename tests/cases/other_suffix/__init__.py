"""What a site's tool indents for its own ends is text, and no code."""
