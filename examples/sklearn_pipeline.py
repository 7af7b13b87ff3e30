"""Classify pages as being about tea or coffee by their words, without the words of menus and footers.

    python examples/sklearn_pipeline.py

Install: pip install 'dehusk[sklearn]'
"""

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from dehusk.integrations.sklearn import HtmlCleaner


def page(subject: str, text: str) -> str:
    """Return a page; the menu of every page names both subjects."""
    menu = "<nav><a href=/tea>tea</a> <a href=/coffee>coffee</a> <a href=/about>about us</a></nav>"
    return (
        f"<html><body>{menu}<article><h1>{subject}</h1><p>{text}</p></article><footer>© the shop</footer></body></html>"
    )


PAGES = [
    page(
        "Green leaves",
        "Pour water of seventy degrees over the leaves, wait for a minute and pour it off.",
    ),
    page(
        "A second pot",
        "Good leaves give three pots, each a little milder, if the water is never too hot.",
    ),
    page("Dark beans", "Grind the beans just before you brew them and press the filter down slowly."),
    page(
        "The right mill",
        "A mill of steel keeps the beans cool, so that their oil stays where it belongs.",
    ),
]


def main() -> None:
    """Learn from four pages what a fifth page is about."""
    model = make_pipeline(HtmlCleaner(), CountVectorizer(stop_words="english"), MultinomialNB())
    model.fit(PAGES, ["tea", "tea", "coffee", "coffee"])
    words = model.named_steps["countvectorizer"].get_feature_names_out()
    print("shop" in words, "leaves" in words)
    print(
        *model.predict(
            [page("Cold brew", "Leave ground beans in cold water for a night and pour it through a filter.")]
        )
    )


if __name__ == "__main__":
    main()
