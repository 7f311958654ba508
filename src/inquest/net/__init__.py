"""Network access: the only code that makes requests."""
