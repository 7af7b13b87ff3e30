"""What the strict decoder of `dehusk.compiled.text` returns."""


def strict_utf8(data: bytes) -> tuple[str, int] | None:
    """Return the text of bytes and how often it has U+FFFD; None if they are not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text, text.count("\ufffd")
