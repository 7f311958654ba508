"""Tasks that need no case: judge a pair, read a page, test an engine, check the configuration, manage models."""
