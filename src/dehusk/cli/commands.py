"""The subcommands, each imported when it is used: `dehusk clean` does not wait for corpora, crawls and benches."""

from collections.abc import Mapping
from importlib import import_module

import click

from dehusk.base.errors import unknown
from dehusk.cli.options import VERBOSE, add_version

SUBCOMMANDS: Mapping[str, str] = {
    "clean": "dehusk.cli.clean:clean_command",
    "site": "dehusk.cli.site:site_command",
    "vectors": "dehusk.cli.vectors:vectors_command",
    "colour": "dehusk.cli.colour:colour_command",
    "toc": "dehusk.cli.toc:toc_command",
    "cluster": "dehusk.cli.cluster:cluster_command",
    "classify": "dehusk.cli.classify:classify_command",
    "corpus": "dehusk.cli.corpus:corpus_command",
    "spark": "dehusk.cli.spark:spark_command",
    "records": "dehusk.cli.records:records_command",
    "read": "dehusk.cli.read:read_command",
    "crawl": "dehusk.cli.crawl:crawl_command",
    "annotate": "dehusk.cli.annotate:annotate_command",
    "studio": "dehusk.cli.studio:studio_command",
    "train": "dehusk.cli.train:train_command",
    "eval": "dehusk.cli.evaluate:evaluate_command",
    "bench": "dehusk.cli.bench:bench_command",
}
"""Name -> module and command."""


class LazyGroup(click.Group):
    """A group that imports a subcommand when it is used, or when all of them are listed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Look for -v before the options are processed: --version may come before it."""
        ctx.meta[VERBOSE] = bool({"-v", "--verbose"} & set(args))
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names of the subcommands in alphabetical order."""
        return sorted(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a subcommand; None if there is none of this name."""
        if cmd_name not in SUBCOMMANDS:
            return None
        if cmd_name not in self.commands:
            module, _, attribute = SUBCOMMANDS[cmd_name].partition(":")
            self.add_command(add_version(getattr(import_module(module), attribute)), cmd_name)
        return self.commands[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the subcommand that the arguments name; fail with the nearest name if there is none."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            ctx.fail(unknown("command", args[0], self.list_commands(ctx)))
        return super().resolve_command(ctx, args)
