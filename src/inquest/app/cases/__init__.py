"""Cases of every kind: begun, gone on with, replayed, reported, exported, reviewed, counted."""
