"""Figures for people and machines: timing certificates, reports, a metrics port.

Reads what the core measured; must not measure, and must not be needed by a cycle.
"""

from franka_sim.metrics.timing import Certificate, Latency, Timing

__all__ = ["Certificate", "Latency", "Timing"]
