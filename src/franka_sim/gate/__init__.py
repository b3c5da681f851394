"""Regression gate: two client programs in turn, fresh servers, and whether one is proven worse.

statistics.py decides, runs.py measures, report.py tells. Must not be needed by a server.
"""

from franka_sim.gate.runs import Comparison, Plan, RunFailedError, compare
from franka_sim.gate.statistics import Verdict

__all__ = ["Comparison", "Plan", "RunFailedError", "Verdict", "compare"]
