"""The ablations of Marek's thesis: without each feature, markup only, text only; as `dehusk eval --ablations` prints them."""

import datetime as dt
import subprocess
import sys

from sets import RESULTS, data_argument, set_path

SET = "cleaneval-dev"


def main() -> None:
    data = data_argument(__doc__ or "")
    command = ["eval", "--config", "cleaneval", "--ablations", "--workers", "2", "-q", str(set_path(data, SET))]
    done = subprocess.run([sys.executable, "-m", "dehusk", *command], check=True, capture_output=True, text=True)
    text = f"# The thesis's ablations\n\n`python bench/ablations.py DATA`, {dt.date.today()}.\n\n{done.stdout}"
    print(text)
    (RESULTS / "ablations.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
