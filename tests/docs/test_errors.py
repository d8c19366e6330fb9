"""docs/errors.md is what the code says."""

import runpy

from tests.support.running import ROOT


def test_the_page_of_errors_is_that_of_the_code():
    """Where this fails: python docs/errors.py writes it anew."""
    page = runpy.run_path(str(ROOT / "docs/errors.py"))["page"]
    assert page() == (ROOT / "docs/errors.md").read_text(encoding="utf-8")
