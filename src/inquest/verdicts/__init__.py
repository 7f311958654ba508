"""What the findings on a claim add up to: independent votes, weighing, gaps, assessment, levels. Pure."""
