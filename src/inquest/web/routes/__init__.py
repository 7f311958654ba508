"""Routes of the newsroom page."""
