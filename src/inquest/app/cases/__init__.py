"""Cases of every kind: starting, continuing, replaying, reporting, exporting, reviewing and counting them."""
