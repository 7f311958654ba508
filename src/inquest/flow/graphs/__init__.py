"""One graph per kind of case."""
