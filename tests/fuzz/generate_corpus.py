"""Writes the seed corpora of the fuzz targets from the golden vectors.

Run without arguments to write, with --check to see that each seed is there and fresh
(tests/meta/test_generated_files.py). Inputs that a fuzzer found stand beside the seeds under names
of their own. The forms are those the targets read; see their first lines.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

HERE = Path(__file__).parent
VECTORS = json.loads((HERE.parent / "golden" / "robot_v10.json").read_text())["vectors"]
COMMANDS = [bytes.fromhex(v["hex"]) for v in VECTORS if v.get("struct") == "RobotCommand"]
REQUESTS = {v["command"]: bytes.fromhex(v["hex"]) for v in VECTORS if v["kind"] == "request"}
READY = (0.0, -0.7853981633974483, 0.0, -2.356194490192345, 0.0, 1.5707963267948966,
         0.7853981633974483)  # fmt: skip


def command(q_c: tuple[float, ...] = READY, dq_c: float = 0.0, finished: bool = False) -> bytes:
    """Return a RobotCommand of 371 bytes; its echo is set by the target."""
    moved = struct.pack("<14d", *q_c, dq_c, *[0.0] * 6)
    return (
        bytes(8) + moved + bytes(312 - 120) + bytes([0, finished]) + bytes(56) + bytes([finished])
    )


def stream(options: int, batches: list[list[bytes]]) -> bytes:
    """Return an input of fuzz_command_stream: echoes near the cycle, one batch a cycle."""
    out = bytes([options])
    for batch in batches:
        out += bytes([len(batch)]) + b"".join(b"\x80" + datagram for datagram in batch)
    return out


def request(name: str, payload: bytes | None = None) -> bytes:
    """Return a request step of fuzz_requests."""
    data = REQUESTS[name]
    return bytes([data[0]]) + (data[12:] if payload is None else payload)


def move(controller: int, generator: int, maximum_velocity: float | None = None) -> bytes:
    """Return a Move step with libfranka's deviations; with a velocity it is asynchronous."""
    deviations = struct.pack("<6d", 10.0, 3.12, 6.28, 10.0, 3.12, 6.28)
    tail = bytes(57)
    if maximum_velocity is not None:
        tail = struct.pack("<?7d", True, *[maximum_velocity] * 7)
    return request("Move", struct.pack("<II", controller, generator) + deviations + tail)


WAIT = b"\x8a"  # 40 cycles
ANSWER = b"\xb4"  # a command of the bytes that follow, fresh
FINISH = b"\xa4\xac"  # the ready pose, fresh; again with the finished flag
PAUSE = b"\xff"  # of fuzz_tool: 1008 cycles


def tool_move(width: float, speed: float) -> bytes:
    """Return a Move step of fuzz_tool (wire.md 4.1)."""
    return b"\x03" + struct.pack("<2d", width, speed)


def grasp(width: float) -> bytes:
    """Return a Grasp step of fuzz_tool."""
    return b"\x02" + struct.pack("<5d", width, 0.005, 0.005, 0.1, 20.0)


def vacuum(setpoint: int, timeout: int) -> bytes:
    """Return a Vacuum step of fuzz_tool (wire.md 4.2)."""
    return b"\x01" + struct.pack("<BBq", setpoint, 0, timeout)


def drop_off(timeout: int) -> bytes:
    """Return a DropOff step of fuzz_tool."""
    return b"\x02" + struct.pack("<q", timeout)


SEEDS: dict[str, dict[str, bytes]] = {
    "fuzz_command_stream": {
        "golden": stream(0x00, [[c] for c in COMMANDS]),
        "hold_then_lost": stream(0x60, [[command()]] * 3 + [[]] * 25),
        "velocity": stream(0x01, [[command(dq_c=1e-3 * n)] for n in range(6)]),
        "torque_late": stream(0x02, [[command()], [], [command(), command()]]),
        "finish": stream(0x30, [[command()], [command(finished=True)]]),
    },
    "fuzz_requests": {
        "golden": b"\x00" + b"".join(
            request(name) + b"\x81" for name in REQUESTS if name not in ("Connect", "GetRobotModel")
        ),
        "position_finish": b"\x03" + WAIT * 2 + move(0, 0) + b"\x81" + FINISH + WAIT * 3,
        "torque_stop": b"\x03" + WAIT * 2 + move(2, 4) + b"\x81" + ANSWER + command()
        + request("StopMove") + WAIT,
        "preempt": b"\x00" + WAIT * 2 + move(0, 0) + b"\x81" + FINISH[:1] + move(0, 1) + WAIT,
        "reflex_recover": b"\x01" + WAIT * 2 + move(0, 0) + b"\x81" + ANSWER
        + command(q_c=(1.0,) * 7) + request("AutomaticErrorRecovery") + WAIT * 2,
        "targets": b"\x00" + WAIT * 2 + move(0, 0, 2.0) + b"\x81" + ANSWER + command((0.1,) * 7)
        + WAIT + ANSWER + command((9.0,) * 7) + WAIT + b"\xbc" + command() + WAIT * 3,
        "side_inputs": b"\x08" + WAIT + move(0, 1)
        + b"\x81\x68\x81\x60\x69\x81\x61\x6a\x81\x62",
        "client_gone": b"\x08" + move(0, 0) + WAIT + FINISH[:1] + b"\x70" + move(0, 0) + WAIT,
    },
    "fuzz_tool": {
        "hand": b"\x00\x01" + PAUSE * 6 + tool_move(0.02, 0.1) + PAUSE + tool_move(0.05, 0.01)
        + b"\xc2\x04" + PAUSE,
        "hand_grasps": b"\x06\x01" + PAUSE * 6 + grasp(0.02) + PAUSE + b"\x80\x00" + PAUSE
        + grasp(float("nan")) + grasp(0.02) + b"\x84\x5a\xff\x01\x83\x00\x83\x01" + PAUSE,
        "hand_stalls": b"\x00" + grasp(0.0) + b"\x81\xff" + PAUSE + b"\x04" + PAUSE,
        "vacuum": b"\x09" + vacuum(60, 5000) + PAUSE * 2 + drop_off(1000) + PAUSE
        + vacuum(70, 5000) + b"\xc2\x03" + vacuum(0, 1) + vacuum(60, -1) + vacuum(60, 5000) + PAUSE,
    },
}  # fmt: skip


if __name__ == "__main__":
    stale = []
    for target, seeds in SEEDS.items():
        for name, data in seeds.items():
            path = HERE / "corpus" / target / f"seed_{name}"
            if "--check" in sys.argv:
                if not path.exists() or path.read_bytes() != data:
                    stale.append(f"{target}/{path.name}")
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    sys.exit(f"not fresh: {', '.join(stale)}" if stale else 0)
