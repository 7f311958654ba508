"""One router a file; what they do is in `inquest.app`."""
