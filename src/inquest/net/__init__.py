"""The only door to the outside."""
