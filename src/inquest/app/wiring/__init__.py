"""What use cases are given, made from the settings when it is first needed."""
