"""A datatrove extractor: pages to clean text in a datatrove pipeline.

    LocalPipelineExecutor([WarcReader("warcs/"), Dehusk(), JsonlWriter("out/")]).run()

Needs the extra "datatrove".
"""

from pathlib import Path
from typing import Any

from datatrove.pipeline.extractors.base import BaseExtractor

from dehusk.cleaning import clean
from dehusk.methods import Style, load_method
from dehusk.write import find_writer


class Dehusk(BaseExtractor):  # type: ignore[misc] # (no types)
    """Cleans the page that a document's text is; nothing is raised for what a page holds.

    datatrove drops documents whose text becomes empty, and counts those that take too long or end its child process.

    Args:
        timeout: seconds for one page, after which datatrove drops it.
        form: an output format, see `dehusk.write.format_names`.
        method: a method's name as `dehusk.clean` takes it; by default "united".
        style: what is wanted of a page, for method united.
        favour: 0 for precision, 1 for recall, for method united.
        site: the folder of a site's model.

    Raises:
        ConfigError: unknown format, or options that do not fit.
    """

    name = "🌾 Dehusk"
    _requires_dependencies = ("dehusk",)

    def __init__(
        self,
        timeout: float = 10,
        *,
        form: str = "text",
        method: str | None = None,
        style: Style | None = None,
        favour: float | None = None,
        site: str | Path | None = None,
    ) -> None:
        super().__init__(timeout)
        find_writer(form)
        self.form = form
        self.options: dict[str, Any] = {"site": site, "style": style, "favour": favour}
        self.method = method
        # said now and not for each page; and a child that datatrove forks begins with the model in its memory
        load_method(method, **self.options)

    def extract(self, text: str) -> str:
        """Return a page's clean text, "" where there is none."""
        document = clean(text, method=load_method(self.method, **self.options))
        return document.render(self.form) if document.labels.kept.any() else ""
