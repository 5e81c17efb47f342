# SPDX-License-Identifier: MIT
"""Arm `loader`: owners, permissions, links, paths, manifests and policies under which nothing may be loaded."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from canary import IN_PROCESS, NOBODY, Canary, is_root
from session import Case, Session

STRANGER = 12345


@dataclass
class Attack:
    """What an attack has prepared: the commands to run, and their environment."""

    words: list[list[str]] = field(
        default_factory=lambda: [["doctor"], ["decode", "value.json", "--from", "torture.song", *IN_PROCESS]]
    )
    env: dict[str, str] = field(default_factory=dict)
    may_load: bool = False
    command: Path | None = None  # a copy of the command, for a user without rights
    meanwhile: Callable[[], None] | None = None  # called over and over while the commands run
    undo: Callable[[], None] = lambda: None


def good(canary: Canary, _: Random) -> Attack:
    """The control: without an attack the canary is loaded."""
    return Attack(env=canary.environment(), may_load=True)


def writable(canary: Canary, random: Random) -> Attack:
    """A directory or a file that others may write."""
    victim = random.choice((canary.directory, canary.library, canary.manifest, canary.case.directory))
    victim.chmod((victim.stat().st_mode & 0o777) | random.choice((0o002, 0o022, 0o222)))
    return Attack(env=canary.environment())


def group_writable(canary: Canary, random: Random) -> Attack:
    victim = random.choice((canary.directory, canary.library, canary.manifest))
    owner = STRANGER if victim == canary.directory else -1  # root's directories may belong to any group
    os.chown(victim, owner, STRANGER)
    victim.chmod(0o775 if victim == canary.directory else 0o664)
    return Attack(env=canary.environment())


def foreign(canary: Canary, random: Random) -> Attack:
    """A directory or a file of another user."""
    victim = random.choice((canary.directory, canary.library, canary.manifest, canary.case.directory))
    os.chown(victim, STRANGER, STRANGER)
    return Attack(env=canary.environment())


def linked(canary: Canary, random: Random) -> Attack:
    """Symbolic links that lead out of the directory, or to a directory that others may write."""
    outside = canary.case.directory / "outside"
    outside.mkdir()
    if random.random() < 0.5:
        canary.library.rename(outside / "canary.so")
        canary.library.symlink_to(random.choice((outside / "canary.so", "../outside/canary.so")))
        return Attack(env=canary.environment())
    for path in (canary.library, canary.manifest):
        shutil.move(path, outside / path.name)
    outside.chmod(0o777)
    canary.directory.rmdir()
    canary.directory.symlink_to(outside)
    return Attack(env=canary.environment())


def relative(canary: Canary, random: Random) -> Attack:
    """Search paths that depend on the current directory."""
    path = random.choice(
        ("plugins", "./plugins", "../*/plugins", ":", "", "::plugins", "plugins:", "~/plugins", "$PWD/plugins", ".")
    )
    env = canary.environment(path)
    if random.random() < 0.5:
        env["POLYCODEC_PLUGIN_SYSTEM_PATH"] = path
    if path in (".", "", ":"):
        for name in (canary.library, canary.manifest):
            shutil.copy(name, canary.case.directory / name.name)
    return Attack(env={**env, "PWD": str(canary.case.directory), "HOME": str(canary.case.directory)})


def manifest(canary: Canary, random: Random) -> Attack:
    """Manifests that name another library, another id, another ABI, or break the rules of manifests."""
    outside = canary.case.directory / "outside.so"
    shutil.copy(canary.library, outside)
    changes: tuple[dict[str, object], ...] = (
        {"library": "../outside.so"}, {"library": str(outside)}, {"library": "/proc/self/cwd/outside.so"}, {"library": "./../outside.so"},
        {"library": "canary.so\0/x"}, {"library": "../plugins/canary.so"}, {"library": ""}, {"library": ["canary.so"]},
        {"id": "torture.other"}, {"id": "../torture.canary"}, {"abi": 1}, {"abi": 99}, {"abi": "2"}, {"manifest": 99},
        {"unknown": 1}, {"version": "\x1b[31m"}, {"codecs": [{"name": "torture.song"}]}, {"codecs": {}},
    )  # fmt: skip
    canary.about.update(random.choice(changes))
    canary.write()
    return Attack(env=canary.environment())


def policy(canary: Canary, random: Random) -> Attack:
    """Policies that forbid the plugin."""
    config = canary.case.write("config.json", random.choice((
        b'{"policy": {"deny_plugins": ["torture.*"]}}', b'{"policy": {"deny_plugins": ["*"]}}', b'{"policy": {"mode": "listed"}}',
        b'{"policy": {"mode": "listed", "allow_plugins": ["torture.canar", "TORTURE.CANARY", "ply"]}}',
        b'{"policy": {"require_pins": true}}', b'{"plugins": {"use_environment": false}}',
        b'{"policy": {"pins": {"torture.canary": ["%s"]}}}' % (b"0" * 64),
        b'{"policy": {"deny_codecs": ["torture.song"]}}',
    )))  # fmt: skip
    config.chmod(0o644)
    return Attack(
        words=[["decode", "value.json", "--from", "torture.song", *IN_PROCESS]],
        env={**canary.environment(), "POLYCODEC_CONFIG": str(config)},
    )


def external(canary: Canary, random: Random) -> Attack:
    """Programs called polycodec-NAME where they may not be looked for, or may not be trusted."""
    place = random.choice((canary.case.directory, canary.directory))
    program = place / "polycodec-evil"
    program.write_text('#!/bin/sh\n: > "$TORTURE_CANARY"\n')
    program.chmod(0o755)
    env = {**canary.environment(""), "PATH": f"{place}:.:/usr/bin:/bin"}
    if place == canary.directory:
        program.chmod(random.choice((0o777, 0o757, 0o644)))
        env["POLYCODEC_PLUGIN_PATH"] = str(canary.directory)
    return Attack(words=[["evil"], ["./polycodec-evil"], ["../x/evil"]], env=env)


def libraries(canary: Canary, random: Random) -> Attack:
    """Variables with which libraries load plugins of their own."""
    place = str(canary.directory)
    for name in ("libH5Zevil.so", "libh5vol.so"):
        shutil.copy(canary.library, canary.directory / name)
    env = {"TORTURE_CANARY": str(canary.trace), "HDF5_PLUGIN_PATH": place, "HDF5_VOL_CONNECTOR": "evil", "HDF5_PLUGIN_PRELOAD": place,
           "UDUNITS2_XML_PATH": "/dev/zero", "GCONV_PATH": place, "OPENSSL_CONF": "/nonexistent", "POLYCODEC_PLUGIN_PATH": ""}  # fmt: skip
    vector = canary.case.session.source / "tests/vectors/awkward/h5_zall.h5"
    canary.case.write("in.h5", vector.read_bytes())
    return Attack(
        words=[[*words, *IN_PROCESS] for words in (["store", "list", "in.h5"], ["decode", "in.h5", "--from", "awkward"], ["sniff", "in.h5"])],
        env=env,
    )


def set_user_id(canary: Canary, random: Random) -> Attack:
    """A command that runs with rights that its user lacks: the environment of the user has no say."""
    session = canary.case.session
    command = canary.case.directory / "polycodec"
    # In such a program, the dynamic loader ignores $ORIGIN: a link of the same length leads to the libraries.
    runpath = b"$ORIGIN/../lib"
    libraries = Path(f"/tmp/t{os.urandom(4).hex()}")
    libraries.symlink_to(session.build / "lib")
    image = Path(session.command).read_bytes()
    command.write_bytes(image.replace(runpath, str(libraries).encode()))
    command.chmod(random.choice((0o4755, 0o6755, 0o4711)))
    env = canary.environment()
    env[random.choice(("POLYCODEC_PLUGIN_SYSTEM_PATH", "XDG_DATA_HOME", "LD_LIBRARY_PATH"))] = str(canary.directory)
    words = [["list"], ["doctor"], ["decode", "value.json", "--from", "torture.song"]]
    return Attack(words=words, env=env, command=command, undo=libraries.unlink)


def swapped(canary: Canary, random: Random) -> Attack:
    """The library changes places with one that others may write, while it is checked and loaded."""
    good, bad = canary.directory / "good.so", canary.case.directory / "bad.so"
    canary.library.rename(bad)
    bad.chmod(random.choice((0o666, 0o646)))
    shutil.copy(canary.case.session.build / "torture" / "failing.so", good)
    good.chmod(0o644)
    next_name = canary.directory / "next.so"

    def swap() -> None:
        for library in (bad, good):
            next_name.unlink(missing_ok=True)
            os.link(library, next_name)
            next_name.replace(canary.library)

    swap()
    return Attack(env=canary.environment(), meanwhile=swap)


def runpath(canary: Canary, random: Random) -> Attack:
    """A library that takes another one from the current directory, which LD_LIBRARY_PATH may name as well."""
    canary.library.rename(canary.case.directory / "canary.so")
    shutil.copy(canary.case.session.build / "torture" / "relative.so", canary.library)
    canary.library.chmod(0o644)
    here = str(canary.case.directory)
    env = {**canary.environment(), "LD_LIBRARY_PATH": random.choice(("", ".", here, f"{here}:", f"/usr/lib:{here}"))}
    return Attack(env=env)


ATTACKS: tuple[Callable[[Canary, Random], Attack], ...] = (
    good, writable, group_writable, foreign, linked, relative, manifest, manifest, policy, policy, external, libraries,
    set_user_id, swapped, runpath,
)  # fmt: skip
OF_ROOT = (group_writable, foreign, set_user_id)  # they give files away, or run as another user


@contextmanager
def repeated(action: Callable[[], None] | None) -> Iterator[None]:
    """Does it over and over in a thread, until the block ends."""
    if action is None:
        yield
        return
    done = threading.Event()

    def act() -> None:
        while not done.is_set():
            action()

    thread = threading.Thread(target=act)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


class Loader:
    """Each case is one attack, by root and by a user without rights."""

    name = "loader"
    weight = 1.0
    batch = 24

    def __init__(self, session: Session) -> None:
        self.attacks = tuple(attack for attack in ATTACKS if is_root() or attack not in OF_ROOT)

    def run(self, case: Case) -> None:
        prepare = self.attacks[case.number % len(self.attacks)]
        case.write("value.json", b"[1]")
        case.directory.chmod(0o755)
        canary = Canary(case)
        attack = prepare(canary, case.random)
        as_nobody = is_root() and case.random.random() < 0.5
        as_nobody = as_nobody or attack.command is not None
        with repeated(attack.meanwhile):
            for words in attack.words:
                done = case.run(words, env=attack.env, user=NOBODY if as_nobody else None, command=attack.command)
                if canary.is_loaded() and not attack.may_load:
                    case.finding(f"loaded: {prepare.__name__}: what may not be", done, env=attack.env)
        attack.undo()
        if attack.may_load and not canary.is_loaded():
            case.finding("not loaded: the control; this arm proves nothing")
