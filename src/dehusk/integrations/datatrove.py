"""A datatrove extractor that turns pages into clean text.

    LocalPipelineExecutor([WarcReader("warcs/"), Dehusk(), JsonlWriter("out/")]).run()

Needs the extra "datatrove".
"""

from pathlib import Path

from datatrove.pipeline.extractors.base import BaseExtractor

from dehusk.cleaning import clean
from dehusk.label import PageMethod, Style, load_method
from dehusk.write import find_writer
from dehusk.write.options import DEFAULTS, WriteOptions


class Dehusk(BaseExtractor):  # type: ignore[misc] # (no types)
    """Cleans pages, whatever they contain; the text of each input document is the HTML of a page.

    datatrove drops documents whose text becomes empty, and counts those that time out or crash its child process.

    Args:
        timeout: seconds per page; datatrove drops a page that takes longer.
        form: name of an output format, see `dehusk.write.format_names`.
        writing: choices of that format, such as front matter.
        method: name of a method, as for `dehusk.clean`; by default "united".
        style: how much of a page to keep, for methods with that option.
        favour: 0 for precision, 1 for recall, for methods with that option.
        site: folder of a site model.

    Raises:
        ConfigError: unknown format or method, or options that the method does not have.
    """

    name = "🌾 Dehusk"
    _requires_dependencies = ("dehusk",)

    def __init__(  # noqa: PLR0913 (what a caller can choose is named here, with its type)
        self,
        timeout: float = 10,
        *,
        form: str = "text",
        writing: WriteOptions = DEFAULTS,
        method: str | None = None,
        style: Style | None = None,
        favour: float | None = None,
        site: str | Path | None = None,
    ) -> None:
        super().__init__(timeout)
        find_writer(form).check(writing)
        self.form, self.writing = form, writing
        self.method = method
        self.style: Style | None = style
        self.favour = favour
        self.site = site
        self._load_method()  # errors appear now, not once per page, and a forked child starts with the model in memory

    def extract(self, text: str) -> str:
        """Return the clean text of a page; "" if nothing is kept."""
        document = clean(text, method=self._load_method())
        return find_writer(self.form).render(document, self.writing) if document.labels.kept.any() else ""

    def _load_method(self) -> PageMethod:
        return load_method(self.method, site=self.site, style=self.style, favour=self.favour)
