"""View models: the parts of a case that a page shows, made by pure functions, for interfaces that render pages."""
