"""The options of shards: what is legal, what contradicts what, and where a number may stand."""

import os
import tempfile
import unittest

from _terminal import run

STORE = "--shards wants a store that all workers share"


class ShardOptionTests(unittest.TestCase):
    def refused(self, words, *arguments, env=None):
        done = run("run", *arguments, env=env)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn(words, done.stderr)
        checked = run("check", *arguments, env=env)
        self.assertEqual(checked.returncode, 1, checked.stdout)
        self.assertIn(words, checked.stdout)

    def test_a_store_of_one_worker_is_refused(self):
        self.refused(STORE, "--shards", "4")
        self.refused(STORE, "--shards", "1", "--store", "memory:")
        self.refused(STORE, env={"WIDGETD_SHARDS": "4", "WIDGETD_CONSUME": "0,2-3"})

    def test_only_shards_that_there_are_are_consumed(self):
        self.refused("names shard 4, and --shards 4 has 0 to 3", "--shards", "4", "--consume", "0,2-4")
        self.refused("names shard 0, and --shards 0 has none", "--consume", "0")

    def test_a_list_is_of_numbers_and_ranges(self):
        for text in ("", ",", "0,", "1-", "-1", "3-1", "0-1-2", "a", "+1", "1024", "99999999999999999999"):
            self.refused("must be all, or numbers of shards from 0 to 1023", "--shards", "1024", f"--consume={text}")
        for text in ("all", "0", "3-3", "0,2-3", "3,0-2,1"):
            self.refused(STORE, "--shards", "4", "--consume", text)

    def test_the_file_takes_a_number_a_text_and_a_list(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "c.json5")
            for consume, words in (
                ("2", STORE), ("'0,2-3'", STORE), ("[0, '2-3']", STORE), ("[0, 4]", "names shard 4"),
                ("true", "must be a string or a number"),
            ):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("{shards: 4, consume: %s}" % consume)
                self.refused(words, "--config", path)


if __name__ == "__main__":
    unittest.main()
