"""The messages that errors share."""

import pytest

from dehusk.base.errors import DehuskError, FetchError, MissingExtraError, Status, counted, unknown
from dehusk.base.extras import require


def test_an_unknown_name_gets_the_nearest_and_the_list() -> None:
    assert unknown("method", "unitd", ["united", "victor"]) == (
        "unknown method 'unitd'. Did you mean united? Known: united, victor"
    )
    assert unknown("format", "MD", ["text", "markdown"], aliases={"md": "markdown"}) == (
        "unknown format 'MD'. Did you mean markdown? Known: text, markdown"
    )
    assert unknown("method", "zzz", ["united", "victor"]) == "unknown method 'zzz'. Known: united, victor"


def test_a_missing_dependency_names_the_line_that_installs_it() -> None:
    with pytest.raises(MissingExtraError, match=r"reading maps needs no_such_module.*pip install 'dehusk\[maps\]'"):
        require("no_such_module.inner", extra="maps", purpose="reading maps")
    assert issubclass(MissingExtraError, DehuskError)
    assert require("json", extra="maps", purpose="reading maps").loads("1") == 1


def test_what_a_status_means() -> None:
    assert {status for status in Status if status.is_fine} == {Status.OK, Status.PARTIAL, Status.NO_CONTENT}
    readable = {Status.OK, Status.PARTIAL, Status.NO_CONTENT, Status.TRUNCATED}
    assert {status for status in Status if status.is_readable} == readable


def test_a_number_agrees_with_its_noun() -> None:
    assert [counted(number, "page") for number in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]


def subclasses(kind: type[DehuskError]) -> list[type[DehuskError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in subclasses(child))]


OWN = {FetchError: {"reason": "http"}}  # what their constructors need
KINDS = [kind for kind in subclasses(DehuskError) if kind.__init__ is DehuskError.__init__ or kind in OWN]


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_is_one_line_whatever_it_quotes(kind: type[DehuskError]) -> None:
    error = kind("the file a\r\nb\u2028c\x85d cannot be read", **OWN.get(kind, {}))
    assert str(error) == "the file a b c d cannot be read"
