"""Files and folders on remote filesystems, named by addresses such as `s3://bucket/crawl` (extra `remote`).

    paths ─┬► stores: the filesystem of an address, and what it says of a file
           └► ranges: reading parts of a file
    leases: one run at a time in a folder

fsspec does the transfers. It is imported with the first address, so local paths cost nothing.
"""
