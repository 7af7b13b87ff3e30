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
    blocks caching characters cleaning document errors extras hashing labels layout lazy page
    processes processes.risk signs store tags version web zip_members
    content content.marks
    features features.candidates features.family features.holders features.lexicon features.links features.main_text
    features.neighbours features.page_type features.paths features.sentences features.subtrees
    methods methods.base methods.declaration methods.keep methods.kinds methods.loading methods.registry methods.styles
    methods.united methods.united.columns methods.united.completion methods.united.decisions methods.united.declaration
    methods.united.evidence methods.united.inputs methods.united.method methods.united.net
    methods.united.rounding methods.united.vocabulary
    read read.decoding read.elements read.guards read.islands read.islands.shells read.limits read.nesting read.nodes
    read.parsing read.raw_text read.self_closed read.tag_names
    units units.decisions units.keys units.likeness units.post_names units.records units.segments units.skeleton
    units.structures units.tables
    visibility visibility.concealment visibility.hidden_text visibility.leaving_out visibility.litter
    visibility.litter_texts visibility.smuggling visibility.suspects
    write write.inserts write.interface write.options write.plain write.text
"""
COMMAND_MODULES = """
    cli cli.clean cli.commands cli.exit_codes cli.explanation cli.formats cli.links cli.options cli.output cli.page_jobs
    cli.progress cli.settings cli.signals cli.writing __main__ atomic processes.alarm processes.watched read.files
    read.folder_links read.page_urls
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
