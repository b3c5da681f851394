"""For tests that start robots: free addresses, a readiness probe, servers in other processes.

Imports nothing heavy. Must not know a test framework.
"""

from __future__ import annotations

from franka_sim.server.probe import Probe, probe
from franka_sim.testing.loopback import free_loopback
from franka_sim.testing.remote import RemoteSimulation, ServerGoneError

__all__ = ["Probe", "RemoteSimulation", "ServerGoneError", "free_loopback", "probe"]
