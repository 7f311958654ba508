"""Claims: finding, splitting, merging and routing them. Pure."""
