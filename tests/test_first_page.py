"""What a first page imports: everything that others need is imported where it is used.

`import dehusk` and a first page are to take no longer than half of what numpy and turbohtml need to be imported. A
module that is missing here is either needed by nearly every page, and then it belongs into the list, or it is not.
"""

import subprocess
import sys

PAGE = (
    "<html><head><title>Tea</title></head><body><article><h1>Tea</h1>"
    + "<p>The second cup is better than the first, and the third is the best of all, says Ann.</p>" * 60
    + "</article></body></html>"
)

MODULES = """
    about about.partial blocks.phrases
    base base.caching base.characters base.errors base.extras base.hashing base.lazy base.processes
    base.processes.risk base.store base.tags base.version
    blocks blocks.bylines blocks.headlines blocks.labels blocks.layout blocks.post_profiles
    blocks.units blocks.units.admonitions
    blocks.units.decisions blocks.units.keys blocks.units.marks blocks.units.records
    blocks.units.skeleton blocks.units.structures blocks.units.tables
    cleaning
    document
    label label.base label.declaration label.features label.features.family label.features.lexicon label.features.page
    label.features.place label.features.text label.features.words
    label.keep label.loading label.prices label.registry label.styles label.united
    label.united.columns label.united.completion label.united.decisions label.united.declaration label.united.elements
    label.united.copies label.united.evidence label.united.headings label.united.headline_slots label.united.inputs
    label.united.method label.united.net
    label.united.rounding label.united.naming label.united.product_slots label.united.record_slots label.united.rubric
    label.united.side_parts label.united.teasers
    read read.decoding read.elements read.guards read.islands read.islands.shells read.limits read.names read.nodes
    read.page read.parsing read.self_closed read.signs read.text_pages
    visible visible.concealment visible.hidden_text visible.leaving_out visible.shop_prices
    visible.smuggling visible.suspects
    write write.content write.content.boxes write.content.emails write.content.lists
    write.inserts write.interface write.options write.plain write.text
"""
COMMAND_MODULES = """
    __main__ base.atomic base.given base.processes.alarm base.processes.watched cli cli.clean cli.commands cli.defaults
    cli.exit_codes cli.explanation cli.links cli.options cli.output cli.progress cli.settings
    cli.writing read.files read.folder_links read.page_urls
"""
"""What the command line imports besides."""

OTHERS = (
    "asyncio concurrent.futures difflib email hashlib html http idna importlib.metadata importlib.resources logging "
    "multiprocessing numpy.ma numpy.random pyarrow random scipy sklearn tempfile threadpoolctl tomllib "
    "turbohtml.clean turbohtml.detect zipfile"
)
"""Modules of others that a page does not need, although one in many may."""


def imported(code: str) -> set[str]:
    """Return the modules that a new process has imported after running code on the page."""
    shown = f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", shown], input=PAGE, capture_output=True, text=True, check=True)
    assert "best of all" in done.stdout
    return set(done.stderr.split())


def test_a_first_page_imports_what_it_needs() -> None:
    check(imported("import dehusk\nprint(dehusk.clean(sys.stdin.read()).text)"), MODULES)


def test_the_command_line_imports_what_a_page_needs() -> None:
    code = "from dehusk.cli import command\ncommand.main(['clean', '-'], standalone_mode=False)"
    check(imported(code), MODULES + COMMAND_MODULES)


def test_the_command_line_decides_about_threads_before_numpy_is_imported() -> None:
    code = (
        "import os, dehusk.cli\n"
        "assert 'numpy' not in sys.modules\n"
        "for name in dehusk.cli._THREADS: os.environ.pop(name, None)\n"
        "sys.argv = ['dehusk', 'clean', '-']\n"
        "try: dehusk.cli.main()\n"
        "except SystemExit as ended: assert ended.code == 0\n"
        "assert os.environ['OPENBLAS_NUM_THREADS'] == '1'"
    )
    assert "numpy" in imported(code)


def check(modules: set[str], allowed: str) -> None:
    own = {name.removeprefix("dehusk.") for name in modules if name.startswith("dehusk.")}
    assert len(own) > 80
    assert {name for name in own if name.partition(".")[0] != "compiled"} - set(allowed.split()) == set()
    assert modules & set(OTHERS.split()) == set()
