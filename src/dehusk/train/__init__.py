"""Training methods on labelled pages."""
