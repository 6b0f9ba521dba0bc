"""deploy/capacity plan: which part is full first, from figures that can be given."""

import pathlib
import subprocess
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "capacity"


def plan(*options):
    """Rows of the table by their names."""
    done = subprocess.run([PROGRAM, "plan", *options], capture_output=True, text=True, check=True)
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()]
    return {row[0]: row[1:] for row in rows}


class CapacityPlanTests(unittest.TestCase):
    ROOMY = ("--full", "1", "--shards-a-worker", "4", "--fanout-queues", "1000", "--queue-rate", "1e6")

    def test_a_few_workers_are_full_first_and_many_fill_redis(self):
        table = plan(*self.ROOMY, "--workers", "1,100", "--worker-us", "50", "--redis-us", "10", "--broker-us", "1")
        self.assertEqual(table["workers"][:2], ["20,000", "2,000,000"])
        self.assertEqual(table["Redis"][:2], ["100,000", "100,000"])
        self.assertEqual(table["all of it"][:2], ["20,000", "100,000"])
        self.assertEqual(table["full first"][:2], ["workers", "Redis"])

    def test_one_queue_for_all_outcomes_bounds_them_however_many_workers_there_are(self):
        table = plan("--workers", "100", "--queue-rate", "20000", "--full", "0.5")
        self.assertEqual(table["fan-out queues"], ["10,000", "1 × 20000/s"])
        self.assertEqual(table["full first"][0], "fan-out queues")

    def test_a_network_card_is_full_by_its_bytes(self):
        bytes_a_message = ("--redis-bytes", "1000", "--message-bytes", "1")
        table = plan(*self.ROOMY, "--workers", "1", "--network-gbit", "0.008", *bytes_a_message)
        self.assertEqual(table["Redis' network"][0], "1,000")
        self.assertEqual(table["full first"][0], "Redis' network")


if __name__ == "__main__":
    unittest.main()
