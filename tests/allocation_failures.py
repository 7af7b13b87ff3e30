"""Lets allocations of the compiled modules fail, in a process with `failing_malloc.c` before the C library.

    gcc -O1 -shared -fPIC -o /tmp/failing_malloc.so failing_malloc.c
    export PYTHONMALLOC=malloc LD_PRELOAD=/tmp/failing_malloc.so
    python allocation_failures.py /tmp/failing_malloc.so [--all]

Each case, such as a page that is cleaned and written in all formats, first runs undisturbed. Then its allocations fail:
one of them, or all from one on. The case must give what it gave before, or report a `MemoryError`; run again, it
must give what it gave before; and no memory may stay allocated. First uses are tried in forks of this process, so that
what the modules read once fails, too. Without `--all`, only some of the allocations fail, at equal distances.
"""

import ctypes
import faulthandler
import gc
import json
import os
import pkgutil
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module

import dehusk
import dehusk.compiled
import made_sites
from dehusk.about.metadata.languages import detect_language
from dehusk.label.features import FEATURES, compute
from dehusk.label.victor.config import load_config
from first_use import page as tea_page

FAILED = "MemoryError"
RAISED = "MemoryError, raised"
"""Of `clean`, which has a status for a page that fails, unless there is no memory for an empty page either."""
FORMATS = ("text", "markdown", "html", "json", "tei", "cleaneval")
SENTENCE = "Pour the water over the leaves, and wait for a minute before you drink. "
POST = f"<div class='comment user-1'><h3>Ann</h3><time>2026-05-03</time><p>{SENTENCE}</p><a href=#>Reply</a></div>"
TEA = tea_page(2)
LISTS = (
    f"<title>Чай</title><body><h1>Зелёный чай</h1><ol start=3><li>{SENTENCE}<ul><li><b>绿茶</b> <a href=/x>Grün</a>"
    "<li>Matcha<ol><li>one<li>two <i>and <b>a half</b></i></ol></ul><li>last</ol><dl><dt>Term<dd>What it means</dl>"
    f"<p>{SENTENCE}<sup><a href=#n1 id=r1>1</a></sup> {SENTENCE}<br>x<sup>2</sup><p>{SENTENCE}*not* _so_ \U00010400"
    "<ol class=footnotes><li id=n1>A note on the water. <a href=#r1>↑</a></ol>" + "<b>" * 40 + "deep"
)
FORMS = (
    "<style>.x,.y{display:none}#z{color:#fff;background:#fff}.m{visibility:hidden}</style><body class=m1><nav>"
    + "<a href=/a>A link</a> " * 9
    + "</nav><form><label>Name<input></label><select><option>1<option>2</select><button>Send</button></form>"
    f"<p class=x>{SENTENCE}<p id=z>{SENTENCE}<p style='display:none'>{SENTENCE}<h2>Prices</h2><table><caption>Teas"
    + "</caption><tr><th>Tea<th>Price"
    + "<tr><td>Assam|<td>12" * 4
    + f"</table><figure><img alt=x><figcaption>Leaves</figcaption></figure><p>{SENTENCE * 4}<pre><code>brew()\n  serve"
    "()\n</code></pre><math><mi>x</mi></math><noscript><p>on</noscript>"
    + f'<script>data = {{"b\\u00f6dy": "Say:\\n{SENTENCE * 9}"}}</script>'
    + "<p>A\x0bB <a href='/a?b&amp;c#d&amp;e'>link</a> <a href=/b title='a &amp; b'><b>x<i>y</i></b><code>z`</code></a>"
    '<script type=application/ld+json>{"@type":"Article","author":{"name":"Ann"}}</script>'
)
THREAD = f"<body><h1>Teas</h1><p>{SENTENCE * 3}" + POST * 12 + "<footer><a href=/imprint>Imprint</a></footer>"
LONG = "<body><h1>All</h1>" + "".join(
    f"<div class='n{n} k'><h2 id=h{n}>Part {n}</h2><p>{SENTENCE}<b>bold {n}</b> <a href='/{n}?a&amp;b#c'>{n} <i>x"
    f"</i></a> <code>a</code><code>b</code><br>{SENTENCE}<tag{n}>{n}</tag{n}><ul><li>{n}<li><a href=/l{n}>Link {n}</a>"
    "</ul></div>"
    for n in range(30)
)
SITE_PAGES = [*made_sites.site(3), THREAD.replace("<h1>", "<link rel=canonical href=https://tea.example/t><h1>")]


def written(page: str, **options: object) -> dict[str, str]:
    """Clean a page and ask for everything that a document has."""
    try:
        document = dehusk.clean(page, url="https://tea.example/a", **options)
    except MemoryError:
        return {"status": RAISED}
    if document.status is dehusk.Status.ERROR:
        return {"status": FAILED if FAILED in document.message else document.message}
    wanted: dict[str, Callable[[], object]] = {
        **{name: lambda name=name: document.render(name) for name in FORMATS},
        "posts": lambda: document.posts,
        "units": lambda: document.units,
        "blocks": lambda: document.blocks,
        "chunks": lambda: document.chunks(max_words=20),
        "metadata": lambda: document.metadata,
        "features": lambda: features_of(document.page),
    }
    return {"status": repr(document.status), **{name: outcome(wanted[name]) for name in wanted}}


def features_of(page: dehusk.Page) -> list[object]:
    """Return the values of all features of Victor."""
    settings = load_config("cleaneval").settings
    found = compute(dehusk.segment(page), settings, FEATURES.names(settings))
    return [(name, list(values)) for name, values in found.items()]


def learned(sites: list[dehusk.Site]) -> dict[str, str]:
    """Learn a site, unless it is known, and clean a page with it."""
    try:
        sites[:] = sites or [dehusk.Site(mixed=True).fit(SITE_PAGES)]
    except MemoryError:
        return {"status": FAILED}
    return written(SITE_PAGES[0], site=sites[0])


def outcome(call: Callable[[], object]) -> str:
    """Return what a call gives, as text."""
    try:
        return repr(call())
    except MemoryError:
        return FAILED


SITES: list[dehusk.Site] = []
CASES: dict[str, Callable[[], dict[str, str]]] = {
    "tea": lambda: written(TEA, explain=True),
    "lists": lambda: written(LISTS),
    "forms": lambda: written(FORMS, hidden="keep"),
    "thread": lambda: written(THREAD, method="victor"),
    "long": lambda: written(LONG),
    "learned": lambda: learned([]),
    "site": lambda: learned(SITES),
}
FIRST = ("tea", "forms", "learned")
"""The cases that are tried as the first use."""


class Memory:
    """The allocations of the compiled modules."""

    def __init__(self, library: str) -> None:
        self.calls = ctypes.CDLL(library)
        for found in pkgutil.iter_modules(dehusk.compiled.__path__):
            import_module(f"dehusk.compiled.{found.name}")
        assert self.calls.watch() == len(list(pkgutil.iter_modules(dehusk.compiled.__path__)))

    def run(self, case: str, first: int = 0, last: int = 0) -> tuple[dict[str, str], int]:
        """Run a case while allocations fail; return what it gives, and the number of allocations."""
        fail = self.calls.fail
        fail(ctypes.c_long(first), ctypes.c_long(last))
        try:
            found = CASES[case]()
        finally:
            number = self.calls.allocations()
            fail(ctypes.c_long(0), ctypes.c_long(0))
        return found, number

    def outstanding(self) -> int:
        """Return how many allocations are not freed, of objects that can still be reached."""
        gc.collect()
        return self.calls.outstanding()

    def places(self) -> set[str]:
        """Return the places in the modules where allocations have failed."""
        text, found = ctypes.create_string_buffer(100), set()
        for number in range(self.calls.failed_places()):
            self.calls.describe_place(number, text, ctypes.c_size_t(100))
            found.add(text.value.decode())
        return found


def differences(found: dict[str, str], expected: dict[str, str], *, once: bool) -> list[str]:
    """Name the outputs that are neither right nor a reported lack of memory; `once` if one allocation failed."""
    if found["status"] == FAILED or (found["status"] == RAISED and not once):
        return []
    return [name for name in found if found[name] not in (expected.get(name), FAILED)]


def leak(memory: Memory, case: str, first: int, lasts: Iterable[int]) -> int:
    """Return how many allocations of a case stay each time it runs again; others are of a cache, as of tracebacks."""
    leaked = 0
    for _ in range(2):
        before = memory.outstanding()
        for last in lasts:
            memory.run(case, first, last)
        leaked = memory.outstanding() - before
        if leaked <= 0:
            break
    return leaked


def problems(memory: Memory, case: str, expected: dict[str, str], first: int, lasts: Iterable[int]) -> list[str]:
    """Let allocations of a case fail up to each last one; name what is wrong with it then, and when it runs again."""
    before, wrong = memory.calls.outstanding(), []
    for last in lasts:
        sys.stderr.write(f"{case}: {first} to {last}\n")  # the last line, if the process dies
        found, _ = memory.run(case, first, last)
        names = differences(found, expected, once=first == last)
        wrong += [f"to {last}, {name} is {found[name][:300]}" for name in names]
    again, _ = memory.run(case)
    wrong += [f"again, {name} is {again[name][:300]}" for name in again if again[name] != expected.get(name)]
    if memory.calls.outstanding() > before and (leaked := leak(memory, case, first, lasts)) > 0:
        wrong.append(f"{leaked} allocations leaked")
    return [f"{case}: from {first}: {each}" for each in wrong]


def chosen(number: int, most: int) -> range:
    """Return numbers from 1 to `number` at equal distances, about `most` of them."""
    return range(1, number + 1, max(number // most, 1))


def in_fork(work: Callable[[], list[str]]) -> list[str]:
    """Return the lines that a function gives in a fork of this process, or the signal that ended it."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(write, "w") as lines:
            try:
                lines.write("\n".join(work()))
            except BaseException:
                lines.write(traceback.format_exc())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as lines:
        found = lines.read().splitlines()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return [*found, f"the fork ended with {status}"] if status else found


def first_uses(memory: Memory, case: str, expected: dict[str, str], most: int) -> list[str]:
    """Let allocations of the first use of dehusk fail, each in a fork of a process that has not used it."""
    number = int(in_fork(lambda: [str(memory.run(case)[1])])[0])
    found = []
    for first in chosen(number, most):
        for last in (first, number):
            found += in_fork(lambda first=first, last=last: problems(memory, case, expected, first, [last]))
    return found


def expectations(memory: Memory) -> dict[str, dict[str, str]]:
    """Return what the cases give undisturbed."""
    return {case: json.loads(in_fork(lambda case=case: [json.dumps(memory.run(case)[0])])[0]) for case in CASES}


def main(library: str, most_first: int, most: int) -> int:
    """Try all cases; print what was tried and the problems, and return how many there are."""
    faulthandler.enable()
    memory = Memory(library)
    detect_language(SENTENCE)  # its model is slow to load, and nothing of the modules: once for all forks
    gc.disable()  # so that what is outstanding does not shrink at other times
    expected, found, tried = expectations(memory), [], 0
    for case in FIRST:
        found += first_uses(memory, case, expected[case], most_first)
    for case in CASES:
        memory.run(case)  # what is kept from the first use is no leak
        again, number = memory.run(case)
        assert again == expected[case], case
        gc.freeze()
        for first in chosen(number, most):
            found += problems(memory, case, expected[case], first, [first, number])
            tried += 2
    modules = Counter(place.split(".")[0] for place in memory.places())
    report = [f"{tried} runs; places where allocations failed: {modules.total()} in {len(modules)} modules"]
    report.append(", ".join(f"{module} {modules[module]}" for module in sorted(modules)))
    print("\n".join([*report, *found]))  # noqa: T201 (what the parent shows)
    return len(found)


if __name__ == "__main__":
    everything = 10**9 if "--all" in sys.argv else 0
    sys.exit(main(sys.argv[1], everything or 3, everything or 24) > 0)
