"""`Metadata`: what is known about a page."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DetectedLanguage:
    """The language of a text according to an identifier."""

    code: str
    """ISO 639 code, such as "en"."""
    probability: float
    """0 to 1."""

    def record(self) -> dict[str, object]:
        """Return the language as plain values."""
        return {"code": self.code, "probability": self.probability}


@dataclass(frozen=True)
class Metadata:
    """What a page says about itself; None or () for what is not known.

    All texts are single lines without lone surrogates. Addresses are absolute if the page's address is known.
    """

    title: str | None = None
    """The page's own heading, without the name of the site."""
    authors: tuple[str, ...] = ()
    """Names, each once, in the order of the page."""
    date: str | None = None
    """Date of publication, YYYY-MM-DD."""
    modified: str | None = None
    """Date of the last change that the page declares, YYYY-MM-DD."""
    site_name: str | None = None
    description: str | None = None
    language: str | None = None
    """As the page declares it; a BCP 47 tag if the page follows the standard."""
    page_language: DetectedLanguage | None = None
    """Language of all visible text; None if the text is too short or no language is probable."""
    text_language: DetectedLanguage | None = None
    """Language of the kept text; None too if the metadata was read without labels."""
    license: str | None = None
    """Address of the licence if the page links to one, else its name."""
    tags: tuple[str, ...] = ()
    """Keywords, each once."""
    image: str | None = None
    """Address of the image that stands for the page."""
    canonical: str | None = None
    """The address that the page declares as its own."""
    url: str | None = None
    """The page's address: the one that was given, else the one that the page declares."""
    guessed: tuple[str, ...] = ()
    """Names of the values above that the page does not declare and that were found in its address or text; "url" if
    nobody gave the page's address."""

    @property
    def author(self) -> str | None:
        """The names of the authors, joined by "; "."""
        return "; ".join(self.authors) or None

    def record(self) -> dict[str, object]:
        """Return the metadata as plain values, ready for JSON."""
        return {
            "title": self.title,
            "author": self.author,
            "date": self.date,
            "language": self.language,
            "canonical": self.canonical,
            "authors": list(self.authors),
            "modified": self.modified,
            "site_name": self.site_name,
            "description": self.description,
            "page_language": self.page_language and self.page_language.record(),
            "text_language": self.text_language and self.text_language.record(),
            "license": self.license,
            "tags": list(self.tags),
            "image": self.image,
            "guessed": list(self.guessed),
        }
