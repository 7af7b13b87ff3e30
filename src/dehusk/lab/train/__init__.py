"""Train methods on labelled pages."""
