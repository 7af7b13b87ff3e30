"""Gold to model."""
