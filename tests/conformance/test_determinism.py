"""Lockstep: same inputs, same bytes, whatever client plays them and however slowly."""

from __future__ import annotations

import json
import math
import struct
import subprocess
from pathlib import Path

import native
import pytest
from raw_client import RawClient

SUPPORT = Path(__file__).parents[1] / "support"
PROGRAM_WATCHDOG_S = 240
POSITION, VELOCITY, TORQUE = 0, 1, 2  # kinds of raw_client.c
CONTROLLER = {POSITION: 0, VELOCITY: 0, TORQUE: 2}
KP = (120.0, 120.0, 120.0, 120.0, 40.0, 30.0, 20.0)  # as in raw_client.c
KD = (15.0, 15.0, 15.0, 15.0, 5.0, 4.0, 3.0)


def velocity_motion(cycles: int, peak: float, number: int) -> list[list[float]]:
    """All joints, whole periods of different frequency, at rest at both ends."""
    rows = []
    for k in range(cycles + 1):
        rows.append(
            [
                peak
                * (-1) ** (joint + number)
                * math.sin(2 * math.pi * k / cycles)
                * math.sin(math.pi * (1 + joint % 3) * k / cycles) ** 2
                for joint in range(7)
            ]
        )
    return rows


def torque_motion(cycles: int, size: float, number: int) -> list[list[float]]:
    """Offsets that a PD law in the client follows: there and back on every joint."""
    rows = []
    for k in range(cycles + 1):
        s = 0.5 * (1.0 - math.cos(2 * math.pi * k / cycles))
        rows.append([size * (-1) ** (joint + number) * s for joint in range(7)])
    return rows


SCRIPTS = {
    "velocity": [(VELOCITY, velocity_motion(5000, 0.2, n)) for n in range(4)],
    "torque": [(TORQUE, torque_motion(5000, 0.15, n)) for n in range(4)],
}


def encode(script) -> bytes:
    out = bytearray(struct.pack("<I", len(script)))
    for kind, rows in script:
        out += struct.pack("<III", kind, CONTROLLER[kind], len(rows))
        for row in rows:
            out += struct.pack("<7d", *row)
    return bytes(out)


def play_in_c(host: str, path: Path, *options: str) -> None:
    program = native.build(SUPPORT / "raw_client.c")
    done = subprocess.run(
        [str(program), host, "1337", str(path), *options],
        capture_output=True,
        text=True,
        timeout=PROGRAM_WATCHDOG_S,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert set(json.loads(done.stdout)["status"]) == {0}


def play_in_python(host: str, script) -> None:
    generator = {POSITION: "kJointPosition", VELOCITY: "kJointVelocity", TORQUE: "kNone"}
    with RawClient(host) as client:
        for kind, rows in script:
            controller = "kExternalController" if kind == TORQUE else "kJointImpedance"
            start = client.start(generator[kind], controller)
            for row in rows:
                if kind == TORQUE:
                    state = client.state
                    command = {
                        "tau_J_d": [
                            KP[i] * ((start.q[i] + row[i]) - state.q[i]) - KD[i] * state.dq[i]
                            for i in range(7)
                        ]
                    }
                else:
                    command = {"dq_c": row}
                assert client.step(**command).robot_mode == "kMove", client.state
            assert client.finish(**command) == "kSuccess"


@pytest.mark.skipif(
    native.compiler() is None, reason="needs a C compiler, as building the project does"
)
@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_twenty_runs_give_one_hash(serve, tmp_path, name):
    """Issue 2, Show 4: 20 s of several motions; two clients, three paces, one stops for 5 s."""
    script = SCRIPTS[name]
    path = tmp_path / f"{name}.script"
    path.write_bytes(encode(script))
    hashes = {}
    for run in range(20):
        server = serve(lockstep_timeout=math.inf)
        if run == 0:
            play_in_python(server.host, script)
        elif run == 1:
            play_in_c(server.host, path, "block", "4900", "1250")  # four stops, 5 s in all
        elif run == 2:
            play_in_c(server.host, path, "block", "500", "10")
        else:
            play_in_c(server.host, path, "spin" if run % 2 else "block")
        hashes[run] = server.state_hash()
        server.stop()
    assert len(set(map(str, hashes.values()))) == 1, hashes


def test_another_script_gives_another_hash(serve):
    """The hash hashes something."""
    hashes = []
    for peak in (0.1, 0.1, 0.11):
        server = serve()
        play_in_python(server.host, [(VELOCITY, velocity_motion(300, peak, 0))])
        hashes.append(str(server.state_hash()))
        server.stop()
    assert hashes[0] == hashes[1] != hashes[2]
