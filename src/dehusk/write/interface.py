"""What a writer receives, and how it declares itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from dehusk.base.caching import cached_property, state_without_cache
from dehusk.base.errors import ConfigError, Status, require_type
from dehusk.base.lazy import IMPORTING
from dehusk.blocks.labels import Labels
from dehusk.read.page import Page
from dehusk.write.options import DEFAULTS, PostsChoice, WriteOptions

if TYPE_CHECKING:
    from dehusk.about.metadata import Metadata

MOST_OF_PART = 0.75
"""Confidence of a page that does not have all of its text, at most. Set by hand: of five such pages of the open sets
that had more than .9, three have a word F1 below this."""
JOINT_ERRORS = 0.76
"""Exponent of what is expected to be wrong. The expectation takes the blocks as independent, but a net that is wrong
about one is wrong about its neighbours, so that less is right than it says. Fitted on the pages of folds 0 and 1 of
`bench/united.py`; `bench/unseen.py` judges it on fold 2."""


@dataclass(frozen=True, eq=False)
class CleanedPage:
    """A cleaned page as writers see it; `dehusk.Document` adds the outputs."""

    status: Status
    message: str
    """One line that explains a status other than ok."""
    labels: Labels
    model: str = ""
    """Name and hash of the model that labelled the page, such as "united 6b1f…"; "" if the method has none."""
    kind: str = ""
    """Why a page has no kernel, one of `dehusk.cleaning.EMPTINESS`, such as "not-found"; "" for other pages. Its text
    is what it says to its visitor."""

    __getstate__ = state_without_cache  # pyright: ignore[reportAssignmentType]

    @property
    def page(self) -> Page:
        """The parsed page."""
        return self.labels.blocks.page

    @property
    def title(self) -> str:
        """The text of the page's title element."""
        return self.page.meta.title

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says about itself, such as title and authors; extracted on first access."""
        with IMPORTING:
            from dehusk.about.metadata import read_metadata  # noqa: PLC0415 (many formats need none)

        return read_metadata(self.page, self.labels)

    @property
    def confidence(self) -> float:
        """The mean word F1 of pages of unseen sites with such probabilities, 0 to 1; 0 if nothing is kept.

        1 − (1 − E)^`JOINT_ERRORS`, where E is the F1 that the probabilities expect of the kept text. At most
        `MOST_OF_PART` if the page has only a part of its text.
        """
        words = self.labels.blocks.words * self.labels.probability
        kept = self.labels.kept
        size = float(self.labels.blocks.words[kept].sum() + words.sum())
        expected = min(1.0, 2 * float(words[kept].sum()) / size) if size else 0.0
        most = MOST_OF_PART if self.status is Status.PARTIAL else 1.0
        return min(most, 1 - float((1 - expected) ** JOINT_ERRORS))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about how the page was read and labelled, one line each."""
        with IMPORTING:
            from dehusk.read.addresses import Addresses  # noqa: PLC0415 (plain text has no links)

        notes = self.page.notes + self.labels.notes
        if Addresses.of(self.page).is_cut:
            notes += ("links stay relative: resolved, they would be several times as long as the page",)
        return notes


@dataclass(frozen=True)
class Writer:
    """An output format and the function that writes it."""

    name: str
    """Name of the format for users: `dehusk clean -f NAME`, `Document.render(NAME)`."""
    extension: str
    """Extension of files in this format, including the dot."""
    media_type: str
    """Media type, without parameters."""
    write: Callable[[CleanedPage, WriteOptions], str]
    """Returns the kept blocks in the order of the page, each once."""
    aliases: tuple[str, ...] = ()
    """Names that users may try instead; the error message suggests `name`. The extension need not be listed."""
    text_only: bool = False
    """Whether the output contains only the kept text, so that it is empty if nothing is kept. `dehusk corpus` offers
    these formats for the column `text`."""
    options: frozenset[str] = frozenset()
    """Which of the choices in `WriteOptions` the format has."""
    posts: tuple[str, ...] = get_args(PostsChoice)
    """How the format can show who wrote posts, if it can."""
    includes_dropped: bool = False
    """Whether the output contains dropped blocks too, marked as such."""
    beside_page: bool = False
    """Whether a file in this format belongs beside the page, under the page's full name with `extension` added."""

    def render(self, cleaned: CleanedPage, options: WriteOptions = DEFAULTS) -> str:
        """Return a page in this format.

        Raises:
            ConfigError: the format does not have one of the choices.
        """
        self.check(options)
        return self.write(cleaned, options)

    def check(self, options: WriteOptions) -> None:
        """Raise ConfigError if the format does not have one of the choices that differ from the default.

        Raises TypeError for options of another type.
        """
        require_type(options, WriteOptions, "what is written must be chosen by WriteOptions")
        if foreign := [name for name in options.changed() if name not in self.options]:
            has = f"it has {', '.join(sorted(self.options))}" if self.options else "it has no options"
            raise ConfigError(f"format {self.name} has no option {foreign[0]}: {has}")
        if options.posts and options.posts not in self.posts:
            raise ConfigError(f"format {self.name} shows posts as {', '.join(self.posts)}, not {options.posts}")


def from_labels(write: Callable[[Labels], str]) -> Callable[[CleanedPage, WriteOptions], str]:
    """Return the `Writer.write` of a function that needs the labels only."""
    return lambda cleaned, _: write(cleaned.labels)
