"""`dehusk studio` as it is typed."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from command_line import dehusk

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

PAGE = "<title>Tea</title><p>" + "Good leaves give three cups, says Ann. " * 9
WITHOUT = """import runpy, sys
sys.modules["{module}"] = None
sys.argv = ["dehusk", "studio"]
runpy.run_module("dehusk", run_name="__main__")"""


def refusal(*arguments: str | Path, folder: Path) -> str:
    """Return the only line that a command which cannot run prints."""
    result = dehusk("studio", "--no-open", *arguments, cwd=folder, timeout=60, watched=True)
    assert (result.returncode, result.stdout) == (2, b"")
    [line] = [line for line in result.stderr.decode().splitlines() if not line.startswith(("Usage:", "Try "))]
    return line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: no such file or folder"),
        (["empty"], "contains neither pages"),
        (["--port", "99999"], "99999 is not in the range"),
        (["--port", "tea"], "'tea' is not a valid integer"),
        (["--workers", "0"], "0 is not in the range"),
        (["--project", "file"], "is a file"),
        (["--project", "broken"], "or damaged: put a copy back, or name another folder by --project (file is not"),
        (["--colour", "red"], "No such option"),
        (["secret.html"], "secret.html"),
    ],
)
def test_bad_arguments_give_one_line(tmp_path, arguments, message) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "secret.html").symlink_to(tmp_path / "gone")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "project.db").write_text("this is no database, but long enough to be read as one" * 9)
    assert message in refusal(*arguments, folder=tmp_path)
    assert not (tmp_path / "dehusk-studio").exists()


def test_a_port_that_is_in_use_is_named(tmp_path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        line = refusal("--port", str(port), folder=tmp_path)
    assert f"port {port} of this machine: address already in use; with --port 0, a free one is taken" in line


@pytest.mark.parametrize("module", ["starlette", "uvicorn", "jinja2"])
def test_a_missing_library_names_what_to_install(tmp_path, module) -> None:
    command = [sys.executable, "-c", WITHOUT.format(module=module)]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    [line] = result.stderr.splitlines()
    assert "dehusk studio" in line
    assert "dehusk[studio]" in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="the browser is a script")
def test_the_browser_is_started_with_an_address_that_admits_once(tmp_path) -> None:
    script = tmp_path / "browser"
    script.write_text('#!/bin/sh\nprintf %s "$1" > address.tmp && mv address.tmp address\n')
    script.chmod(0o755)
    command = [sys.executable, "-m", "dehusk", "studio"]
    environment = os.environ | {"BROWSER": f"{script} %s"}
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            printed = re.search(r"http://127\.0\.0\.1:\d+/\?key=\S+", process.stderr.readline())[0]
            for _ in range(200):
                if (tmp_path / "address").exists():
                    break
                time.sleep(0.05)
            opened = (tmp_path / "address").read_text()
            assert opened != printed
            assert opened.partition("=")[0] == printed.partition("=")[0]
            for address, ends in ((opened, False), (opened, True), (printed, False), (printed, False)):
                opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
                if ends:
                    with pytest.raises(urllib.error.HTTPError, match="403") as caught:
                        opener.open(address, timeout=20)
                    caught.value.close()
                else:
                    with opener.open(address, timeout=20) as answer:
                        assert b"dehusk" in answer.read()
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)


def test_it_prints_its_address_serves_and_ends(tmp_path) -> None:
    (tmp_path / "tea.html").write_text(PAGE, "utf-8")
    command = [sys.executable, "-m", "dehusk", "studio", "tea.html", "--no-open", "--workers", "1"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = re.search(r"http://127\.0\.0\.1:\d+/page/1\?key=\S+", process.stderr.readline())[0]
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with opener.open(address, timeout=20) as answer:
                assert b"dehusk" in answer.read()
            with pytest.raises(urllib.error.HTTPError, match="403") as caught:
                urllib.request.urlopen(address.partition("?")[0], timeout=20)  # noqa: S310
            caught.value.close()
        finally:
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == ""
    assert "Traceback" not in err
    assert (tmp_path / "dehusk-studio" / "project.db").is_file()


@contextmanager
def studio(folder: Path, *arguments: str) -> Iterator[list[str]]:
    """Run a studio, give the lines that it prints first, and end it."""
    command = [sys.executable, "-m", "dehusk", "studio", "--no-open", *arguments]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield [process.stderr.readline()]
        finally:
            process.send_signal(signal.SIGINT)
            _, rest = process.communicate(timeout=30)
            assert "Traceback" not in rest


def key_and_port(line: str) -> tuple[str, int]:
    port, key = re.search(r"http://127\.0\.0\.1:(\d+)/\?key=(\S+)", line).groups()
    return key, int(port)


@pytest.mark.skipif(os.name != "posix", reason="permissions and users are those of POSIX")
def test_the_key_and_the_port_stay_with_the_project(tmp_path) -> None:
    file = tmp_path / "dehusk-studio" / "studio.key"
    with studio(tmp_path) as [line]:
        first = key_and_port(line)
        assert file.stat().st_mode & 0o777 == 0o600
        result = subprocess.run(
            [sys.executable, "-m", "dehusk", "studio", "--no-open"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert key_and_port(result.stderr) == first, "a second one says where the first one is"
    with studio(tmp_path) as [line]:
        assert key_and_port(line) == first
    with studio(tmp_path, "--new-key") as [line]:
        renewed = key_and_port(line)
        assert (renewed[0] != first[0], renewed[1]) == (True, first[1])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with studio(tmp_path, "--port", str(port)) as [line]:
        assert key_and_port(line) == (renewed[0], port), "--port wins"
    with studio(tmp_path) as [line]:
        assert key_and_port(line) == (renewed[0], port), "and stays"


@pytest.mark.skipif(os.name != "posix", reason="permissions and users are those of POSIX")
def test_a_port_that_another_program_has_now_is_told_and_kept(tmp_path) -> None:
    with studio(tmp_path) as [line]:
        key, port = key_and_port(line)
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        taken.listen()
        command = [sys.executable, "-m", "dehusk", "studio", "--no-open"]
        with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            again, told = key_and_port(process.stderr.readline()), process.stderr.readline()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
    assert (again[0], again[1] != port) == (key, True)
    assert f"port {port} is in use: tabs and bookmarks with it work again once what uses it has ended" in told
    with studio(tmp_path) as [line]:
        assert key_and_port(line) == (key, port)


@pytest.mark.skipif(os.name != "posix", reason="permissions and users are those of POSIX")
@pytest.mark.parametrize("spoil", ["copied", "readable", "damaged", "link"])
def test_a_key_that_others_may_know_is_not_used(tmp_path, spoil: str) -> None:
    """Such as that of a project that somebody else made, copied with it."""
    file, away = tmp_path / "dehusk-studio" / "studio.key", tmp_path / "away"
    with studio(tmp_path) as [line]:
        key, _ = key_and_port(line)
    content = file.read_bytes()
    if spoil == "readable":
        file.chmod(0o644)
    elif spoil == "damaged":
        file.write_bytes(content[:20])
    else:
        file.rename(away)
        file.symlink_to(away) if spoil == "link" else file.write_bytes(content)
        away.chmod(0o600)
    if spoil == "link":
        assert "studio.key is a link out of the project" in refusal(folder=tmp_path)
        assert away.read_bytes() == content
        return
    if spoil == "copied":
        file.chmod(0o600)
    with studio(tmp_path) as [line]:
        assert key_and_port(line)[0] != key
    assert file.stat().st_mode & 0o777 == 0o600


def test_an_address_that_cannot_be_fetched_is_told(tmp_path) -> None:
    assert "http://127.0.0.1:9/: not on the public internet" in refusal("http://127.0.0.1:9/", folder=tmp_path)


def test_a_single_page_is_shown_by_itself(tmp_path) -> None:
    (tmp_path / "tea.html").write_text(PAGE, "utf-8")
    with studio(tmp_path, "tea.html") as [line]:
        assert re.search(r"http://127\.0\.0\.1:\d+/page/1\?key=\S+ ", line)
    with studio(tmp_path) as [line]:
        assert re.search(r"http://127\.0\.0\.1:\d+/\?key=\S+ ", line)
