"""A Debian 12 with systemd, started from a folder for one test: its own processes, files and services, the machine's
network. It takes root, and a kernel that lets root make namespaces."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from _program import DEPLOY, ROOT, poll, run

SYSTEM = Path(os.environ.get("WIDGETD_TEST_DEBIAN12") or ROOT / ".build" / "debian-12")


def absence():
    """Why no machine can be made here; None when one can."""
    if os.geteuid():
        return "a machine of its own takes root"
    if run("unshare", "--mount", "--pid", "--fork", "--cgroup", "true", check=False).returncode:
        return "this system lets nobody make namespaces (unshare)"
    if not control_groups():
        return "there is no cgroup2 file system, which systemd needs"
    return None


def control_groups():
    """Where the cgroup2 file system is mounted."""
    rows = [row.split() for row in Path("/proc/mounts").read_text().splitlines()]
    return next((Path(row[1]) for row in rows if row[2] == "cgroup2" and os.access(row[1], os.W_OK)), None)


def unpack(package):
    """Makes the Debian, once, with what the package depends on."""
    libraries = "; ".join(f". {DEPLOY}/lib/{name}.sh" for name in (
        "messages", "processes", "packages", "debootstrap", "debian12"))
    run("bash", "-euo", "pipefail", "-c", f'{libraries}; need_debian12 "$1" "$2"', "bash", SYSTEM, package, timeout=900)


class Machine:
    """Started; `given` is a folder that it sees as /tmp/given."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="widgetd-machine-"))
        self.given = self.folder / "given"
        self.given.mkdir()
        self.group = control_groups() / self.folder.name
        self.group.mkdir()
        boot = [Path(__file__).with_name("_boot.sh"), SYSTEM / "system", self.folder]
        with (self.folder / "console").open("w") as console:
            self.process = subprocess.Popen(
                ["bash", "-c", 'echo $$ >"$0/cgroup.procs"; exec "$@"', self.group, "unshare", "--mount", "--pid",
                 "--fork", "--kill-child", "--cgroup", "--uts", "--ipc", "bash", *boot],
                stdin=subprocess.DEVNULL, stdout=console, stderr=console)
        try:
            poll(lambda: self.process.poll() is not None or self.run(
                "systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded"),
                "the machine does not come up")
            assert self.process.poll() is None, (self.folder / "console").read_text()
        except BaseException:
            self.close()
            raise

    def run(self, *command, **options):
        """In the machine, as root."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        enter = ["nsenter", "--target", children[0] if children else "none", "--mount", "--uts", "--ipc", "--pid",
                 "--cgroup", "--root", "--wd"]
        return run(*enter, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", *command, **options)

    def show(self, unit, name):
        """A property of a unit."""
        return self.run("systemctl", "show", unit, "--property", name, "--value").stdout.strip()

    def journal(self, unit):
        return self.run("journalctl", "--unit", unit, "--no-pager", "--output", "cat").stdout

    def close(self):
        # With the first process of a PID namespace all of them go (pid_namespaces(7)).
        self.process.kill()
        self.process.wait()
        groups = sorted(self.group.rglob("*"), key=lambda path: -len(path.parts))
        for group in [path for path in groups if path.is_dir()] + [self.group]:
            poll(lambda group=group: not group.exists() or _removed(group), f"{group} is in use")
        shutil.rmtree(self.folder)


def _removed(group):
    try:
        group.rmdir()
    except OSError:
        return False
    return True
