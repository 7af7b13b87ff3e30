"""dehusk inside other libraries: scikit-learn, Scrapy, datatrove."""
