"""How a report spreads: copies, credits, owners, origin. Pure."""
