"""The issuer over HTTP: endpoints for programs, pages for people."""
