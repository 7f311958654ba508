"""Who has a story from whom: copies, credits, owners, origin. Pure."""
