"""Sessions of Spark as `dehusk spark` starts them."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from dehusk.errors import ConfigError, InputError

FAILURES = (PySparkException, Py4JError, ImportError)
"""What Spark raises when it fails; the last where a library of its own is missing or too old."""
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # the work is not in Java: half of its own CPU at the start is saved
_ARCHIVES, _PYTHON = _ENVIRONMENT = ("spark.archives", "spark.pyspark.python")
_ALWAYS = {"spark.sql.execution.arrow.maxRecordsPerBatch": "200"}  # of pages; Spark 3.5 knows no limit in bytes
_LOCAL = {
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
}


def session(
    master: str | None = None, remote: str | None = None, conf: Mapping[str, str] | None = None
) -> SparkSession:
    """Return a session of Spark.

    Args:
        master: as of `spark-submit`: `local[4]`, `local-cluster[2,1,1024]`, `spark://host:7077`, `yarn`. Without it the
            one of `spark-submit`, if this process was started by it, else `local[*]`.
        remote: the address of a Spark Connect server, `sc://host:15002`.
        conf: Spark's settings.

    Raises:
        ConfigError: both a master and a remote server.
        InputError: the session does not start.
    """
    if master and remote:
        raise ConfigError("either --master or --remote, not both")
    if not (master or remote or "PYSPARK_GATEWAY_PORT" in os.environ):  # spark-submit sets it, and a master of its own
        master = "local[*]"
    builder = SparkSession.builder.appName("dehusk")
    builder = builder.master(master) if master else builder.remote(remote) if remote else builder
    _prepare(master or remote or "", conf or {})
    own = _LOCAL if master and master.startswith("local") else {}
    settings = {**_ALWAYS, **own, **(conf or {})}
    sent = {name: settings.pop(name) for name in _ENVIRONMENT if remote and name in settings}
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        return _with_environment(builder.getOrCreate(), sent)
    except (*FAILURES, OSError) as error:
        raise InputError(f"Spark does not start: {said(error)}{_java(error)}") from error


def _java(error: BaseException) -> str:
    """Return what to do where Java ended before it began."""
    if "JAVA_GATEWAY_EXITED" not in str(error):
        return ""
    found = shutil.which("java") or "JAVA_HOME" in os.environ
    return " Its own message is above: a wrong --master or --conf?" if found else " Is Java 17 installed?"


def _with_environment(spark: SparkSession, sent: Mapping[str, str]) -> SparkSession:
    """Send a packed environment to a Connect server, whose workers know none of the driver's settings."""
    for archive in filter(None, sent.get(_ARCHIVES, "").split(",")):
        spark.addArtifacts(archive, archive=True)
    if _PYTHON in sent:
        spark.conf.set("spark.sql.execution.pyspark.python", sent[_PYTHON])
    return spark


def _prepare(where: str, conf: Mapping[str, str]) -> None:
    """Let workers take the interpreter of the settings, on this machine this one, and find each other there."""
    if _PYTHON in conf:  # which only spark-submit reads by itself
        os.environ["PYSPARK_PYTHON"] = conf[_PYTHON]
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if where.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


def said(error: BaseException) -> str:
    """Return what Spark says of a failure, in one line: of the Python error in a worker its last line."""
    lines = [line.strip(": ") for line in str(error).splitlines() if line.strip()]
    named = [line for line in lines if re.match(r"\(?(?:\w+\.)*\w*(?:Error|Exception)\b\)?:? \S", line)]
    found = (named or lines or [type(error).__name__])[-1 if _in_python(lines) else 0]
    return found[:300]


def _in_python(lines: list[str]) -> bool:
    return any(line.startswith("Traceback (most recent call last)") for line in lines)
