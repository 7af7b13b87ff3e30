"""Measuring and training: annotation, gold, measures, evaluation, training."""
