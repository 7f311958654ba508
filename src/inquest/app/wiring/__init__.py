"""Objects that use cases need, created from the settings on first use."""
