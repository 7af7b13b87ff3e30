"""Files that contain many pages, damaged or not: WARC, Parquet, JSON Lines, zip, tar, and folders of saved pages."""
