"""Pure measures: counts that add up over pages, and the scores and intervals derived from them."""
