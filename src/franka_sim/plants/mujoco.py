"""Hands a MuJoCo model to the core: addresses and indices, looked up once. Never steps it itself.

The core is compiled without a MuJoCo header, so one build serves every supported release: raw
addresses of model and data come from the bindings, arrays from their NumPy views (which stay put
while the model is unchanged), functions from the library that the package has loaded.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from franka_sim import _engine
from franka_sim.robots.fingers import FINGERS

#: The core steps once a cycle.
TIME_STEP = 1e-3
LINKS = tuple(f"link{i}" for i in range(8))
JOINTS = tuple(f"joint{i}" for i in range(1, 8))


def library_path() -> Path:
    """Return the libmujoco that the installed package has loaded."""
    folder = Path(mujoco.__file__).parent
    for candidate in (folder / f"libmujoco.so.{mujoco.__version__}", *folder.glob("libmujoco.so*")):
        if candidate.exists():
            return candidate
    raise RuntimeError(f"the installed mujoco {mujoco.__version__} has no libmujoco.so beside it")


#: Arrays of mjData by name, as the core asks for them.
ARRAYS = (
    "qpos",
    "qvel",
    "qacc",
    "ctrl",
    "sensordata",
    "xfrc_applied",
    "xpos",
    "xmat",
    "xipos",
)


def _address(array: np.ndarray[Any, Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _number(model: Any, kind: Any, name: str) -> int:
    number = int(mujoco.mj_name2id(model, kind, name))
    if number < 0:
        raise ValueError(f"the model has no {kind.name.removeprefix('mjOBJ_').lower()} {name!r}")
    return number


class Plant(_engine.MujocoPlant):
    """The core's plant of a MuJoCo world, and what may be changed in it while it runs.

    Args:
        spec: the world (a mujoco.MjSpec).
        prefix: of the names of links, joints, motors and torque sensors.
        finger_start: travel at which each finger of a hand starts [m]; None: there are no fingers.

    Attributes:
        data: the mujoco.MjData that the core steps; read it only while no engine runs.
        pushes: what the scene does to the arm from its start on, as arguments of `Engine.push`.

    Raises:
        ValueError: when the model's time step is not 1 ms or a part of the arm is missing.
    """

    def __init__(self, spec: Any, prefix: str = "", finger_start: float | None = None) -> None:
        self._spec = spec
        self._prefix = prefix
        self._lock = threading.Lock()
        model: Any = spec.compile()
        self.data: Any = mujoco.MjData(model)
        self.pushes: list[dict[str, Any]] = []
        self._offered = int(model._address)
        #: Those that the cycle uses or may be about to use, by address.
        self._models = {int(model._address): model}
        if model.opt.timestep != TIME_STEP:
            raise ValueError(f"the model's timestep is {model.opt.timestep} s, not {TIME_STEP} s")
        kinds = mujoco.mjtObj
        joints = [_number(model, kinds.mjOBJ_JOINT, prefix + name) for name in JOINTS]
        sensors = [_number(model, kinds.mjOBJ_SENSOR, f"{prefix}torque{i}") for i in range(1, 8)]
        fingers: dict[str, Any] = {}
        if finger_start is not None:
            slides = [_number(model, kinds.mjOBJ_JOINT, prefix + name) for name in FINGERS]
            fingers = {
                "qpos": [int(model.jnt_qposadr[j]) for j in slides],
                "dof": [int(model.jnt_dofadr[j]) for j in slides],
                "actuator": [_number(model, kinds.mjOBJ_ACTUATOR, prefix + n) for n in FINGERS],
                "start": finger_start,
            }
        super().__init__(
            library=str(library_path()),
            model=model._address,
            data=self.data._address,
            arrays={name: _address(getattr(self.data, name)) for name in ARRAYS},
            nv=int(model.nv),
            qpos=[int(model.jnt_qposadr[j]) for j in joints],
            dof=[int(model.jnt_dofadr[j]) for j in joints],
            actuator=[_number(model, kinds.mjOBJ_ACTUATOR, prefix + name) for name in JOINTS],
            torque_sensor=[int(model.sensor_adr[s]) for s in sensors],
            bodies=[_number(model, kinds.mjOBJ_BODY, prefix + name) for name in LINKS],
            owner=(model, self.data),
            fingers=fingers,
        )

    def carry(self, mass: float, com: Sequence[float], inertia: Sequence[float]) -> None:
        """Put another payload on the flange, from the next step on. Any thread.

        The model in use is never written to: a new one of the same structure is compiled, with all
        constants that follow from a mass, and the cycle goes over to it between two steps.

        Args:
            mass: [kg]; 0 takes the payload off.
            com: (3,) its centre in the flange's frame [m].
            inertia: (9,) about that centre in the flange's axes, column-major [kg m^2].

        Raises:
            ValueError: when MuJoCo takes no such body.
        """
        with self._lock:
            body = self._spec.body(self._prefix + "payload")
            body.mass = mass
            body.ipos = list(com)
            tensor = np.reshape(np.asarray(inertia, float), (3, 3))
            tensor = (tensor + tensor.T) / 2
            if mass > 0 and tensor.any():
                upper = [tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
                body.fullinertia = upper
            else:
                body.fullinertia = [np.nan] * 6
                body.inertia = [0.0] * 3
            model: Any = self._spec.compile()
            in_use = self._models[self.model]
            if model.signature != in_use.signature or model.nbuffer != in_use.nbuffer:
                raise RuntimeError("a payload changed the structure of the model")
            address = int(model._address)
            self._models[address] = model
            self.offer(address)
            # The cycle may just be taking the offer before this one.
            keep = {self.model, self._offered, address}
            self._offered = address
            self._models = {at: kept for at, kept in self._models.items() if at in keep}


def make_plant(xml: str, prefix: str = "") -> Plant:
    """Compile `xml` (MJCF) and return the core's plant of it; model and data live as long as that.

    The arm's links, joints, motors and torque sensors carry `prefix`.

    Raises:
        ValueError: when the model's time step is not 1 ms or a part of the arm is missing.
    """
    return Plant(mujoco.MjSpec.from_string(xml), prefix)
