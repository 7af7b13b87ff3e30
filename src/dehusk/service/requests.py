"""What can be asked of the service, as types: both faces check requests by them, and describe themselves from them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from dehusk.about import CommentsChoice
from dehusk.base.errors import DehuskError, unknown
from dehusk.label import Style
from dehusk.read.files import is_web_address
from dehusk.sites.records.learning import RowChoice
from dehusk.visible import HiddenText
from dehusk.write import format_named, format_names, unknown_format
from dehusk.write.options import FrontMatterChoice, LinksChoice, PostsChoice, TitleChoice, WriteOptions

MOST_PAGES = 200
"""Of a request about several pages."""
_LONGEST = 100_000  # characters of a quotation or a query
_MOST_WORDS = 10_000_000  # more than any page within the limits has


class RequestError(DehuskError):
    """A request that cannot be answered as it is; the message says what would be right."""


def _format(name: str) -> str:
    if (known := format_named(name)) is None:
        raise ValueError(unknown_format(name))
    return known


def _whole(value: object) -> object:
    """Return 10 for 10.0, which JSON does not tell apart."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _identity(value: object) -> object:
    if value is not None and type(value) not in (str, int):
        raise ValueError("must be a text or a whole number")
    return value


FormatText = Annotated[str, AfterValidator(_format), WithJsonSchema({"type": "string", "enum": format_names()})]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Whole = BeforeValidator(_whole)
Amount = Annotated[int, Field(ge=1, le=_MOST_WORDS), Whole]


class Wanted(BaseModel):
    """What every request has in common: unknown names and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class PageSent(Wanted):
    """A page."""

    html: str | None = None
    """The page's markup. Without it, the page is fetched from its address, if the service may fetch."""
    address: str | None = Field(default=None, max_length=20_000)
    """The page's web address, against which its links are resolved."""


class CleaningWanted(PageSent):
    """A page, and how to clean it."""

    style: Style = "auto"
    """How much of the page to keep."""
    favour: Share = 0.5
    """0 favours precision, 1 recall."""
    hidden: HiddenText = "drop"
    """Whether text that readers of the page do not see is dropped or kept."""
    comments: CommentsChoice = "drop"
    """Whether what readers write below an article, a recipe or a product is dropped or kept."""


class CleanWanted(CleaningWanted):
    """A page to clean."""

    format: FormatText = "markdown"
    """The format of the content."""
    title: TitleChoice | None = None
    """Whether the page's title comes first; auto: if the content does not have it."""
    links: LinksChoice | None = None
    """What becomes of the addresses of links; by default "keep" in Markdown and "drop" in prompts."""
    images: bool = True
    """Whether images are written."""
    tracking: bool = True
    """Whether addresses keep parameters that only track who follows a link."""
    posts: PostsChoice | None = None
    """How the posts of a thread say who wrote them; by default "auto", and "plain" in text unless it has comments."""
    front_matter: FrontMatterChoice = "none"
    """Whether metadata comes before the text."""

    @property
    def writing(self) -> WriteOptions:
        """The choices of the format."""
        return WriteOptions(**{each.name: getattr(self, each.name) for each in fields(WriteOptions)})


class ChunksWanted(CleaningWanted):
    """A page to cut into pieces for retrieval."""

    max_words: Amount | None = None
    """The most words of a piece; 300 if neither limit is given."""
    max_tokens: Amount | None = None
    """The most tokens of a piece, of three bytes each."""
    overlap: Annotated[int, Field(ge=0, le=_MOST_WORDS), Whole] = 0
    """How many words or tokens a piece may repeat of the one before it."""


class WithinWanted(CleaningWanted):
    """A page of which only so much is wanted."""

    max_words: Amount | None = None
    """The most words; 300 if neither limit is given."""
    max_tokens: Amount | None = None
    """The most tokens, of three bytes each."""
    query: str | None = Field(default=None, max_length=_LONGEST)
    """What the passages should answer, in the language of the page; without it, the start of the page."""


class LocateWanted(CleaningWanted):
    """A page, and what was quoted of it."""

    quote: str = Field(max_length=_LONGEST)
    """The quotation. Spaces, case, quotation marks and markup do not matter."""
    least: Share = 0.7
    """Share of its letters and digits that a place must have."""


class PagesWanted(Wanted):
    """Several pages."""

    pages: list[PageSent] = Field(min_length=1, max_length=MOST_PAGES)
    """The pages."""
    mixed: bool = False
    """Whether the pages may be of several sites."""


class RecordsWanted(PagesWanted):
    """Pages of one site that are built alike, such as products or threads."""

    rows: RowChoice = "auto"
    """Whether a row is a page, or a record of a list or thread on it."""


class TocWanted(PagesWanted):
    """Pages whose tables of contents are wanted; the more pages of their site, the better."""


class BatchLine(PageSent):
    """A line of a batch."""

    id: Annotated[str | int | None, BeforeValidator(_identity)] = None
    """Comes back with the answer."""


def checked(model: type[Wanted], values: dict[str, Any]) -> Any:
    """Return a request with some values.

    Raises:
        RequestError: they are not those of such a request; the message is about the first that is wrong.
    """
    try:
        wanted = model.model_validate(values)
    except ValidationError as error:
        raise RequestError(_explained(model, error)) from error
    for page in wanted.pages if isinstance(wanted, PagesWanted) else [wanted]:
        if isinstance(page, PageSent) and page.html is not None and is_web_address(page.html.strip()):
            raise RequestError("html is an address, not a page: send it as address")
    return wanted


def _explained(model: type[Wanted], error: ValidationError) -> str:
    """Return the first thing that is wrong with a request, in one line."""
    first = error.errors(include_url=False)[0]
    *outer, name = first["loc"] or ("",)
    place = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        fields = PageSent.model_fields if outer else model.model_fields
        return unknown("parameter", name, fields, aliases={"url": "address"})
    if first["type"] == "model_type":
        wanted = f"send an object with {' and '.join(PageSent.model_fields)}"
        return f"{place}: {wanted}" if place else wanted
    if first["type"] == "missing":
        return f"{place} is missing"
    if first["type"] == "literal_error":
        return unknown(str(name), first["input"], re.findall("'(.*?)'", first["ctx"]["expected"]))
    message = first["msg"].removeprefix("Value error, ")
    return f"{place}: {message[:1].lower()}{message[1:]}" if place else message


def scalar_reader(model: type[Wanted]) -> Callable[[str, str], object]:
    """Return the function that reads the value of a parameter in an address: as text, a number, true or false."""
    properties = model.model_json_schema()["properties"]
    kinds = {name: {each.get("type") for each in (one, *one.get("anyOf", ()))} for name, one in properties.items()}

    def read(name: str, text: str) -> object:
        kind = kinds.get(name, {"string"})
        if "boolean" in kind:
            return {"true": True, "false": False}.get(text, text)
        for number in (int, float):
            if {int: "integer", float: "number"}[number] in kind and text.isascii() and "_" not in text:
                try:
                    return number(text)
                except ValueError:
                    return text
        return text

    return read
