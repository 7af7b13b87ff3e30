"""The adapters for LangChain, LlamaIndex and Haystack, and their examples, run as a user would."""

import subprocess
import sys
from pathlib import Path

import pytest

import dehusk
from dehusk.base.errors import ConfigError, InputError
from dehusk.integrations.retrieval import PageTexts
from example_programs import EXAMPLES, assert_shows_usage

ROOM = EXAMPLES / "tea-room"
WATER = (ROOM / "water.html").read_bytes()
HTML = WATER.decode()
URL = "https://tea.example/blog/water"
PICTURE = b"\x89PNG\r\n\x1a\n"


def example(name: str, *arguments: object) -> list[str]:
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    return done.stdout.decode().splitlines()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.html").write_bytes(WATER)
    (tmp_path / "b.html").write_bytes(PICTURE)
    (tmp_path / "c.html").write_bytes(b"")
    return tmp_path


class TestTexts:
    def test_there_is_one_text_per_chunk_with_all_that_is_known_of_it(self) -> None:
        document = dehusk.clean(WATER, url=URL)
        chunks = document.chunks(max_words=40)
        texts = list(PageTexts(max_words=40, form="text").of_page(WATER, url=URL, source="a.html"))
        assert [text.text for text in texts] == [chunk.text for chunk in chunks]
        assert [text.id for text in texts] == [chunk.id for chunk in chunks]
        assert len(texts) > 1
        metadata, chunk = texts[1].metadata, chunks[1]
        assert metadata["source"] == "a.html"
        assert (metadata["url"], metadata["status"], metadata["title"]) == (URL, "ok", document.metadata.title)
        assert document.text[metadata["start"] : metadata["end"]] == texts[1].text
        assert (metadata["page_start"], metadata["page_end"]) == chunk.span_page
        assert metadata["headings"] == " > ".join(chunk.headings)
        assert (metadata["xpath"], metadata["probability"]) == (chunk.xpath, chunk.probability)

    def test_metadata_are_strings_numbers_and_booleans(self) -> None:
        for text in PageTexts().of_sources([ROOM, "missing.html"]):
            assert {type(value) for value in text.metadata.values()} <= {str, int, float, bool}

    def test_a_whole_page_is_one_text(self) -> None:
        [text] = PageTexts(whole=True).of_page(WATER, url=URL)
        document = dehusk.clean(WATER, url=URL)
        assert text.text == document.markdown
        assert text.metadata["confidence"] == round(document.confidence, 4)

    def test_pages_without_text_are_empty_and_say_why(self, folder: Path) -> None:
        texts = list(PageTexts().of_sources([folder, folder / "missing.html"]))
        facts = [(bool(text.text), text.metadata["status"], Path(str(text.metadata["source"])).name) for text in texts]
        assert facts == [
            (True, "ok", "a.html"),
            (False, "not-html", "b.html"),
            (False, "no-content", "c.html"),
            (False, "error", "missing.html"),
        ]
        assert texts[3].metadata["message"] == "cannot be read: No such file or directory"
        assert len({text.id for text in texts}) == 4

    def test_a_page_that_cannot_be_fetched_says_why(self) -> None:
        [text] = PageTexts().of_sources("http://127.0.0.1:9/")
        assert (text.text, text.metadata["status"], text.metadata["url"]) == ("", "error", "http://127.0.0.1:9/")
        assert "127.0.0.1" in str(text.metadata["message"])

    def test_options_of_clean(self) -> None:
        [text] = PageTexts(whole=True, form="text", clean_options={"method": "keep-all"}).of_page(WATER)
        assert text.text == dehusk.clean(WATER, method="keep-all").text

    def test_wrong_arguments_are_errors_at_once(self, tmp_path: Path) -> None:
        for wrong in (
            {"max_words": 0},
            {"max_words": 5, "max_tokens": 5},
            {"form": "html"},
            {"clean_options": {"style": "nice"}},
            {"clean_options": {"method": "magic"}},
            {"clean_options": {"url": URL}},
        ):
            with pytest.raises(ConfigError):
                PageTexts(**wrong)
        with pytest.raises(InputError):
            list(PageTexts().of_sources(tmp_path))


class TestLangChain:
    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        pytest.importorskip("langchain_core", reason="the extra langchain is not installed")

    def test_the_loader_yields_a_document_per_chunk(self, folder: Path) -> None:
        from langchain_core.document_loaders import BaseLoader

        from dehusk.integrations.langchain import DehuskLoader

        loader = DehuskLoader(folder, max_words=40)
        assert isinstance(loader, BaseLoader)
        documents = loader.load()
        expected = list(PageTexts(max_words=40).of_sources(folder))
        assert [(each.id, each.page_content, each.metadata) for each in documents] == [
            (text.id, text.text, text.metadata) for text in expected
        ]
        assert [each.metadata["status"] for each in documents if not each.page_content] == ["not-html", "no-content"]

    def test_the_transformer_cleans_html_and_keeps_metadata(self) -> None:
        from langchain_core.documents import Document

        from dehusk.integrations.langchain import DehuskTransformer

        pages = [Document(HTML, metadata={"source": URL, "user": 7}), Document(""), Document(HTML)]
        documents = DehuskTransformer(max_words=60).transform_documents(pages)
        with_url = [each for each in documents if each.metadata.get("user") == 7]
        assert [each.page_content for each in with_url] == [
            chunk.markdown for chunk in dehusk.clean(HTML, url=URL).chunks(max_words=60)
        ]
        assert {each.metadata["url"] for each in with_url} == {URL}
        assert [each.metadata["status"] for each in documents if not each.page_content] == ["no-content"]

    def test_example(self) -> None:
        assert_shows_usage("langchain_chunks.py")
        title, headings, xpath = example("langchain_chunks.py", ROOM, "jug in the fridge overnight")
        assert (title, headings) == ("Iced tea in one night", "Iced tea in one night")
        assert xpath.startswith("/html/body/")


class TestLlamaIndex:
    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        pytest.importorskip("llama_index.core", reason="the extra llamaindex is not installed")

    def test_the_reader_returns_a_document_per_chunk(self, folder: Path) -> None:
        from llama_index.core.schema import MetadataMode

        from dehusk.integrations.llama_index import DehuskReader

        documents = DehuskReader(max_words=40).load_data(folder)
        expected = list(PageTexts(max_words=40).of_sources(folder))
        assert [(each.id_, each.text, each.metadata) for each in documents] == [
            (text.id, text.text, text.metadata) for text in expected
        ]
        seen = documents[0].get_content(MetadataMode.EMBED)
        assert "headings: " in seen
        assert "xpath" not in seen

    def test_the_node_parser_divides_html(self) -> None:
        from llama_index.core.schema import Document

        from dehusk.integrations.llama_index import DehuskNodeParser

        parser = DehuskNodeParser(max_tokens=90, overlap=10, tokenizer=len, form="text")
        page = Document(text=HTML, metadata={"url": URL, "user": 7}, id_="page")
        nodes = parser.get_nodes_from_documents([page])
        chunks = dehusk.clean(HTML, url=URL).chunks(max_tokens=90, overlap=10, tokenizer=len)
        assert [node.text for node in nodes] == [chunk.text for chunk in chunks]
        assert {(node.ref_doc_id, node.metadata["user"]) for node in nodes} == {("page", 7)}
        assert nodes[1].prev_node.node_id == nodes[0].node_id
        assert parser.to_dict()["max_tokens"] == 90

    def test_example(self) -> None:
        assert_shows_usage("llama_index_nodes.py")
        lines = example("llama_index_nodes.py", ROOM)
        assert "title: Iced tea in one night" in lines
        assert "# Iced tea in one night" in lines


class TestHaystack:
    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        pytest.importorskip("haystack", reason="the extra haystack is not installed")

    def test_the_converter_returns_a_document_per_chunk(self, folder: Path) -> None:
        from haystack.dataclasses import ByteStream

        from dehusk.integrations.haystack import DehuskConverter

        stream = ByteStream(WATER, meta={"url": URL, "user": 7}, mime_type="text/html")
        documents = DehuskConverter(max_words=60).run([folder, str(folder / "missing.html"), stream])["documents"]
        chunks = dehusk.clean(WATER, url=URL).chunks(max_words=60)
        of_stream = [each for each in documents if each.meta.get("user") == 7]
        assert [(each.id, each.content) for each in of_stream] == [(chunk.id, chunk.markdown) for chunk in chunks]
        assert [each.meta["status"] for each in documents if not each.content] == ["not-html", "no-content", "error"]

    def test_metadata_may_be_given(self) -> None:
        from haystack.dataclasses import ByteStream

        from dehusk.integrations.haystack import DehuskConverter

        converter = DehuskConverter(whole=True)
        streams = [ByteStream(WATER), ByteStream(WATER)]
        documents = converter.run(streams, meta=[{"user": 1}, {"url": URL}])["documents"]
        assert [(each.meta.get("user"), each.meta.get("url")) for each in documents] == [(1, None), (None, URL)]
        with pytest.raises(ValueError, match="length"):
            converter.run(streams, meta=[{}])

    def test_pipelines_with_it_can_be_saved(self) -> None:
        from haystack import Pipeline

        from dehusk.integrations.haystack import DehuskConverter

        pipeline = Pipeline()
        pipeline.add_component(
            "clean", DehuskConverter(max_tokens=50, tokenizer=dehusk.base.hashing.text_keys, form="text")
        )
        modules = ["dehusk.integrations.haystack", "dehusk.base.hashing"]
        again = Pipeline.loads(pipeline.dumps(), allowed_modules=modules)
        assert again.get_component("clean").texts == pipeline.get_component("clean").texts

    def test_example(self) -> None:
        assert_shows_usage("haystack_search.py")
        title, headings, xpath = example("haystack_search.py", ROOM, "jug in the fridge overnight")
        assert (title, headings) == ("Iced tea in one night", "Iced tea in one night")
        assert xpath.startswith("/html/body/")


@pytest.mark.parametrize(
    ("module", "library", "extra"),
    [
        ("langchain", "langchain_core", "langchain"),
        ("llama_index", "llama_index", "llamaindex"),
        ("haystack", "haystack", "haystack"),
    ],
)
def test_without_the_library_the_error_names_the_extra(module: str, library: str, extra: str) -> None:
    code = f"import sys; sys.modules['{library}'] = None; import dehusk.integrations.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=60)
    assert f"needs {library}, which is not installed: pip install 'dehusk[{extra}]'" in done.stderr.decode()
