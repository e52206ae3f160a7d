# SPDX-License-Identifier: Apache-2.0
"""What ./souk promises about the processes it starts. One shard, the smallest feed that is a market."""

import os
import signal
import subprocess
import sys
import unittest

from world import ROOT, World, free_port, wait_for

FEED = ROOT / "tests" / "golden" / "feeds" / "south.yml"
PROCESSES = 4  # control, snippet server, one node, HAProxy


class LauncherTest(unittest.TestCase):
    def setUp(self):
        self.world = World(shards=1)
        self.addCleanup(self.world.close)

    def up_in_foreground(self):
        """./souk up as a terminal would run it: the head of a process group of its own."""
        command = [ROOT / "souk", "up", "--data", self.world.data, "--feed", FEED]
        output = open(self.world.folder / "up.log", "w", encoding="utf-8")
        self.addCleanup(output.close)
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        self.addCleanup(self.end, process)
        wait_for(lambda: "Stop it with" in self.shown() or process.poll() is not None, 120)
        self.assertIsNone(process.poll(), self.shown())
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:  # a test that failed
            process.terminate()
            process.wait(60)

    def shown(self):
        return (self.world.folder / "up.log").read_text(encoding="utf-8")

    def test_ctrl_c_stops_everything_that_up_started(self):
        process = self.up_in_foreground()
        self.assertEqual(len(self.world.pids()), PROCESSES)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(30), 130, self.shown())
        self.assertEqual(self.world.living(), [])
        self.assertEqual(self.world.pids(), {})

    def test_term_does_too_and_a_dead_process_is_told(self):
        process = self.up_in_foreground()
        os.kill(self.world.pids()["node-1"], signal.SIGKILL)
        wait_for(lambda: "node node-1" in self.shown())
        # Three and the launcher, once the shell that told it is gone too.
        wait_for(lambda: len(self.world.living()) == PROCESSES)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 143, self.shown())
        self.assertEqual(self.world.living(), [])

    def test_a_detached_market_survives_and_a_second_up_leaves_it_alone(self):
        self.world.must_up(FEED)
        before = self.world.pids()
        again = self.world.souk("up")  # in the foreground, but nothing was started: it returns
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("running already", again.stdout)
        self.assertEqual(self.world.pids(), before)

    def test_down_kills_what_does_not_end(self):
        self.world.must_up(FEED)
        os.kill(self.world.pids()["node-1"], signal.SIGSTOP)
        self.assertEqual(self.world.souk("down").returncode, 0)
        self.assertEqual(self.world.living(), [])

    def test_a_pid_that_became_somebody_elses_is_left_alone(self):
        self.world.must_up(FEED)
        self.assertEqual(self.world.souk("down").returncode, 0)
        with subprocess.Popen(["sleep", "600"]) as stranger:
            (self.world.data / "run" / "node-1.pid").write_text(f"{stranger.pid}\n")
            self.assertEqual(self.world.souk("down").returncode, 0)
            self.assertIsNone(stranger.poll())
            stranger.kill()

    def test_another_port_needs_a_stopped_market(self):
        self.world.must_up(FEED)
        generation = self.world.search()["generation"]
        here, there = self.world.port, free_port(1)
        refused = self.world.souk("up", "--detach", "--port", str(there))
        self.assertEqual(refused.returncode, 1)
        self.assertIn(str(here), refused.stderr)
        self.assertEqual(self.world.souk("down").returncode, 0)
        self.world.port = there
        self.world.must_up()
        self.assertEqual(self.world.search()["generation"], generation)


if __name__ == "__main__":
    sys.exit(unittest.main())
