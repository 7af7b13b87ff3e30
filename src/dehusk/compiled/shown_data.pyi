"""The typed face of `shown_data.pyx`."""

from dehusk.read.islands.literals import Value

def is_shown(values: list[Value], shown: list[str]) -> bool:
    """Return whether strings of the data that the page shows make up much of its running text.

    A string counts as shown if half of it is, and if its object holds no much longer text that is not: the first lines
    of an article, or its description, stand for it on a page that keeps the text in its data.
    """
