"""Start Spark sessions, as `dehusk spark` does."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from dehusk.base.errors import ConfigError, InputError

FAILURES = (PySparkException, Py4JError, ImportError)
"""The exceptions that Spark raises when it fails; ImportError if one of its own libraries is missing or too old."""
_JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # little work is done in Java: halves its CPU time at start
_ARCHIVES, _PYTHON = _ENVIRONMENT = ("spark.archives", "spark.pyspark.python")
_ALWAYS = {"spark.sql.execution.arrow.maxRecordsPerBatch": "200"}  # pages; Spark 3.5 has no limit in bytes
_LOCAL = {
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.driver.extraJavaOptions": _JAVA_OPTIONS,
    "spark.executor.extraJavaOptions": _JAVA_OPTIONS,
}


def session(
    master: str | None = None, remote: str | None = None, conf: Mapping[str, str] | None = None
) -> SparkSession:
    """Return a Spark session.

    Args:
        master: as for `spark-submit`: `local[4]`, `local-cluster[2,1,1024]`, `spark://host:7077`, `yarn`. The default
            is the master of `spark-submit` if that started this process, otherwise `local[*]`.
        remote: the URL of a Spark Connect server, `sc://host:15002`.
        conf: Spark settings.

    Raises:
        ConfigError: both a master and a remote server are given.
        InputError: Spark cannot start.
    """
    if master and remote:
        raise ConfigError("--master and --remote cannot be used together")
    if not (master or remote or "PYSPARK_GATEWAY_PORT" in os.environ):  # set by spark-submit, which has its own master
        master = "local[*]"
    builder = SparkSession.builder.appName("dehusk")
    builder = builder.master(master) if master else builder.remote(remote) if remote else builder
    _prepare_environment(master or remote or "", conf or {})
    local = _LOCAL if master and master.startswith("local") else {}
    settings = {**_ALWAYS, **local, **(conf or {})}
    packed = {name: settings.pop(name) for name in _ENVIRONMENT if remote and name in settings}
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        return _send_environment(builder.getOrCreate(), packed)
    except (*FAILURES, OSError) as error:
        raise InputError(f"Spark cannot start: {failure_line(error)}{_java_hint(error)}") from error


def _java_hint(error: BaseException) -> str:
    """Return what to do if Java ended before Spark started."""
    if "JAVA_GATEWAY_EXITED" not in str(error):
        return ""
    has_java = shutil.which("java") or "JAVA_HOME" in os.environ
    return " See Java's message above; check --master and --conf." if has_java else " Is Java 17 installed?"


def _send_environment(spark: SparkSession, packed: Mapping[str, str]) -> SparkSession:
    """Send a packed environment to a Connect server, because its workers do not get the driver's settings."""
    for archive in filter(None, packed.get(_ARCHIVES, "").split(",")):
        spark.addArtifacts(archive, archive=True)
    if _PYTHON in packed:
        spark.conf.set("spark.sql.execution.pyspark.python", packed[_PYTHON])
    return spark


def _prepare_environment(address: str, conf: Mapping[str, str]) -> None:
    """Make workers use the interpreter from the settings, local ones this interpreter and the loopback address."""
    if _PYTHON in conf:  # only spark-submit reads this setting
        os.environ["PYSPARK_PYTHON"] = conf[_PYTHON]
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if address.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


def failure_line(error: BaseException) -> str:
    """Return one line that explains a failure of Spark: the last line of a Python traceback, if it contains one."""
    lines = [line.strip(": ") for line in str(error).splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"\(?(?:\w+\.)*\w*(?:Error|Exception)\b\)?:? \S", line)]
    candidates = errors or lines or [type(error).__name__]
    return candidates[-1 if _has_traceback(lines) else 0][:300]


def _has_traceback(lines: list[str]) -> bool:
    return any(line.startswith("Traceback (most recent call last)") for line in lines)
