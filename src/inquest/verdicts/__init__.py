"""Verdicts from the findings on a claim: independent votes, weighing, gaps, assessment, levels. Pure."""
