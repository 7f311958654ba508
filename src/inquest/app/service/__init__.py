"""Use cases of a service with many users: cases are stored first and run elsewhere."""
