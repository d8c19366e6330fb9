"""The web page at `/`: static files that use the public API and nothing else."""

from service.web.blueprint import web_page

__all__ = ["web_page"]
