"""A browser on a slow computer behind a slow network: what a fast one hides shows itself here."""

from typing import Any

SLOWER = 4
LATENCY = 600  # ms


class SlowBrowser:
    """Makes contexts and pages as Playwright's browser does; each of them is slowed down."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser

    def new_context(self, **options: Any) -> Any:
        context = self.browser.new_context(**options)
        new_page = context.new_page
        context.new_page = lambda: _slowed(new_page())
        return context

    def new_page(self, **options: Any) -> Any:
        return _slowed(self.browser.new_page(**options))


def _slowed(page: Any) -> Any:
    said = page.context.new_cdp_session(page)
    said.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    said.send("Network.enable")
    unlimited = {"downloadThroughput": -1, "uploadThroughput": -1}
    said.send("Network.emulateNetworkConditions", {"offline": False, "latency": LATENCY} | unlimited)
    return page
