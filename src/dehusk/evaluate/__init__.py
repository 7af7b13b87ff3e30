"""Measuring what a method keeps: figures that are counted page by page and add up over pages."""
