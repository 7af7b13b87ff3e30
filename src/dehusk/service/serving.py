"""Start the HTTP service, and serve until a signal ends it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import uvicorn

from dehusk.base.errors import ConfigError
from dehusk.base.listening import LOCAL, listen, own_hosts
from dehusk.read import Limits
from dehusk.service.heads import PromptProtocol
from dehusk.service.http import Bounds, Service, make_app
from dehusk.service.load import Capacity
from dehusk.service.workers import Workers

if TYPE_CHECKING:
    from dehusk.many.crawl import CrawlPlan

_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 (nothing is bound to them unless a user says so)


_NAME = re.compile(r"(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?|[\da-fA-F:.]+")  # of a host, maybe with its port


@dataclass(frozen=True)
class ServicePlan:
    """How to serve.

    Raises:
        ConfigError: one of the names is none.
    """

    host: str = LOCAL
    """Address of this machine to listen on."""
    port: int = 8420
    """0 for a free one."""
    names: tuple[str, ...] = ()
    """Further names by which requests may call the server, each with its port if that is not the server's."""
    workers: int = 1
    """Processes that clean pages."""
    queue: int = 64
    """Requests that may wait."""
    limits: Limits = field(default_factory=Limits)
    """Limits on each page."""
    batch_bytes: int = 100_000_000
    """The most bytes of a batch."""
    body_seconds: float = 10.0
    """The most seconds for a body to arrive; a large one has a second more for each 100 kB."""
    fetch: CrawlPlan | None = None
    """How to fetch pages of which only the address is sent; None not to."""

    def __post_init__(self) -> None:
        for name in self.names:
            if not _NAME.fullmatch(name):
                raise ConfigError(f"{name!r} is no name of a host: it would be as clean.example, or clean.example:8080")


def serve_http(plan: ServicePlan, announce: Callable[[str], object] = print) -> None:
    """Serve until SIGINT or SIGTERM: then what runs or waits is finished, and the signal is handled as before.

    Args:
        plan: how to serve.
        announce: receives a line with the address when the service is ready.

    Raises:
        InputError: the port is in use, or the address is none of this machine.
    """
    with (
        listen(plan.port, host=plan.host) as listener,
        Workers(workers=plan.workers, limits=plan.limits, fetch=plan.fetch) as workers,
    ):
        port = listener.getsockname()[1]
        bounds = Bounds(plan.limits.bytes, plan.batch_bytes, plan.body_seconds)
        service = Service(workers, Capacity(plan.workers, plan.queue), bounds)
        workers.start()
        shown = LOCAL if plan.host in _EVERYWHERE else plan.host
        announce(f"service: http://{f'[{shown}]' if ':' in shown else shown}:{port}/ (Ctrl-C ends it)")
        config = uvicorn.Config(
            make_app(service, hosts=_hosts(plan, port)),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            http=PromptProtocol,
            ws="none",
            lifespan="off",
            timeout_graceful_shutdown=int(workers.longest) + 1,
        )
        uvicorn.Server(config).run(sockets=[listener])


def _hosts(plan: ServicePlan, port: int) -> frozenset[str]:
    """Return the values of `Host` that requests may have; a name behind a proxy may have any port, or none."""
    own = own_hosts(port, (LOCAL, "localhost", "::1", plan.host))
    return own | own_hosts(port, plan.names) | {name.lower() for name in plan.names}
