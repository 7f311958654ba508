"""Pure functions over the domain: no I/O, no clock, no settings."""
