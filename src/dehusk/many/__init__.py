"""Many pages: files of pages, corpora, Spark, crawls."""
