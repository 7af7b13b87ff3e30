"""The documents of a site with what is useless in them: coloured pages, delimiters, figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dehusk.base.caching import cached_property
from dehusk.base.errors import counted
from dehusk.sites.alternation.document_picture import draw_document
from dehusk.sites.alternation.find_optimal import FindOptimal
from dehusk.sites.alternation.grams import Spans
from dehusk.sites.alternation.recurring import DelimiterPair, recurring_delimiters


@dataclass(frozen=True, eq=False)
class ColouredSite:
    """Documents and the finder whose n-grams colour them."""

    cut: FindOptimal
    names: Sequence[str]
    documents: Sequence[str]

    @cached_property
    def useless(self) -> list[Spans]:
        """The useless parts of each document."""
        return [self.cut.useless(document) for document in self.documents]

    @cached_property
    def delimiters(self) -> list[DelimiterPair]:
        """What recurs around the parts that are not useless."""
        return recurring_delimiters(self.documents, self.useless)

    def share(self, index: int) -> float:
        """Return the share of a document's characters that are useless."""
        spans = self.useless[index]
        return float((spans[:, 1] - spans[:, 0]).sum()) / max(len(self.documents[index]), 1)

    def picture(self, index: int, *, omit: int | None = None) -> str:
        """Return a document as an HTML page in which useless characters are grey, the others black."""
        spans, document = self.useless[index], self.documents[index]
        note = f"{self.describe()}; {self.share(index):.0%} of {len(document):,} characters are useless (grey)"
        return draw_document(document, spans, title=self.names[index], note=note, omit=omit)

    def describe(self) -> str:
        """Return what is useless, in a few words."""
        cut = self.cut
        if cut.search == "df":
            return f"n-grams of {cut.n_} characters in {cut.t_} or more of {cut.documents_} documents"
        alternation = f", {cut.path_[-1].alternation:,} alternations" if cut.path_ else ""
        return f"cut point ({cut.n_}, {cut.a_:g}) of {counted(cut.documents_, 'document')}{alternation}"

    def report(self) -> dict[str, Any]:
        """Return cut point, path, delimiters and figures of each document, for JSON."""
        cut = self.cut
        return {
            "search": cut.search,
            "n": cut.n_,
            "a": cut.a_,
            "t": cut.t_,
            "documents": cut.documents_,
            "path": [step._asdict() for step in cut.path_],
            "delimiters": [{**pair._asdict(), "unique": pair.is_unique} for pair in self.delimiters],
            "pages": [
                {
                    "name": name,
                    "characters": len(document),
                    "useless": round(self.share(index), 4),
                    "useless_parts": len(self.useless[index]),
                }
                for index, (name, document) in enumerate(zip(self.names, self.documents, strict=True))
            ],
        }
