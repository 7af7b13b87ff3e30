"""dehusk as a part of other tools: one small module a tool, each with an extra of its own, loaded when imported."""
