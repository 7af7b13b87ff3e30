"""Optional dependencies: imported when they are needed, and one error when they are missing."""

from importlib import import_module
from types import ModuleType

from dehusk.base.errors import MissingExtraError


def require(module: str, *others: str, extra: str, purpose: str) -> ModuleType:
    """Import an optional dependency and return it.

    Args:
        module: dotted name of the module, for example "pyarrow.parquet".
        others: further modules that are needed.
        extra: the extra of dehusk that installs it.
        purpose: what needs it, as the subject of the message: "reading Parquet files".

    Raises:
        MissingExtraError: it is not installed; the message names the `pip install` line.
    """
    for name in (module, *others):
        try:
            import_module(name)
        except ImportError as error:
            raise missing(name, extra=extra, purpose=purpose) from error
    return import_module(module)


def missing(module: str, *, extra: str, purpose: str) -> MissingExtraError:
    """Return the error for a module that could not be imported; see `require`."""
    package = module.partition(".")[0]
    return MissingExtraError(f"{purpose} needs {package}, which is not installed: pip install 'dehusk[{extra}]'")
