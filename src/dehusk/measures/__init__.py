"""Pure measures: counts that add up, and the scores and intervals made of them."""
