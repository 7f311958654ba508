"""The spread of a report: copies, credits, owners, origin. Pure."""
