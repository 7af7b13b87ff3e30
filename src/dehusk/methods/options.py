"""A constructor's arguments as options, read and set by name as scikit-learn does; nothing of it is imported."""

from inspect import signature
from typing import Any, ClassVar, Self

from dehusk.errors import ConfigError, unknown


class WithOptions:
    """A method that keeps its constructor's arguments as attributes of the same names."""

    _options: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls) -> None:
        """Find the names once: they are asked for with each page."""
        super().__init_subclass__()
        cls._options = tuple(signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 (scikit-learn's signature)
        """Return the constructor's arguments."""
        return {name: getattr(self, name) for name in self._options}

    def set_params(self, **params: Any) -> Self:
        """Set constructor's arguments by name; raises `ConfigError` for unknown names, and then changes nothing."""
        for name in params:
            if name not in self._options:
                raise ConfigError(unknown("option", name, self._options))
        for name, value in params.items():
            setattr(self, name, value)
        return self
