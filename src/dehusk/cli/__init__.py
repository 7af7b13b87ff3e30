"""The `dehusk` command: one thin file a subcommand; each calls a function that Python code can call, too."""

import os
import sys

import click

from dehusk import __version__
from dehusk.cli.annotate import annotate_command
from dehusk.cli.bench import bench_command
from dehusk.cli.clean import clean_command
from dehusk.cli.corpus import corpus_command
from dehusk.cli.crawl import crawl_command
from dehusk.cli.evaluate import evaluate_command
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.read import read_command
from dehusk.cli.site import site_command
from dehusk.cli.spark import spark_command
from dehusk.cli.train import train_command
from dehusk.errors import DehuskError


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="dehusk")
def command() -> None:
    """Take the husk off web pages, keep the kernel.

    Exit codes: 0 all pages ok, 1 some pages failed, 2 wrong usage, 3 nothing extracted.
    """


for _subcommand in (
    clean_command,
    site_command,
    corpus_command,
    spark_command,
    read_command,
    crawl_command,
    annotate_command,
    train_command,
    evaluate_command,
    bench_command,
):
    command.add_command(_subcommand)


def main() -> None:
    """Run the command; every expected error is one line on standard error and exit code 2."""
    if sys.stdout is None:  # closed by the caller
        print("dehusk: standard output is closed", file=sys.stderr)
        sys.exit(ExitCode.USAGE)
    try:
        code = command.main(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(ExitCode.INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except DehuskError as error:
        click.echo(f"dehusk: {error}", err=True)
        sys.exit(ExitCode.USAGE)
    except BrokenPipeError:
        _discard_output()  # the reader of our output went away
        sys.exit(ExitCode.SOME_FAILED)
    except OSError as error:
        _discard_output()
        print(f"dehusk: output or input failed: {error.strerror or error}", file=sys.stderr)
        sys.exit(ExitCode.USAGE)
    sys.exit(code if isinstance(code, int) else ExitCode.OK)


def _discard_output() -> None:
    """Point standard output to nowhere, so that Python does not complain when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
