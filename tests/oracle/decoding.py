"""What the strict decoder of `dehusk.compiled.text` returns."""


def strict_utf8(data: bytes) -> tuple[str, int] | None:
    """Return the text of bytes and how often it has U+FFFD; None if they are not UTF-8."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text, text.count("\ufffd")


def decoded_again(text: str) -> str | None:
    """Return the text of UTF-8 whose bytes a text has as characters; None if there is none, and for ASCII."""
    try:
        return None if text.isascii() else text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return None
