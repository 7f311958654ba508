"""What a source is worth: credibility, kinds, dating, retractions, noise. Pure."""
