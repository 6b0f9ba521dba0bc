"""Headless Chromium on the pages of a worker."""

import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from _worker import DEADLINE

__all__ = ["Browser", "Keys"]


class Browser:
    def __init__(self, width=1280, dark=False):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                         "--disable-background-networking", f"--window-size={width},1600",
                         f"--user-data-dir={self.profile.name}", *(["--force-dark-mode"] if dark else [])):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(
            service=Service("/usr/bin/chromedriver"), options=options)
        # A window has a least width; what is emulated has none.
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 1600, "deviceScaleFactor": 1, "mobile": False})

    def open(self, address):
        self.driver.get(address)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, selector="body"):
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def wait(self, condition, what):
        """The first true value of the condition; the page may make and replace what it is asked about meanwhile."""
        end = time.monotonic() + DEADLINE
        while True:
            try:
                if value := condition():
                    return value
            except (NoSuchElementException, StaleElementReferenceException):
                pass
            if time.monotonic() > end:
                raise AssertionError(f"{what}; the page says: {self.text()[:1500]}")
            time.sleep(0.05)

    def complaints(self):
        return [line["message"] for line in self.driver.get_log("browser") if line["level"] == "SEVERE"]

    def foreign_resources(self):
        return self.run("""return performance.getEntriesByType('resource').map((entry) => entry.name)
            .filter((name) => !name.startsWith(location.origin) && !name.startsWith('data:'))""")

    def sideways(self):
        """Points by which the page is wider than its window."""
        return self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def tall_shot(self, path):
        """A picture of the whole page, for whoever wants to look at one."""
        height = self.run("return document.documentElement.scrollHeight")
        width = self.run("return document.documentElement.clientWidth")
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.save_screenshot(path)

    def close(self):
        self.driver.quit()
        self.profile.cleanup()
