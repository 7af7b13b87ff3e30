"""`dehusk serve` on this machine: pages a second at its capacity and at twice as many requests, beside `dehusk corpus`."""

import argparse
import datetime as dt
import http.client
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

import dehusk
from corpus import write_warcs
from dehusk.lab.evaluate.text_tables import markdown_table
from processes import DEHUSK
from sets import set_path, write_results

PAGES, BATCH, WORKERS, QUEUE, ROUNDS, SEED = 1_000, 50, 2, 16, 3, 1
NDJSON = "application/x-ndjson"
HEAD = {"Content-Type": "text/html"}
LOCAL = threading.local()


@dataclass
class Load:
    """What came of some requests."""

    seconds: float
    codes: Counter[int]
    latencies: list[float]
    """Of the pages that were cleaned, in seconds."""
    wrong: int = 0
    """Answers of code 200 that are not what `dehusk.clean` gives."""

    @property
    def pages(self) -> float:
        """Pages a second that were cleaned."""
        return self.codes[200] / self.seconds


@contextmanager
def started() -> Iterator[int]:
    """Start the service, and yield its port."""
    command = [*DEHUSK, "serve", "--port", "0", "--workers", str(WORKERS), "--queue", str(QUEUE)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
        try:
            assert service.stderr
            yield int(service.stderr.readline().split("127.0.0.1:")[1].split("/")[0])
        finally:
            service.terminate()


def ask(port: int, page: bytes) -> tuple[int, bytes, float]:
    """Return code, body and seconds of a request, on the connection of this thread."""
    known = LOCAL.__dict__.setdefault("connections", {})
    connection = known.setdefault(port, http.client.HTTPConnection("127.0.0.1", port, timeout=120))
    start = time.perf_counter()
    try:
        connection.request("POST", "/clean?format=text", page, HEAD)
        answer = connection.getresponse()
        return answer.status, answer.read(), time.perf_counter() - start
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 0, b"", time.perf_counter() - start


def loaded(port: int, pages: Sequence[bytes], texts: dict[bytes, bytes], *, clients: int, rate: float = 0.0) -> Load:
    """Send pages from several threads: one after the other, or at a rate, whether answers come or not."""
    start = time.perf_counter()

    def send(numbered: tuple[int, bytes]) -> tuple[bytes, tuple[int, bytes, float]]:
        number, page = numbered
        if rate:
            time.sleep(max(0.0, start + number / rate - time.perf_counter()))
        return page, ask(port, page)

    with ThreadPoolExecutor(clients) as threads:
        answers = list(threads.map(send, enumerate(pages)))
    seconds = time.perf_counter() - start
    codes = Counter(code for _, (code, _, _) in answers)
    latencies = [spent for _, (code, _, spent) in answers if code == 200]
    wrong = sum(code == 200 and body != texts[page] for page, (code, body, _) in answers)
    return Load(seconds, codes, latencies, wrong)


def batched(port: int, pages: Sequence[bytes]) -> Load:
    """Send the pages in batches, one after the other."""
    codes, start = Counter[int](), time.perf_counter()
    for first in range(0, len(pages), BATCH):
        part = pages[first : first + BATCH]
        lines = [
            json.dumps({"id": number, "html": page.decode("utf-8", "replace")}) for number, page in enumerate(part)
        ]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        connection.request("POST", "/batch?format=text", "\n".join(lines).encode(), {"Content-Type": NDJSON})
        answer = connection.getresponse()
        rows = [json.loads(line) for line in answer.read().splitlines()]
        connection.close()
        assert [row["id"] for row in rows] == list(range(len(part)))
        codes[answer.status] += len(rows)
    return Load(time.perf_counter() - start, codes, [])


def corpus(pages: Sequence[bytes], folder: Path) -> Load:
    """Clean the pages by `dehusk corpus`, without sites, as the service does."""
    source = folder / "pages"
    if not source.exists():
        write_warcs(source, [(f"http://{n}.example/", page) for n, page in enumerate(pages)], 1)
    command = [*DEHUSK, "corpus", str(source), "-o", str(folder / f"out-{time.monotonic_ns()}"), "-q"]
    start = time.perf_counter()
    code = subprocess.run([*command, "--no-sites", "--workers", str(WORKERS)], check=False).returncode
    assert code in (0, 1), code
    return Load(time.perf_counter() - start, Counter({200: len(pages)}), [])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets")
    parser.add_argument("--pages", type=int, default=PAGES, help="how many pages of WCXB")
    arguments = parser.parse_args()
    paths = sorted((set_path(arguments.data, "wcxb-dev") / "html").iterdir())
    pages = [path.read_bytes() for path in random.Random(SEED).sample(paths, min(arguments.pages, len(paths)))]
    texts = {page: dehusk.clean(page).text.encode() for page in pages}
    found: dict[str, list[Load]] = {}
    with TemporaryDirectory(prefix="dehusk-") as folder, started() as port:
        loaded(port, pages[:50], texts, clients=WORKERS)  # and all is warm
        for _ in range(ROUNDS):
            full = loaded(port, pages, texts, clients=2 * WORKERS)
            twice = list(islice(cycle(pages), 2 * len(pages)))
            over = loaded(port, twice, texts, clients=4 * (WORKERS + QUEUE), rate=2 * full.pages)
            runs = {"`dehusk corpus`": corpus(pages, Path(folder)), f"batches of {BATCH}": batched(port, pages)}
            for name, load in {**runs, "at capacity": full, "at twice the capacity": over}.items():
                found.setdefault(name, []).append(load)
    report(found, pages)


def report(found: dict[str, list[Load]], pages: Sequence[bytes]) -> None:
    rows = [["", "pages a second", "of requests, 200", "503", "other codes", "wrong", "ms, median", "ms, 99 of 100"]]
    for name, loads in found.items():
        codes = sum((load.codes for load in loads), Counter[int]())
        latencies = [1000 * each for load in loads for each in load.latencies]
        shown = [f"{median(latencies):.0f}", f"{quantiles(latencies, n=100)[-1]:.0f}"] if latencies else ["", ""]
        others = codes.total() - codes[200] - codes[503]
        wrong = sum(load.wrong for load in loads)
        counts = [f"{codes[200]:,}", f"{codes[503]:,}", f"{others}", f"{wrong}"]
        rows.append([name, f"{median(load.pages for load in loads):.0f}", *counts, *shown])
    size = sum(map(len, pages)) / len(pages) / 1000
    text = (
        f"# The service\n\n`python bench/service.py DATA`, {dt.date.today()}: {len(pages):,} WCXB pages of {size:.0f} kB, "
        f"{WORKERS} workers, a queue of {QUEUE}, {ROUNDS} rounds, text. The client runs on the same two processors, and so "
        f"does the corpus run, in which nothing is sent. Capacity: {2 * WORKERS} clients, each of which sends its next page "
        "when it has the answer to the last one. Twice the capacity: requests at twice that rate, whether answers come or "
        "not; the service refuses with 503 what its queue cannot hold. Wrong: answers that are not what `dehusk.clean` "
        f"gives.\n\n{markdown_table(rows)}"
    )
    values = {
        name: [{"seconds": each.seconds, "codes": dict(each.codes)} for each in loads] for name, loads in found.items()
    }
    write_results("service", text, values, judges="shipped")


if __name__ == "__main__":
    main()
