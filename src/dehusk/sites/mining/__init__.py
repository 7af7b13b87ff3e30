"""Text mining on the weighted words of pages (Yi & Liu 2003, section 4)."""
