"""Hands a MuJoCo model to the core: addresses and indices, looked up once. Never steps it itself.

The core is compiled without a MuJoCo header, so one build serves every supported release: raw
addresses of model and data come from the bindings, arrays from their NumPy views (which stay put
while the model is unchanged), functions from the library that the package has loaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from franka_sim import _engine

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
    "qacc_warmstart",
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


def make_plant(xml: str, prefix: str = "") -> _engine.MujocoPlant:
    """Compile `xml` (MJCF) and return the core's plant of it; model and data live as long as that.

    The arm's links, joints, motors and torque sensors carry `prefix`.

    Raises:
        ValueError: when the model's time step is not 1 ms or a part of the arm is missing.
    """
    model: Any = mujoco.MjModel.from_xml_string(xml)
    data: Any = mujoco.MjData(model)
    if model.opt.timestep != TIME_STEP:
        raise ValueError(f"the model's timestep is {model.opt.timestep} s, not {TIME_STEP} s")
    kinds = mujoco.mjtObj
    joints = [_number(model, kinds.mjOBJ_JOINT, prefix + name) for name in JOINTS]
    sensors = [_number(model, kinds.mjOBJ_SENSOR, f"{prefix}torque{i}") for i in range(1, 8)]
    return _engine.MujocoPlant(
        library=str(library_path()),
        model=model._address,
        data=data._address,
        arrays={name: _address(getattr(data, name)) for name in ARRAYS},
        qpos=[int(model.jnt_qposadr[j]) for j in joints],
        dof=[int(model.jnt_dofadr[j]) for j in joints],
        actuator=[_number(model, kinds.mjOBJ_ACTUATOR, prefix + name) for name in JOINTS],
        torque_sensor=[int(model.sensor_adr[s]) for s in sensors],
        bodies=[_number(model, kinds.mjOBJ_BODY, prefix + name) for name in LINKS],
        owner=(model, data),
    )
