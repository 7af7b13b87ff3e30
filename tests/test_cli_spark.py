"""Errors of `dehusk spark` that need no Spark."""

import sys

import pytest

import warcs
from test_cli_corpus import refused


def test_spark_reports_wrong_usage_in_one_line(tmp_path, monkeypatch, capsys):
    warcs.write(tmp_path / "a.warc.gz", warcs.page_records(1))
    given = ["spark", str(tmp_path), "-o", str(tmp_path / "out")]
    for options, message in {
        ("--conf", "nothing"): "'nothing' is not of the form NAME=VALUE",
        ("--master", "local", "--remote", "sc://host"): "--master and --remote cannot be used together",
        ("--method", "cst", "--no-sites"): "method cst needs sites",
    }.items():
        assert refused(monkeypatch, *given, *options) == 2
        assert message in capsys.readouterr().err


def test_spark_names_the_missing_extra(tmp_path, monkeypatch, capsys):
    warcs.write(tmp_path / "a.warc.gz", warcs.page_records(1))
    for name in [name for name in sys.modules if name.startswith("dehusk.many.spark")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr("dehusk.many.spark", raising=False)
    for name in [name for name in sys.modules if name.startswith("pyspark")] + ["pyspark"]:
        monkeypatch.setitem(sys.modules, name, None)
    assert refused(monkeypatch, "spark", str(tmp_path), "-o", str(tmp_path / "out")) == 2
    assert (
        capsys.readouterr().err.strip()
        == "dehusk: running on Spark needs pyspark, which is not installed: pip install 'dehusk[spark]'"
    )


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "Job aborted.\nTraceback (most recent call last):\n  File x\nModuleNotFoundError: No module named 'a'\n",
            "Modu",
        ),
        ("[JAVA_GATEWAY_EXITED] Java gateway process exited before sending its port number.", "[JAVA"),
        ("", "OSError"),
    ],
)
def test_failures_of_spark_become_one_line(text, line):
    pytest.importorskip("pyspark", reason="the extra spark is not installed")
    from dehusk.many.spark.sessions import failure_line

    assert failure_line(OSError(text)).startswith(line)
