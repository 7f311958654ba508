"""The news desk: press reports on a claim."""
