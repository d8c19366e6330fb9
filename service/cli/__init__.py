"""The command line. Every error is one clear line; the exit code is 1 where it can't be done, 2 where it was asked wrong."""

from service.cli.main import main

__all__ = ["main"]
