"""Lets the unit tests run without the compiled core: its tables are then the hand-copied ones."""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

if importlib.util.find_spec("franka_sim") is None:
    sys.path.insert(0, str(HERE.parents[1] / "src"))

import fake_engine  # noqa: E402

if importlib.util.find_spec("franka_sim._engine") is None:
    import franka_sim

    sys.modules["franka_sim._engine"] = franka_sim._engine = fake_engine.tables()
