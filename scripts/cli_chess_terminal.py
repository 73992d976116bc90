"""cli-chess as a person uses it: in a terminal of tmux, with keys that are pressed and a screen that is read.

A key is pressed when the screen shows what it is meant for, so nothing here depends on how fast the machine is.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

SECONDS = 60


class Terminal:
    """A terminal with cli-chess in it, on a tmux of its own. Use it with `with`."""

    def __init__(self, address, token):
        self.home = tempfile.mkdtemp(prefix="zeitnot-terminal-")
        program = pathlib.Path(sys.executable).parent / "cli-chess"
        self.socket = f"zeitnot-{os.getpid()}"
        command = f"HOME={self.home} {program} --base-url {address} --token {token}"
        # The screen of a program that has ended stays, with what it said last.
        settings = pathlib.Path(self.home, "tmux.conf")
        settings.write_text("set -g remain-on-exit on\n")
        self.tmux("-u", "-f", settings, "new-session", "-d", "-x", "130", "-y", "40", command)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.tmux("kill-server")

    def tmux(self, *arguments):
        run = subprocess.run(
            ["tmux", "-L", self.socket, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        return run.stdout

    def screen(self, *flags):
        return self.tmux("capture-pane", "-p", *flags)

    def wait(self, is_so, what):
        until = time.monotonic() + SECONDS
        while not is_so(self.screen()):
            if self.tmux("display-message", "-p", "#{pane_dead}").strip() != "0":
                raise RuntimeError(f"cli-chess ended:\n{self.screen()}")
            if time.monotonic() > until:
                raise TimeoutError(f"the terminal does not show {what}:\n{self.screen()}")
            time.sleep(0.05)

    def shows(self, text):
        self.wait(lambda screen: text in screen, repr(text))

    def key(self, key, text):
        """Presses a key, after which the screen shows this."""
        self.tmux("send-keys", key)
        self.shows(text)

    def moves_to(self, key):
        """Presses a key that moves the focus: only colours change."""
        before = self.screen("-e")
        self.tmux("send-keys", key)
        self.wait(lambda _: self.screen("-e") != before, f"another focus after {key}")

    def types(self, text):
        self.tmux("send-keys", "-l", text)
        self.shows(text)

    def challenges(self, name):
        """Challenges somebody from the menus, on the terms that the form begins with."""
        self.shows("Play Offline vs Computer")
        self.key("Down", "Play Online vs Random Opponent")
        self.moves_to("Right")
        self.key("Down", "Challenge a Player")
        self.moves_to("Right")
        # Above the first option is the field for the name.
        self.tmux("send-keys", "Up")
        self.wait(lambda screen: "Enter opponent's username" not in screen, "the field for the name")
        self.types(name)
        self.key("F1", f"Challenge sent to {name}")

    def plays(self, san):
        self.types(san)
        self.tmux("send-keys", "Enter")

    def resigns(self):
        """Twice, as it asks."""
        self.moves_to("F4")
        self.key("F4", "is victorious")

    def errors(self):
        """What its log says of errors."""
        logs = list(pathlib.Path(self.home).rglob("*.log"))
        lines = [line for log in logs for line in log.read_text().splitlines()]
        return [line for line in lines if " ERROR" in line] if logs else ["there is no log"]
