"""The verification desk: investigation of a topic to a verification level."""
