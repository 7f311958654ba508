"""Assessment of sources: credibility, kinds, dating, retractions, noise. Pure."""
