"""What can be asked without a case: judge a pair, read a page, try an engine, see what is ready, manage models."""
