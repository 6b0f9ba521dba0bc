"""What the tests of deploy/ share: the program, running others, waiting."""

import os
import socket
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
BINARY = os.environ.get("WIDGETD_TEST_BINARY") or str(ROOT / ".build" / "release" / "widgetd")
DEADLINE = 60


def run(*command, check=True, env=None, text=None, timeout=DEADLINE):
    """Runs a program without a variable of ours but those given; its failure tells what it said."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("WIDGETD_")}
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True, timeout=timeout,
                          check=False, env={**clean, **(env or {})})
    if check and done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def poll(condition, what):
    """The first true value of the condition."""
    end = time.monotonic() + DEADLINE
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(what() if callable(what) else what)
        time.sleep(0.05)
    return value
