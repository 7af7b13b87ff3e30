"""Access to the arguments of a method's constructor by name, as in scikit-learn, without importing it."""

from inspect import signature
from typing import Any, ClassVar, Self

from dehusk.base.errors import ConfigError, unknown


def page_count(pages: int) -> str:
    """Return a number of pages with its noun: "1 page", "2 pages"."""
    return f"{pages} page{'' if pages == 1 else 's'}"


class WithParameters:
    """Base class of methods that store the arguments of their constructor in attributes of the same names."""

    _defaults: ClassVar[dict[str, Any]]
    """Parameter -> its default, `inspect.Parameter.empty` if it has none."""

    def __init_subclass__(cls) -> None:
        """Look the parameters up once, because they are needed for each page."""
        super().__init_subclass__()
        cls._defaults = {name: parameter.default for name, parameter in signature(cls).parameters.items()}

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 (scikit-learn's signature)
        """Return the constructor's arguments."""
        return {name: getattr(self, name) for name in self._defaults}

    def set_params(self, **params: Any) -> Self:
        """Set the constructor's arguments by name.

        Raises:
            ConfigError: a name is unknown; no argument is set.
        """
        for name in params:
            if name not in self._defaults:
                raise ConfigError(unknown("option", name, self._defaults))
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        """Return one line: the arguments that differ from their defaults, and what the method has learned."""
        arguments = [f" {name}={value!r}" for name, value in self.get_params().items() if value != self._defaults[name]]
        state = self._state()
        return f"<{type(self).__name__}{','.join(arguments)}{f': {state}' if state else ''}>"

    def _state(self) -> str:
        """Return what the method has learned, in a few words; "" if it does not learn."""
        return ""
