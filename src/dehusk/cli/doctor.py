"""`dehusk doctor`: what dehusk runs on, and whether it is whole.

A damaged installation fails anywhere, so nothing of dehusk but its errors is imported before it is checked.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError
from pathlib import Path
from typing import Literal, NamedTuple

import click

import dehusk
from dehusk.base.errors import listed
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import silencing_option, versions

State = Literal["fine", "broken", "missing", "info"]

TESTED: Mapping[str, str] = {"numpy": "2", "turbohtml": "1.15.4"}
"""Library -> the versions that dehusk is tested with: those that begin with these numbers."""


class Extra(NamedTuple):
    """An extra of the package."""

    purpose: str
    packages: str
    includes: tuple[str, ...] = ()


EXTRAS: Mapping[str, Extra] = {
    "bench": Extra(
        "comparing dehusk with other tools",
        "apted boilerpy3 bpe-openai deboiler goose3 html2text jieba jusText lxml_html_clean markdown-it-py markitdown "
        "mdit-py-plugins readability-lxml rapidfuzz resiliparse scipy trafilatura",
    ),
    "corpus": Extra("Parquet, WET, Brotli and Zstandard", "brotli fastwarc pyarrow zstandard"),
    "crawl": Extra("crawls and web addresses", "brotli scrapy warcio zstandard"),
    "datatrove": Extra("pipelines of datatrove", "datatrove orjson"),
    "evaluate": Extra("scores of texts", "rapidfuzz"),
    "findoptimal": Extra("method alternation, dehusk colour", "pydivsufsort"),
    "haystack": Extra("documents for Haystack", "haystack-ai"),
    "langchain": Extra("documents for LangChain", "langchain-core"),
    "llamaindex": Extra("nodes for LlamaIndex", "llama-index-core"),
    "mcp": Extra("dehusk mcp", "mcp pydantic", ("query",)),
    "query": Extra("passages that answer a question", "bm25s"),
    "remote": Extra("s3:// and other addresses of stores", "fsspec s3fs"),
    "serve": Extra("dehusk serve", "anyio prometheus-client pydantic starlette uvicorn", ("query",)),
    "sklearn": Extra("dehusk cluster, dehusk classify", "scikit-learn threadpoolctl"),
    "spark": Extra("dehusk spark; it needs Java as well", "pandas pyspark", ("corpus",)),
    "studio": Extra("dehusk studio", "jinja2 starlette threadpoolctl uvicorn", ("corpus", "evaluate")),
    "terminal": Extra("dehusk annotate", "rich textual", ("evaluate",)),
    "train": Extra("dehusk train", "threadpoolctl torch", ("evaluate",)),
    "vectors": Extra("sparse matrices of pages", "scipy"),
    "victor": Extra("training Victor", "python-crfsuite", ("evaluate",)),
    "webmainbench": Extra("the measures of WebMainBench", "apted jieba", ("evaluate",)),
    "words": Extra("stems, sentences by language, Chinese and Japanese words", "icu4py sentencex snowballstemmer"),
}
"""Extra -> what it is for and the packages that it installs, without those for the development of dehusk."""

_PAGE = (
    "<title>Tea</title><nav><a href=/>Home</a> <a href=/shop>Shop</a></nav><main><h1>Tea</h1>"
    + "<p>The second cup is better than the first, and the third is the best of all, says Ann.</p>" * 12
    + "</main><footer><a href=/imprint>Imprint</a></footer>"
)
_REINSTALL = "pip install --force-reinstall --no-deps dehusk"
_V2, _V1 = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes")


@dataclass(frozen=True)
class Finding:
    """One line of the report.

    Attributes:
        name: what was looked at.
        state: "fine"; "broken"; "missing", for what dehusk can do without; "info", for what has no state.
        text: what was found.
        remedy: what to type, "" if there is nothing to do.
    """

    name: str
    state: State
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        label = "" if self.state == "info" else self.state
        return f"{label:<9}{self.name}: {self.text}{f': {self.remedy}' if self.remedy else ''}"


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@silencing_option
def doctor_command(as_json: bool) -> int:
    """Show what dehusk runs on, and whether its installation is whole.

    Looks at versions, compiled modules, models and installed files, cleans a page in this process and in a child
    process, and names the extras with the line that installs them. The exit code is 1 if something is broken; a
    missing extra is not.

    \b
    Examples:
      dehusk doctor
      dehusk doctor --json
    """
    findings = list(look_at_all())
    is_whole = all(finding.state != "broken" for finding in findings)
    if as_json:
        click.echo(json.dumps({"whole": is_whole, "findings": [asdict(each) for each in findings]}, indent=1))
    else:
        click.echo("\n".join(map(str, findings)))
    return ExitCode.OK if is_whole else ExitCode.SOME_FAILED


def look_at_all() -> Iterator[Finding]:
    """Yield all findings; a check that fails is itself one."""
    checks: tuple[Callable[[], Iterator[Finding]], ...] = (
        *(_look_at_versions, _look_at_compiled_modules, _look_at_models, _look_at_files, _look_at_cleaning),
        *(_look_at_machine, _look_at_extras, _look_at_programs),
    )
    for check in checks:
        try:
            yield from check()
        except Exception as error:  # whatever a broken installation raises
            name = check.__name__.removeprefix("_look_at_").replace("_", " ")
            yield Finding(name, "broken", _reason(error), _REINSTALL)


def _reason(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _look_at_versions() -> Iterator[Finding]:
    import platform

    yield Finding("dehusk", "info", f"{dehusk.__version__} in {Path(dehusk.__file__).parent}")
    yield Finding("system", "info", f"{platform.system()} {platform.machine()}")
    for name, version in versions().items():
        tested = TESTED.get(name)
        if tested is None:
            yield Finding(name, "info", version)
        elif not version:
            yield Finding(name, "broken", "not installed", _REINSTALL.replace(" --no-deps", ""))
        elif version.split(".")[: tested.count(".") + 1] == tested.split("."):
            yield Finding(name, "fine", f"{version}, as tested")
        else:
            wanted = f"pip install '{name}=={tested}.*'"
            yield Finding(name, "broken", f"{version} is not tested, {tested} is", wanted)


def _look_at_compiled_modules() -> Iterator[Finding]:
    folder = Path(dehusk.__file__).parent / "compiled"
    names = sorted(path.stem for path in folder.glob("*.pyi"))
    wrong = [problem for name in names for problem in problems_of_module(f"dehusk.compiled.{name}", folder / name)]
    if wrong or not names:
        yield Finding("compiled modules", "broken", "; ".join(wrong) or f"none in {folder}", _REINSTALL)
    else:
        yield Finding("compiled modules", "fine", f"{len(names)}, of this version")


def problems_of_module(name: str, path: Path) -> Iterator[str]:
    """Yield what is wrong with a compiled module: it is not there, or is not the one that its face describes.

    Args:
        name: dotted name of the module.
        path: its typed face, without the suffix.
    """
    import ast
    from inspect import signature

    try:
        module = import_module(name)
    except Exception as error:  # whatever a broken module raises
        yield f"{path.name} cannot be imported ({_reason(error)})"
        return
    for node in ast.parse(path.with_suffix(".pyi").read_text("utf-8")).body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        found = getattr(module, node.name, None)
        expected = node.args if isinstance(node, ast.FunctionDef) else None
        if found is None:
            yield f"{path.name} is of another version: it has no {node.name}"
        elif expected is not None:
            count = len([*expected.posonlyargs, *expected.args, *expected.kwonlyargs])
            if len(signature(found).parameters) != count:
                yield f"{path.name} is of another version: {node.name} has other arguments"


def _look_at_models() -> Iterator[Finding]:
    from dehusk.base.errors import DehuskError
    from dehusk.base.store import identity_of
    from dehusk.label.loading import load_method
    from dehusk.label.registry import declarations, model_folder, shipped_models

    expected = {declared.default_model for declared in declarations() if declared.default_model}
    for name in sorted({*shipped_models(), *expected}):
        try:
            load_method(model=name)
            yield Finding(f"model {name}", "fine", f"intact, {identity_of(model_folder(name)).rpartition(' ')[2]}")
        except DehuskError as error:
            yield Finding(f"model {name}", "broken", str(error), _REINSTALL)


def _look_at_files() -> Iterator[Finding]:
    """Compare the installed files with the record that their installation wrote."""
    try:
        installed = Distribution.from_name("dehusk")
    except PackageNotFoundError:
        installed = None
    place = installed and Path(str(installed.locate_file("dehusk/__init__.py")))
    if installed is None or not (place and place.is_file() and place.samefile(dehusk.__file__)):
        yield Finding("files", "info", "a checkout, without a record of its files")
        return
    number, changed = changed_files(installed)
    if changed:
        yield Finding("files", "broken", f"not as installed: {listed(changed)}", _REINSTALL)
    else:
        yield Finding("files", "fine", f"{number}, as installed")


def changed_files(installed: Distribution) -> tuple[int, list[str]]:
    """Return how many files a package's record has with their hash, and which of them are missing or others."""
    import hashlib
    from base64 import urlsafe_b64encode

    changed, recorded = [], [file for file in installed.files or () if file.hash is not None]
    for file in recorded:
        path, wanted = Path(str(file.locate())), file.hash
        if not path.is_file():
            changed.append(str(file))
        elif wanted is not None:
            digest = hashlib.new(wanted.mode, path.read_bytes()).digest()
            if urlsafe_b64encode(digest).rstrip(b"=").decode() != wanted.value:
                changed.append(str(file))
    return len(recorded), changed


def _look_at_cleaning() -> Iterator[Finding]:
    for where, isolated in (("a page in this process", False), ("a page in a child process", True)):
        times = []
        for _ in range(2):
            start = time.perf_counter()
            document = dehusk.clean(_PAGE, isolated=isolated)
            times.append(f"{1000 * (time.perf_counter() - start):.0f} ms")
        took = f"{document.status}, {times[0]} the first time, {times[1]} the second"
        if "best of all" in document.text and "Imprint" not in document.text:
            yield Finding(where, "fine", took)
        else:
            remedy = "" if isolated else _REINSTALL  # a child process needs more of the system than its files
            yield Finding(where, "broken", f"{document.message or 'its text is wrong'} ({took})", remedy)


def _look_at_machine() -> Iterator[Finding]:
    from dehusk.base.processes.processors import available

    yield Finding("processors", "info", f"{available()} of {os.cpu_count() or 1}")
    limit = memory_limit(_V2, _V1)
    yield Finding("memory limit", "info", f"{limit / 1e9:.1f} GB" if limit else "none")


def memory_limit(*files: Path) -> int:
    """Return the bytes of memory that the process's container may use, by its files; 0 if there is no limit."""
    for file in files:
        try:
            limit = int(file.read_text("ascii"))
        except (OSError, ValueError):  # "max" means no limit
            continue
        return limit if limit < 1 << 60 else 0
    return 0


def _look_at_extras() -> Iterator[Finding]:
    for name, extra in EXTRAS.items():
        absent = [package for package in packages_of(name) if not _is_installed(package)]
        if absent:
            text = f"{extra.purpose}; without {listed(absent)}"
            yield Finding(f"extra {name}", "missing", text, f"pip install 'dehusk[{name}]'")
        else:
            yield Finding(f"extra {name}", "fine", extra.purpose)


def packages_of(name: str) -> list[str]:
    """Return the packages that an extra installs, those of the extras that it includes last."""
    extra = EXTRAS[name]
    return [*extra.packages.split(), *(package for each in extra.includes for package in packages_of(each))]


def _is_installed(package: str) -> bool:
    try:
        Distribution.from_name(package)
    except PackageNotFoundError:
        return False
    return True


def _look_at_programs() -> Iterator[Finding]:
    java = shutil.which("java") or (f"JAVA_HOME={os.environ['JAVA_HOME']}" if "JAVA_HOME" in os.environ else None)
    if java:
        yield Finding("program java", "fine", f"{java}, for dehusk spark")
    else:
        yield Finding("program java", "missing", "only dehusk spark needs it")
