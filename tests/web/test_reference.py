"""The reference page in a real browser: whole, from here alone, under its own policy."""

import pytest
from playwright.sync_api import expect

from service.api import openapi

pytestmark = pytest.mark.browser


def test_the_reference_page_shows_every_operation_and_loads_nothing_from_elsewhere(chromium, server):
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    complaints, asked = [], []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None)
    page.on("request", lambda request: asked.append(request.url))

    page.goto(f"{server.base}/docs")
    page.wait_for_selector(".opblock")

    operations = sum(len(item) for item in openapi.document()["paths"].values())
    expect(page.locator(".opblock")).to_have_count(operations)
    assert [] == complaints
    assert {server.base} == {"/".join(url.split("/")[:3]) for url in asked if not url.startswith("data:")}
    context.close()
