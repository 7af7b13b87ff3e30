"""Adapters for other libraries: scikit-learn, Scrapy, datatrove, LangChain, LlamaIndex, Haystack."""
