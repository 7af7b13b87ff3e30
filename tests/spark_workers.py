"""What starts Spark's Python workers, as `pyspark.daemon` does: they are forks of a process that has imported all.

After each task, a worker searches for garbage: not in what was there before the fork.
"""

import gc
from importlib import import_module

from pyspark.daemon import manager

IMPORTED = ("pandas", "pyarrow", "pyspark.sql.pandas.serializers", "pyspark.worker", "dehusk.many.spark.tasks")

if __name__ == "__main__":
    for name in ("cleaned_page", *IMPORTED):
        import_module(name)
    gc.collect()
    gc.freeze()
    manager()
