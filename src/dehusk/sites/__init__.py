"""The papers about whole sites, and what is made of sites: contents, classes, records."""
