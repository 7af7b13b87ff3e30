"""Who may ask the studio, and what browsers may do with its answers (docs/studio-safety.md).

A request is answered only if it names this server as its host (a page elsewhere whose name resolves to 127.0.0.1 names
another), carries the project's secret in a cookie, and comes from the studio's own pages, as far as the browser says
where it comes from; if it changes something, the browser must say so. The address that the studio prints carries the
secret once; it is then kept in the cookie and removed from the address.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dehusk.base.listening import named_host, own_hosts

KEY = "key"
"""Name of the parameter with the secret."""
COOKIE = "dehusk_studio"
FRAME_PATH = "/frame/"
"""What is below it shows content of pages."""

_API = "/api/"
_READING = frozenset({"GET", "HEAD"})
_ELSEWHERE = frozenset({"cross-site", "same-site"})  # same-site: another port of this machine
_MOST_PATH = 2_000  # characters
_APP_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_FRAME_POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
_HEADERS = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}"
    "h1{font-size:1.3rem}code{font-size:1.1em;padding:.4em .7em;border:1px solid;border-radius:6px;user-select:all;"
    "display:inline-block}"
)
_STYLE_HASH = b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_REFUSAL_POLICY = _APP_POLICY.replace("style-src 'self'", f"style-src 'sha256-{_STYLE_HASH}'")
_REFUSAL = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The key is missing · dehusk studio</title><style>{_STYLE}</style></head>
<body><main><h1>This tab does not have the studio's key</h1>
<p>Open the address that the studio printed when it was started: it contains the key. Then load this page again.</p>
<p>In the folder where the studio was started, this prints the address once more:</p>
<p><code>dehusk studio --project dehusk-studio</code></p>
<p>Name the project's own folder if it is another one. Nothing is lost: labels that were not saved yet stay in this
browser, and are sent then.</p></main></body></html>"""


class Guard:
    """ASGI middleware that refuses what does not come from the studio's own pages.

    Args:
        app: what to guard.
        secret: of the project.
        port: that the server listens on.
        ticket: another secret, which admits once; "" for none. Other users of the machine may see the address that a
            browser is started with.
    """

    def __init__(self, app: ASGIApp, secret: str, port: int, ticket: str = "") -> None:
        self._app = app
        self._secret = secret
        self._ticket = ticket
        self._cookie = f"{COOKIE}_{port}"  # cookies are shared by all ports of a host
        self._hosts = own_hosts(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on; only HTTP is served."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        refusal = self._answer(scope)
        await (refusal or self._app)(scope, receive, _with_headers(send, headers_of(scope["path"])))

    def _answer(self, scope: Scope) -> Response | None:
        """Return the answer to a request that the studio does not see; None for one that it answers."""
        headers = Headers(scope=scope)
        host = named_host(headers.getlist("host"), self._hosts)
        given = parse_qs(scope["query_string"].decode("latin-1")).get(KEY, [""])[0]
        is_reading, is_from_elsewhere = scope["method"] in _READING, headers.get("sec-fetch-site", "") in _ELSEWHERE
        if not host:
            return _refusal(scope, "this host is not the studio's: open the address that dehusk studio printed", 421)
        if len(scope["path"]) > _MOST_PATH:
            return _refusal(scope, "the address is too long", 414)
        if not is_reading and headers.getlist("origin") != [f"http://{host}"]:
            return _refusal(scope, "only the studio's own pages may change something", 403)
        if given and is_reading and (self._is_secret(given) or self._is_ticket(given)):
            return self._admit(scope["path"], is_from_elsewhere=is_from_elsewhere)
        if is_from_elsewhere or not self._is_secret(_cookies(headers).get(self._cookie, "")):
            return _refusal(
                scope, "open the address that dehusk studio printed: it contains the key", 403, page=is_reading
            )
        return None

    def _is_secret(self, given: str) -> bool:
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._secret.encode())

    def _is_ticket(self, given: str) -> bool:
        is_one = bool(self._ticket) and hmac.compare_digest(given.encode("utf-8", "replace"), self._ticket.encode())
        if is_one:
            self._ticket = ""
        return is_one

    def _admit(self, path: str, *, is_from_elsewhere: bool) -> Response:
        """Store the secret in the cookie, and go on without it in the address."""
        target = quote(f"/{path.lstrip('/')}")
        response: Response = RedirectResponse(target, 303)
        if is_from_elsewhere:  # such as a terminal in the browser: after a redirect the cookie would be withheld
            refresh = f'<meta http-equiv="refresh" content="0;url={target}">'
            response = HTMLResponse(f'<!DOCTYPE html>{refresh}<a href="{target}">dehusk studio</a>')
        response.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict", path="/")
        return response


def _refusal(scope: Scope, line: str, status: int, *, page: bool = False) -> Response:
    """Return why a request is refused: one line, or a page for people."""
    if page and not scope["path"].startswith((_API, FRAME_PATH)):
        return HTMLResponse(_REFUSAL, status, {"Content-Security-Policy": _REFUSAL_POLICY})
    if scope["path"].startswith(_API):
        return JSONResponse({"error": line}, status)
    return PlainTextResponse(line, status)


def headers_of(path: str) -> dict[str, str]:
    """Return the headers of each answer: pages load only what the studio serves, frames nothing."""
    is_frame = path.startswith(FRAME_PATH)
    return _HEADERS | {
        "Content-Security-Policy": _FRAME_POLICY if is_frame else _APP_POLICY,
        "X-Frame-Options": "SAMEORIGIN" if is_frame else "DENY",
    }


def _cookies(headers: Headers) -> dict[str, str]:
    """Return the cookies of a request; other servers of this machine may have set some in any form."""
    return cookie_parser(headers.get("cookie", ""))


def _with_headers(send: Send, values: Mapping[str, str]) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in values.items():
                headers.setdefault(name, value)
        await send(message)

    return send_with_headers
