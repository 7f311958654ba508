"""View models: what a page shows of a case, made of the case by pure functions, for faces that render pages."""
