"""What a model is asked, one task a pair of files: `NAME.md` says it in words, `NAME.py` makes the message and is the
pure parser of the answer."""
