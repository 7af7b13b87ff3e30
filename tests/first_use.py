"""The first use of dehusk by eight threads at once, in a process of its own: `python first_use.py CASE INTERVAL`.

All threads come to the same barrier and then call what `CASE` names, none of which has run before in the process. The
results must be those of the same calls one after another, which follow. It prints one line for each that differs.
"""

import sys
import threading
import traceback
from collections.abc import Callable

import dehusk

THREADS = 8
CLASS = "<style>.a{display:none}</style>"
ROW = "<table><tr><th>sort<th>minutes</tr><tr><td>Sencha<td>1</tr><tr><td>Gyokuro<td>2</tr></table>"
SENTENCE = "Pour the water over the leaves, and wait for a minute before you drink. "


def page(number: int) -> str:
    """Return a page with a menu, hidden text, a table, a listing, a quotation and paragraphs."""
    paragraphs = "".join(f"<p>{SENTENCE * 3} This is paragraph {n} of page {number}." for n in range(number % 3 + 2))
    return (
        f"<html lang=en><head><title>Tea {number}</title>{CLASS}</head><body><ul><li><a href=/>Home</a><li>"
        f"<a href=/b>Blog</a></ul><main><h1>Tea {number}</h1><p class=a>{SENTENCE}</p>{paragraphs}{ROW}"
        f"<pre>cup 1\n  cup {number}</pre><blockquote><p>{SENTENCE}</blockquote><p>Grüner Tee, зелёный чай, 绿茶.</p>"
        f"<img src=a.png alt='A pot'><div class=comment><b>Ann</b> <time>2026-05-03</time><p>{SENTENCE}</div></main>"
        "<footer><a href=/imprint>Imprint</a></footer></body></html>"
    )


PAGES = [page(number) for number in range(16)]


def cleaned(number: int) -> object:
    """Clean a page."""
    document = dehusk.clean(PAGES[number])
    return document.status, document.text


def written(number: int) -> object:
    """Clean a page and ask for everything that a document has."""
    document = dehusk.clean(PAGES[number], explain=True)
    formats = [document.render(name) for name in ("markdown", "html", "json", "tei")]
    return document.status, document.text, formats, document.posts, document.chunks(max_words=20), document.metadata


def learned(number: int) -> object:
    """Learn a site, and clean a page with it."""
    site = dehusk.Site(mixed=True).fit(PAGES[:4])
    document = dehusk.clean(PAGES[number], site=site)
    return document.status, document.text


def by_method(number: int) -> object:
    """Clean a page by one of several methods."""
    document = dehusk.clean(PAGES[number], method=["united", "victor", "keep-all"][number % 3])
    return document.status, document.markdown


CASES: dict[str, Callable[[int], object]] = {each.__name__: each for each in (cleaned, written, learned, by_method)}


def main(case: str, interval: float) -> int:
    """Run a case; return how many threads failed."""
    if interval:
        sys.setswitchinterval(interval)
    barrier, results = threading.Barrier(THREADS), dict[int, object]()

    def work(number: int) -> None:
        barrier.wait()
        try:
            results[number] = CASES[case](number)
        except BaseException:
            results[number] = traceback.format_exc()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wrong = [number for number in range(THREADS) if repr(results[number]) != repr(CASES[case](number))]
    for number in wrong:
        print(f"thread {number}: {str(results[number])[-2000:]}")  # noqa: T201 (what the parent shows)
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
