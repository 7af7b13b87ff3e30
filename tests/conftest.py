"""Settings that every test file shares.

Random examples are the same in every run and judged by their result, never by their time;
`pytest --hypothesis-profile=deep` tries many more, new ones each time.
"""

import os

from hypothesis import settings

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # Haystack reports the use of its pipelines unless told not to

settings.register_profile("dehusk", deadline=None, derandomize=True)
settings.register_profile("deep", deadline=None, max_examples=3000)
settings.load_profile("dehusk")
