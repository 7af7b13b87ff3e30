"""Files that hold many pages: WARC, Parquet, JSON Lines, zip and tar, damaged or not."""
