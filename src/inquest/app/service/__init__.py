"""Use cases of a service with many users: cases are kept first and worked on elsewhere."""
