"""The studio's web server: routes, their security, and what they send."""
