"""The `dehusk` command: one thin file a subcommand; each calls a function that Python code can call, too."""

import os
import sys

import click

from dehusk import __version__
from dehusk.cli.annotate import annotate
from dehusk.cli.bench import bench
from dehusk.cli.clean import clean
from dehusk.cli.corpus import corpus
from dehusk.cli.crawl import crawl_command
from dehusk.cli.evaluate import evaluate
from dehusk.cli.read import read
from dehusk.cli.site import site
from dehusk.cli.spark import spark
from dehusk.cli.train import train
from dehusk.errors import DehuskError

USAGE = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="dehusk")
def command() -> None:
    """Take the husk off web pages, keep the kernel.

    Exit codes: 0 all pages ok, 1 some pages failed, 2 wrong usage, 3 nothing extracted.
    """


for _subcommand in (clean, site, corpus, spark, read, crawl_command, annotate, train, evaluate, bench):
    command.add_command(_subcommand)


def main() -> None:
    """Run the command; every expected error is one line on standard error and exit code 2."""
    if sys.stdout is None:  # closed by the caller
        print("dehusk: standard output is closed", file=sys.stderr)
        sys.exit(USAGE)
    try:
        code = command.main(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except DehuskError as error:
        click.echo(f"dehusk: {error}", err=True)
        sys.exit(USAGE)
    except BrokenPipeError:
        _discard_output()  # the reader of our output went away
        sys.exit(1)
    except OSError as error:
        _discard_output()
        print(f"dehusk: output or input failed: {error.strerror or error}", file=sys.stderr)
        sys.exit(USAGE)
    sys.exit(code if isinstance(code, int) else 0)


def _discard_output() -> None:
    """Point standard output to nowhere, so that Python does not complain when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
