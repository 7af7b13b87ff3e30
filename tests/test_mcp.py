"""`dehusk mcp`: what a language model's program sees of it, over the SDK's own client."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")
pytest.importorskip("scrapy", reason="the extra crawl is not installed")

import anyio
import mcp
from jsonschema import Draft202012Validator

import dehusk
from crawl_workers import forked_workers
from dehusk.cli.commands import SUBCOMMANDS
from dehusk.many.crawl import CrawlPlan
from dehusk.read import Limits
from dehusk.service.mcp_server import make_mcp
from dehusk.service.operations import OPERATIONS
from dehusk.service.workers import Workers
from webserver import Answer, serving

__all__ = ["forked_workers"]

ROOT = Path(__file__).parents[1]
TEA = (ROOT / "examples" / "tea.html").read_text("utf-8")
ROOM = [path.read_text("utf-8") for path in sorted((ROOT / "examples" / "tea-room").glob("*.html"))]
SHOWN = Answer(TEA.encode(), headers={"Content-Type": "text/html; charset=utf-8"})


@pytest.fixture(scope="module")
def workers():
    with Workers(workers=1, limits=Limits()) as workers:
        yield workers


def talk(workers: Workers, work: Callable[[Any], Awaitable[Any]], *, fetches: bool = False) -> Any:
    """Return what a function returns of a client that is connected to a server."""

    async def run() -> Any:
        async with mcp.Client(make_mcp(workers, fetches=fetches)) as client:
            return await work(client)

    return anyio.run(run)


def call(workers: Workers, name: str, **arguments: Any) -> Any:
    return talk(workers, lambda client: client.call_tool(name, arguments))


def test_tools_are_the_operations_with_types_and_short_descriptions(workers) -> None:
    tools = talk(workers, lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == list(OPERATIONS)
    for tool in tools:
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)
        assert len(tool.description) < 250
        assert "fetches nothing" in tool.description
        described = tool.input_schema["properties"].values()
        assert all(one.get("description") for one in described)
        assert tool.annotations.read_only_hint
    tools = talk(workers, lambda client: client.list_tools(), fetches=True).tools
    assert all("or only its address" in tool.description for tool in tools)


def test_clean(workers) -> None:
    told = call(workers, "clean", html=TEA, address="https://tea.example/")
    document = dehusk.clean(TEA, url="https://tea.example/")
    assert not told.is_error
    assert [each.text for each in told.content] == [document.markdown]
    assert told.structured_content["status"] == "ok"
    assert told.structured_content["title"] == document.title
    told = call(workers, "clean", html="<title>404 Not Found</title><p>There is no such page.")
    assert told.content[-1].text.startswith("status no-content: ")


def test_chunks(workers) -> None:
    told = call(workers, "chunks", html=TEA, max_words=40)
    expected = json.loads(json.dumps([each.record() for each in dehusk.clean(TEA).chunks(max_words=40)]))
    assert told.structured_content["chunks"] == expected
    assert json.loads(told.content[0].text) == told.structured_content


def test_within(workers) -> None:
    told = call(workers, "within", html=TEA, max_tokens=80, query="cold water")
    excerpt = dehusk.clean(TEA).within(max_tokens=80, query="cold water")
    assert [each.text for each in told.content] == [excerpt.markdown, excerpt.describe()]
    assert excerpt.left_out


def test_locate(workers) -> None:
    told = call(workers, "locate", html=TEA, quote="THE WATER was too hot")
    [place] = told.structured_content["places"]
    assert (place["text"], place["kept"]) == ("the water was too hot", True)
    assert call(workers, "locate", html=TEA, quote="coffee is better").structured_content["places"] == []


def test_records_and_toc(workers) -> None:
    pages = [{"html": page} for page in ROOM]
    table = call(workers, "records", pages=pages).structured_content
    assert [row["page"] for row in table["rows"]] == [str(number) for number in range(1, len(ROOM) + 1)]
    assert "title" in table["columns"]
    contents = call(workers, "toc", pages=pages).structured_content
    assert [page["page"] for page in contents["pages"]] == [row["page"] for row in table["rows"]]


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("clean", {}, "no page: send its html, or its address"),
        ("clean", {"html": TEA, "style": "artical"}, "unknown style 'artical'. Did you mean article?"),
        ("clean", {"html": TEA, "fromat": "text"}, "unknown parameter 'fromat'. Did you mean format?"),
        ("clean", {"html": 3}, "html: input should be a valid string"),
        ("clean", {"html": "https://tea.example/"}, "html is an address, not a page: send it as address"),
        ("clean", {"address": "https://tea.example/"}, "html is missing: this service fetches no addresses"),
        ("locate", {"html": TEA}, "quote is missing"),
        ("records", {"pages": [{"htm": "x"}]}, "unknown parameter 'htm'. Did you mean html?"),
        ("claen", {"html": TEA}, "unknown tool 'claen'. Did you mean clean?"),
    ],
)
def test_bad_input_is_an_error_of_the_tool_in_one_line(workers, name: str, arguments: dict, line: str) -> None:
    told = call(workers, name, **arguments)
    assert told.is_error
    [content] = told.content
    assert content.text.startswith(line)
    assert "\n" not in content.text


def test_a_page_is_fetched_only_if_it_may_be() -> None:
    with serving({"/tea": SHOWN}) as site:
        with Workers(workers=1, limits=Limits(), fetch=CrawlPlan(private=True, delay=0)) as workers:
            told = call(workers, "clean", address=f"{site.url}tea")
            assert told.content[0].text == dehusk.clean(TEA, url=f"{site.url}tea").markdown
            told = call(workers, "clean", address=f"{site.url}missing")
            assert (told.is_error, told.structured_content["status"]) == (False, "error")
            assert "HTTP 404" in told.structured_content["message"]
            assert "is not a web address" in call(workers, "clean", address="ftp://tea.example/").content[0].text
        with Workers(workers=1, limits=Limits(), fetch=CrawlPlan(delay=0)) as workers:
            told = call(workers, "clean", address=f"{site.url}tea")
            assert told.structured_content["message"].startswith("not on the public internet")


def test_two_requests_to_a_host_are_apart(monkeypatch) -> None:
    from dehusk.service import workers as module

    waited: list[float] = []
    monkeypatch.setattr(module.time, "sleep", waited.append)
    fetching = module._Fetching(CrawlPlan(delay=0))
    for host in ("a.example", "b.example", "a.example"):
        fetching._wait(host)
    assert waited[:2] == [0, 0]
    assert 0 < waited[2] <= CrawlPlan.delay


def test_the_command_speaks_over_its_streams() -> None:
    command = mcp.StdioServerParameters(command=sys.executable, args=["-m", "dehusk", "mcp"], env=dict(os.environ))

    async def run() -> tuple[Any, Any]:
        async with mcp.Client(mcp.stdio_client(command)) as client:
            return await client.list_tools(), await client.call_tool("clean", {"html": TEA, "format": "text"})

    listed, told = anyio.run(run)
    assert [tool.name for tool in listed.tools] == list(OPERATIONS)
    assert told.content[0].text == dehusk.clean(TEA).text


def test_the_command_speaks_over_http() -> None:
    command = [sys.executable, "-m", "dehusk", "mcp", "--http", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            line = process.stderr.readline()
            address = line.split(" (")[0].removeprefix("dehusk: MCP server: ")

            async def run() -> Any:
                async with mcp.Client(address) as client:
                    return await client.call_tool("clean", {"html": TEA, "format": "text"})

            assert anyio.run(run).content[0].text == dehusk.clean(TEA).text
            headers = {"Host": "evil.example", "Content-Type": "application/json"}
            asked = urllib.request.Request(address, b"{}", headers)  # noqa: S310 (http, of this machine)
            with pytest.raises(urllib.error.HTTPError, match="421"):
                urllib.request.urlopen(asked, timeout=20)  # noqa: S310
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 143
        finally:
            process.kill()


def test_the_description_for_registries_is_of_this_version_and_command() -> None:
    described = json.loads((ROOT / "server.json").read_text("utf-8"))
    [package] = described["packages"]
    assert described["version"] == package["version"] == dehusk.__version__
    assert len(described["description"]) <= 100  # as the registry asks
    assert [one["value"] for one in package["packageArguments"]] == ["mcp"]
    assert [one["value"] for one in package["runtimeArguments"]] == ["dehusk[mcp]"]
    assert "mcp" in SUBCOMMANDS
