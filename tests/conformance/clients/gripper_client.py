"""pylibfranka's and franka-rs's gripper: the same calls on both, so that a test can run either."""

from __future__ import annotations

import time

import _program


def connect(library: str, host: str):
    if library == "pylibfranka":
        import pylibfranka

        return pylibfranka.Gripper(host)
    import franka

    return franka.Gripper(host)


def seen(state) -> dict:
    """A state under libfranka's names; `time` in seconds."""
    stamp = state.time
    return {
        "width": state.width,
        "max_width": state.max_width,
        "is_grasped": bool(state.is_grasped),
        "temperature": state.temperature,
        "time": stamp.to_sec() if hasattr(stamp, "to_sec") else stamp,
    }


def call(gripper, name: str, arguments: list) -> dict:
    """One call: what it returned or raised, and the states just before and after."""
    before = seen(gripper.read_once())
    begun = time.monotonic()
    try:
        result, error = getattr(gripper, name)(*arguments), None
    except Exception as problem:  # the library's own; its words are the report
        result, error = None, {"type": type(problem).__name__, "text": str(problem)}
    lasted = time.monotonic() - begun
    after = seen(gripper.read_once())
    return {"result": result, "error": error, "seconds": lasted, "before": before, "after": after}


def calls(host: str, library: str, script: list) -> dict:
    """Calls in order, e.g. [["move", 0.02, 0.1], ["grasp", ...]]."""
    gripper = connect(library, host)
    return {
        "server_version": int(
            gripper.server_version() if callable(gripper.server_version) else gripper.server_version
        ),
        "calls": [call(gripper, name, arguments) for name, *arguments in script],
    }


if __name__ == "__main__":
    _program.run({"calls": calls})
