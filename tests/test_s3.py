"""A run from and to an S3 server (moto) on this machine."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import warcs
from test_corpus_run import output_files, write_corpus
from toy_package import NAME, install

fsspec, *_ = (pytest.importorskip(name, reason="not installed") for name in ("fsspec", "s3fs", "moto", "flask_cors"))

SECRET = "of-the-test"  # noqa: S105 (no real one)
ENVIRONMENT = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))}


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return not probe.connect_ex(("127.0.0.1", port))


@pytest.fixture(scope="module")
def bucket(tmp_path_factory) -> Iterator[tuple[str, dict[str, str], Any]]:
    """Start an S3 server; return the address of a bucket, the environment to reach it with, and its filesystem."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = (tmp_path_factory.mktemp("s3") / "log").open("wb")
    server = subprocess.Popen([sys.executable, "-m", "moto.server", "-p", str(port)], stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    keys = {
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret-of-the-test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    environment = os.environ | keys | {"AWS_ENDPOINT_URL": url, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    store = fsspec.filesystem(
        "s3",
        endpoint_url=url,
        key=keys["AWS_ACCESS_KEY_ID"],
        secret=keys["AWS_SECRET_ACCESS_KEY"],
        use_listings_cache=False,
        skip_instance_cache=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not _answers(port):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        store.mkdir("bucket")
        yield "s3://bucket", environment, store
    finally:
        server.terminate()
        server.wait()
        log.close()


def dehusk(environment: dict[str, str], *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "dehusk", *arguments], env=environment, stderr=subprocess.PIPE)


def finished(command: "subprocess.Popen[bytes]") -> str:
    """Wait for a command and return its messages."""
    _, errors = command.communicate()
    assert command.returncode == 0, errors.decode()
    return errors.decode()


def sent(store: Any, folder: Path, key: str) -> None:
    for path in folder.rglob("*.warc.gz"):
        store.put_file(str(path), f"{key}/{path.relative_to(folder).as_posix()}")


def received(store: Any, key: str, folder: Path) -> dict[str, bytes]:
    """Copy a folder from the server, and return its output files."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in store.find(key):
        target = folder / name.removeprefix(f"{key}/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(store.cat_file(name))
    return output_files(folder)


@pytest.fixture(scope="module")
def reference(tmp_path_factory) -> tuple[Path, dict[str, bytes]]:
    corpus = write_corpus(tmp_path_factory.mktemp("corpus"))
    out = tmp_path_factory.mktemp("reference")
    finished(dehusk(ENVIRONMENT, *command_of(corpus, out)))
    return corpus, output_files(out)


def command_of(source: object, out: object) -> list[str]:
    return ["corpus", str(source), "-o", str(out), "--sample", "8", "--workers", "2"]


@pytest.mark.filterwarnings("default")  # those of the libraries
def test_a_run_from_and_to_a_bucket_writes_the_local_bytes_also_after_it_was_killed(bucket, reference, tmp_path):
    address, environment, store = bucket
    corpus, expected = reference
    sent(store, corpus, "bucket/crawl")
    finished(dehusk(environment, *command_of(f"{address}/crawl", tmp_path / "out")))
    assert output_files(tmp_path / "out") == expected
    for moment in (3, 9):
        running = dehusk(environment, *command_of(f"{address}/crawl/*.warc.gz", f"{address}/out"))
        while running.poll() is None and len(store.find("bucket/out")) < moment:
            time.sleep(0.01)
        running.kill()
        running.communicate()
        if store.exists("bucket/out/state/lock-1of1"):
            store.rm_file("bucket/out/state/lock-1of1")  # the next run would wait to see that this one has ended
    done = len(store.find("bucket/out/state/done"))
    errors = finished(dehusk(environment, *command_of(f"{address}/crawl", f"{address}/out")))
    assert received(store, "bucket/out", tmp_path / "copy") == expected
    assert f"4 files ({done} done by an earlier run)" in errors or not done
    assert not any(
        b"secret-of-the-test" in path.read_bytes() for path in (tmp_path / "copy").rglob("*") if path.is_file()
    )
    assert not store.exists("bucket/out/state/lock-1of1")
    for count in (6, 7):  # a new file, and a changed one; the others share no site with it
        warcs.write(tmp_path / "new/4.warc.gz", warcs.page_records(count, first=5000, host="pots.example"))
        sent(store, tmp_path / "new", "bucket/crawl")
        errors = finished(dehusk(environment, *command_of(f"{address}/crawl", f"{address}/out")))
        assert f"5 files (4 done by an earlier run), {64 + count} pages" in errors


@pytest.mark.spark
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java, which is not here")
@pytest.mark.filterwarnings("default")
def test_two_executors_of_spark_write_the_same_bytes_to_a_bucket_by_a_method_of_another_package(
    bucket, reference, tmp_path_factory, tmp_path
):
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    address, environment, store = bucket
    corpus, _ = reference
    package = str(install(tmp_path_factory.mktemp("package")))
    environment = environment | {"PYTHONPATH": os.pathsep.join([package, environment["PYTHONPATH"]])}
    options = ["--method", NAME, "--find", NAME, "-f", "jsonl"]
    finished(dehusk(environment, *command_of(corpus, tmp_path / "here"), *options))
    rows = map(json.loads, (tmp_path / "here/pages/0.warc.gz.jsonl").read_text("utf-8").splitlines())
    assert max(row["findings"][NAME]["rare"] or 0 for row in rows) >= 2
    sent(store, corpus, "bucket/for-spark")
    there = ["-o", f"{address}/from-spark", "--sample", "8", "--master", "local-cluster[2,1,1024]", *options]
    errors = finished(dehusk(environment, "spark", f"{address}/for-spark", *there))
    assert "4 files, 64 pages: 64 ok" in errors
    assert received(store, "bucket/from-spark", tmp_path / "copy") == output_files(tmp_path / "here")
    assert not store.exists("bucket/from-spark/state/spark")
    assert "4 files (4 done by an earlier run)" in finished(
        dehusk(environment, *command_of(f"{address}/for-spark", f"{address}/from-spark"), *options)
    )


def test_a_child_with_little_memory_has_connected_before_the_limit_applies(bucket, reference, tmp_path):
    address, environment, store = bucket
    corpus, expected = reference
    sent(store, corpus, "bucket/for-little")
    finished(dehusk(environment, *command_of(f"{address}/for-little", tmp_path / "out"), "--max-memory", "100"))
    assert output_files(tmp_path / "out") == expected
