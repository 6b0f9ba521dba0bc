"""The program in a pseudo-terminal of its own, with a terminal emulator that reads what it draws; and without one."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pyte

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("WIDGETD_TEST_BINARY") or str(ROOT / ".build" / "release" / "widgetd")
DEADLINE = 120


def environment(changes=None):
    """Nothing of the surroundings that the program reads, but for the changes."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WIDGETD_", "NO_COLOR"))}
    return {**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **(changes or {})}


def run(*arguments, text="", env=None, cwd=None):
    """Runs the program with pipes for its streams."""
    return subprocess.run(
        [BINARY, *arguments], input=text, capture_output=True, text=True, timeout=DEADLINE, check=False, cwd=cwd,
        env=environment(env))


class Terminal:
    """A program under way in a terminal."""

    def __init__(self, *command, columns=100, rows=40, env=None, cwd=None, stdin=None, stdout=None):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.master, slave = pty.openpty()
        self.resize(columns, rows)

        def take_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command, stdin=stdin or slave, stdout=stdout or slave, stderr=slave, preexec_fn=take_terminal, cwd=cwd,
            env=environment(env))
        os.close(slave)

    def resize(self, columns, rows=40):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def type(self, text):
        os.write(self.master, text.encode())

    def read(self, seconds=0.05):
        """Feeds what has come to the screen.

        Returns False at the end."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 1 << 16)
        except OSError:  # Linux says EIO once the last program has closed its end
            return False
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    def wait_for(self, condition):
        """Reads until the condition holds, and says whether it does."""
        end = time.monotonic() + DEADLINE
        while not condition():
            if time.monotonic() > end or not self.read():
                return condition()
        return True

    def finish(self):
        """Reads to the end, and gives the exit status."""
        end = time.monotonic() + DEADLINE
        while self.read() and time.monotonic() < end:
            pass
        return self.process.wait(timeout=max(1, end - time.monotonic()))

    @property
    def lines(self):
        """What is on the screen, without the blanks at the ends."""
        return [line.rstrip() for line in self.screen.display if line.strip()]

    def colours(self, line):
        """The colours of the characters of a line of the screen."""
        return [self.screen.buffer[line][column].fg for column in range(self.screen.columns)]

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        os.close(self.master)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def shown(*arguments, **options):
    """Runs the program in a terminal to its end: the terminal and the exit status."""
    with Terminal(BINARY, *arguments, **options) as terminal:
        status = terminal.finish()
        return terminal, status
