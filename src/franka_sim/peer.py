"""`FrankaSimServer`: the class that users of franka-sim 1.1.7 construct, on top of `Simulation`.

Names and defaults only; what is not built is refused by name.
"""

from __future__ import annotations

import os
import threading
from typing import Any

from franka_sim.config import load
from franka_sim.simulation import Simulation


class FrankaSimServer:
    """A server with the constructor and methods of franka-sim 1.1.7.

    `start` serves until `stop` is called from another thread, or Ctrl-C.

    Args:
        host: address to serve on.
        port: TCP port.
        urdf_path: URDF served instead of the robot's own.
        protocol_version: 10 is what an FR3 speaks.
        enforce_comm_constraints, enforce_motion_limits: None leaves it to the environment.
        enable_gripper: whether the hand is there; None leaves it to the environment.
        gripper_physics: whether its fingers are part of the world.
        gripper_object_width: width of a thing between its fingers [m].
        options: any other key of the option table, e.g. ``clock="lockstep"``.

    The remaining arguments are accepted when they ask for nothing that is missing.

    Raises:
        ConfigError: for a value that cannot be used, or a wish that is not built yet.
    """

    def __init__(
        self,
        host: str = "0.0.0.0",
        port: int = 1337,
        enable_vis: bool = False,
        physics_sim: Any = None,
        urdf_path: str | os.PathLike[str] | None = None,
        enable_gripper: bool | None = None,
        gripper_backend: Any = None,
        gripper_physics: bool = False,
        gripper_object_width: float | None = None,
        mobile_base: bool = False,
        protocol_version: int = 10,
        physics: str = "mujoco",
        enforce_comm_constraints: bool | None = None,
        enforce_motion_limits: bool | None = None,
        joint_discontinuity_scale: float | None = None,
        **options: Any,
    ) -> None:
        wishes = {
            "vis": enable_vis,
            "physics_sim": physics_sim,
            "gripper": enable_gripper,
            "gripper_backend": gripper_backend,
            "gripper_physics": gripper_physics,
            "gripper_object_width": gripper_object_width,
            "mobile_base": mobile_base,
            "protocol_version": protocol_version,
            "physics": physics,
        }
        called = {"vis": "enable_vis", "gripper": "enable_gripper", "urdf": "urdf_path"}
        self._config = load(
            {
                "host": host,
                "port": port,
                "urdf": None if urdf_path is None else os.fspath(urdf_path),
                "enforce_comm_constraints": enforce_comm_constraints,
                "enforce_motion_limits": enforce_motion_limits,
                "joint_discontinuity_scale": joint_discontinuity_scale,
                **wishes,
                **options,
            },
            os.environ,
            name_of=called,
        )
        self._simulation: Simulation | None = None
        self._guard = threading.Lock()
        self._stop_requested = threading.Event()

    @property
    def host(self) -> str:
        """Address that is served."""
        return str(self._config.host)

    @property
    def port(self) -> int:
        """TCP port that is served."""
        simulation = self._current()
        return int(self._config.port) if simulation is None else simulation.port

    @property
    def running(self) -> bool:
        """Whether clients can connect."""
        return self._current() is not None

    def start(self) -> None:
        """Serve; returns after `stop`.

        Raises:
            OSError: when host or port cannot be served on.
            RuntimeError: when it is running already, or the core cannot start.
        """
        with self._guard:
            if self._simulation is not None:
                raise RuntimeError("the server is running already")
            self._stop_requested.clear()
            self._simulation = Simulation(self._config)
            self._simulation.on_failure(self._stop_requested.set)
        try:
            self._stop_requested.wait()
        finally:
            self.stop()

    def run_server(self) -> None:
        """Serve; the same as `start`."""
        self.start()

    def stop(self) -> None:
        """Stop serving. Idempotent; any thread."""
        self._stop_requested.set()
        with self._guard:
            simulation, self._simulation = self._simulation, None
        if simulation is not None:
            simulation.stop()

    def cleanup(self) -> None:
        """Stop serving; the same as `stop`."""
        self.stop()

    def reset_state(self) -> None:
        """End the connected client's session; what belongs to a connection ends with it."""
        simulation = self._current()
        if simulation is not None:
            simulation.drop_client()

    def _current(self) -> Simulation | None:
        # While starting, clients can connect a moment before the simulation has a name here.
        with self._guard:
            return self._simulation
