"""Where quotations of what dehusk writes stand on their pages: `python bench/quotes.py DATA [--pages 1000]`.

From each output of each page, two pieces between white space are drawn, and one of them is changed as a model would change
it. A place of a quotation of a chunk is right if it is where the chunk is. A place has bytes if the markup there, parsed on
its own, has the letters and digits that the page has there. The rival is one line: whether the quotation is in the kept text,
both with folded white space.
"""

import argparse
import datetime as dt
import random
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import dehusk
from dehusk import Document
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.write.quotes import QuotePlace
from sets import write_results

PAGES, SEED, LEAST, LONGEST = 1000, 1, 30, 400
WORDS = 3  # of a quotation, outside of its markup, at least
_MARKUP = re.compile(r"<[^<>]*>|<[^<>]*\Z|\A[^<>]*>|\]\([^()]*(?:\)|\Z)|\A\S*\)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=PAGES)
    options = parser.parse_args()
    paths = sorted(path for folder in options.data.iterdir() for path in (folder / "html").glob("*.html"))
    rng = random.Random(SEED)
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for path in rng.sample(paths, options.pages):
        count(dehusk.clean(path.read_bytes(), url="https://site.example/page"), rng, counts)
    head = [
        "output",
        "quotations",
        "as they are",
        "by a search in the text",
        "of these, with bytes",
        "changed",
        "found",
    ]
    rows = [[*head, "at the right place"]]
    for name, each in counts.items():
        right = f"{each['right'] / each['of chunks']:.1%}" if each["of chunks"] else "–"
        same, changed = each["same"] / each["drawn"], each["found"] / each["changed"]
        searched = each["searched"] / each["drawn"]
        rows.append([name, str(each["drawn"]), f"{same:.1%}", f"{searched:.1%}", f"{each['bytes'] / each['same']:.1%}"])
        rows[-1] += [str(each["changed"]), f"{changed:.1%}", right]
    said = f"`python bench/quotes.py DATA --pages {options.pages}`, {dt.date.today()}."
    write_results(
        "quotes",
        f"# Quotations\n\n{said}\n\n{markdown_table(rows)}",
        {n: dict(c) for n, c in counts.items()},
        judges="shipped",
    )


def count(document: Document, rng: random.Random, counts: dict[str, dict[str, int]]) -> None:
    if not document.text.strip():
        return
    chunk, folded = rng.choice(document.chunks()), " ".join(document.text.split())
    outputs: dict[str, tuple[str, tuple[int, int] | None]] = {
        "text": (document.text, None),
        "Markdown": (document.markdown, None),
        "chunk, text": (chunk.text, chunk.span_page),
        "chunk, Markdown": (chunk.markdown, chunk.span_page),
        "TEI": (document.render("tei").partition("<body")[2], None),
    }
    for name, (output, span) in outputs.items():
        own = counts[name]
        if quote := drawn(output, rng):
            places = document.locate(quote)
            own["drawn"] += 1
            own["same"] += bool(places and places[0].match == 1)
            own["bytes"] += bool(places and places[0].match == 1 and has_bytes(document, places[0]))
            own["searched"] += " ".join(quote.split()) in folded
            if span:
                own["of chunks"] += 1
                own["right"] += any(span[0] <= place.span[0] and place.span[1] <= span[1] for place in places)
        if quote := drawn(output, rng):
            own["changed"] += 1
            own["found"] += bool(document.locate(rng.choice(CHANGES)(quote)))


def has_bytes(document: Document, place: QuotePlace) -> bool:
    """Return whether the markup at a place has, on its own, the letters that the page has there."""
    if place.source is None:
        return False
    markup = document.page.data[slice(*place.source)].decode(
        document.page.encoding.name.replace("str", "utf-8"), "replace"
    )
    whole = (f"<body>{before}{markup}{after}" for before in ("", '<img alt="') for after in ("", '">'))
    wanted = letters(document.page.text[slice(*place.span)])
    return any(letters(dehusk.parse(each).text) == wanted for each in whole)  # it may begin and end within an attribute


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def drawn(output: str, rng: random.Random) -> str:
    """Return a piece of an output that has some words outside of its markup; "" if there is none."""
    for _ in range(20):
        start = rng.randrange(max(1, len(output) - LEAST))
        piece = output[start : start + rng.randint(LEAST, LONGEST)]
        quote = piece[piece.find(" ") + 1 : max(piece.rfind(" "), 0)]
        if len(re.findall(r"\w{2,}", _MARKUP.sub(" ", quote))) >= WORDS:
            return quote
    return ""


def _without_a_word(quote: str) -> str:
    words = quote.split()
    return " ".join(words[: len(words) // 2] + words[len(words) // 2 + 1 :])


CHANGES: tuple[Callable[[str], str], ...] = (
    lambda quote: quote.upper(),
    lambda quote: "\n".join(quote.split()),
    lambda quote: f"“{quote}”".replace('"', "”").replace("'", "’"),
    lambda quote: re.sub(r"(\w{5,})", r"**\1**", quote),
    lambda quote: re.sub(r"[*_`#>|\\]", "", quote),
    _without_a_word,
)
"""What models do to what they quote."""

if __name__ == "__main__":
    main()
