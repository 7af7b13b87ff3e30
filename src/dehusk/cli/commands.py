"""The subcommands, each imported when it is used: `dehusk clean` does not wait for corpora, crawls and benches."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import click

from dehusk.base.errors import unknown
from dehusk.cli.options import VERBOSE, add_version, refuse_blanks, show_version

SECTIONS: Mapping[str, Mapping[str, str]] = {
    "Clean": {
        "clean": "dehusk.cli.clean:clean_command",
    },
    "Many pages": {
        "corpus": "dehusk.cli.corpus:corpus_command",
        "spark": "dehusk.cli.spark:spark_command",
        "crawl": "dehusk.cli.crawl:crawl_command",
        "read": "dehusk.cli.read:read_command",
    },
    "Sites and papers": {
        "site": "dehusk.cli.site:site_command",
        "records": "dehusk.cli.records:records_command",
        "toc": "dehusk.cli.toc:toc_command",
        "vectors": "dehusk.cli.vectors:vectors_command",
        "cluster": "dehusk.cli.cluster:cluster_command",
        "classify": "dehusk.cli.classify:classify_command",
        "colour": "dehusk.cli.colour:colour_command",
        "paper": "dehusk.cli.paper:paper_command",
    },
    "Train and judge": {
        "train": "dehusk.cli.train:train_command",
        "eval": "dehusk.cli.evaluate:evaluate_command",
        "bench": "dehusk.cli.bench:bench_command",
        "compare": "dehusk.cli.compare:compare_command",
        "annotate": "dehusk.cli.annotate:annotate_command",
        "sets": "dehusk.cli.sets:sets_command",
    },
    "Look": {
        "studio": "dehusk.cli.studio:studio_command",
        "doctor": "dehusk.cli.doctor:doctor_command",
        "completion": "dehusk.cli.completion:completion_command",
        "man": "dehusk.cli.man:man_command",
    },
    "Serve": {
        "serve": "dehusk.cli.serve:serve_command",
        "mcp": "dehusk.cli.mcp:mcp_command",
    },
}
"""Section of the help -> name -> module and command."""
SUBCOMMANDS: Mapping[str, str] = {name: place for section in SECTIONS.values() for name, place in section.items()}
"""Name -> module and command."""
_SPELLINGS: Mapping[str, str] = {"color": "colour"}
_TRIED: Mapping[str, str] = {
    **dict.fromkeys(("extract", "convert", "parse", "markdown", "text", "chunk", "process", "run"), "clean"),
    **dict.fromkeys(("fetch", "download", "scrape", "spider", "mirror"), "crawl"),
    **dict.fromkeys(("evaluate", "score", "test"), "eval"),
    **dict.fromkeys(("learn", "template", "wrapper"), "site"),
    **dict.fromkeys(("gui", "ui", "web", "view", "explain"), "studio"),
    **dict.fromkeys(("server", "service", "api", "http", "daemon", "listen"), "serve"),
    **dict.fromkeys(("table", "tables", "scraper"), "records"),
    "benchmark": "bench",
    **dict.fromkeys(("diff", "versus"), "compare"),
    **dict.fromkeys(("label", "gold"), "annotate"),
    **dict.fromkeys(("info", "check", "diagnose", "status", "env"), "doctor"),
    **dict.fromkeys(("complete", "completions"), "completion"),
    "manual": "man",
    **dict.fromkeys(("papers", "reproduce", "experiment"), "paper"),
    **dict.fromkeys(("warc", "parquet", "dataset"), "corpus"),
}
"""What people try -> the command to suggest."""
BARE = "dehusk.bare"
"""Key in the context: whether a page was named without a command."""
_ASKS = frozenset({"-h", "--help", "--version"})
"""Options with which a command does nothing else."""
_OF_PLACES = frozenset("./\\*?[")
"""Characters of paths, globs and addresses that no command has."""


class LazyGroup(click.Group):
    """A group that imports a subcommand when it is used, or when all of them are listed.

    Without a subcommand, the arguments are those of `clean`: `dehusk page.html`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look for -v before the options are processed, as --version may come before it; options of `clean` name it."""
        ctx.meta[VERBOSE] = bool({"-v", "--verbose"} & set(args))
        own = {name for parameter in self.get_params(ctx) for name in parameter.opts}
        if args and args[0].startswith("-") and args[0].partition("=")[0] not in own:
            ctx.meta[BARE] = True
            args = ["clean", *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names of the subcommands in alphabetical order."""
        return sorted(SUBCOMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the subcommands by section, each with the whole first sentence of its help."""
        for section, names in SECTIONS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(section):
                formatter.write_dl([(name, each.get_short_help_str(limit=500)) for name, each in commands if each])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a subcommand; None if there is none of this name."""
        cmd_name = _SPELLINGS.get(cmd_name, cmd_name)
        if cmd_name not in SUBCOMMANDS:
            return None
        if cmd_name not in self.commands:
            module, _, attribute = SUBCOMMANDS[cmd_name].partition(":")
            command = add_version(getattr(import_module(module), attribute))
            self.add_command(refuse_blanks(command), cmd_name)
        return self.commands[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the arguments name; `clean` for a page; fail with the nearest name for others."""
        name = _SPELLINGS.get(args[0], args[0])
        if name == "version":
            show_version(ctx)
        if name == "help":
            name, *rest = [*args[1:], *args[:1]]
            if name == "help":
                click.echo(ctx.get_help())
                ctx.exit()
            name = _SPELLINGS.get(name, name)
            args = [name, *(each for each in rest if each != "help"), "--help"]
        command = self.get_command(ctx, name)
        if command is None:
            if not _is_place(name):
                ctx.fail(unknown("command", name, self.list_commands(ctx), aliases=_TRIED))
            ctx.meta[BARE] = True
            args, name = ["clean", *args], "clean"
            command = self.get_command(ctx, name)
        if command and not ctx.resilient_parsing and _ASKS.isdisjoint(args):
            from dehusk.cli.defaults import set_defaults

            set_defaults(ctx, command, name, args)
        return super().resolve_command(ctx, [name, *args[1:]])


def _is_place(argument: str) -> bool:
    """Return whether an argument names a page or several, there or not."""
    return argument == "-" or not _OF_PLACES.isdisjoint(argument) or Path(argument).exists()
