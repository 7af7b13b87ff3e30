"""What of the kept text readers of a page do not see, or do not read as its text; see docs/hidden-text.md."""

from dehusk.visible.leaving_out import HiddenText, leave_out
from dehusk.visible.smuggling import without_smuggled

__all__ = ["HiddenText", "leave_out", "without_smuggled"]
