"""The nodes of the graphs: few and coarse. Each takes the state and the services and returns what it adds."""
