"""What only a service keeps: people, whose things are, what is worked on, what receivers were told."""
