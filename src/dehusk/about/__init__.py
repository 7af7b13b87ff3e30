"""What is known about a page besides its text: metadata, dates, posts."""
