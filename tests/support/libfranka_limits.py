"""libfranka's published limiters and filters, called in the shared library that pylibfranka brings.

The expectations of the limiter tests come from here: an implementation that is not ours. Arguments
must be finite: an exception of C++ would end the process.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Sequence
from pathlib import Path

Numbers = Sequence[float]


class LibfrankaLimits:
    """Its functions by our names; argument order as in libfranka's headers."""

    def __init__(self) -> None:
        spec = importlib.util.find_spec("pylibfranka")
        assert spec is not None
        assert spec.origin is not None
        self._library = ctypes.CDLL(str(Path(spec.origin).parent / "libfranka.so"))

    def _scalar(self, symbol: str, arguments: Numbers) -> float:
        function = getattr(self._library, symbol)
        function.restype = ctypes.c_double
        function.argtypes = [ctypes.c_double] * len(arguments)
        return function(*arguments)

    def _array(self, symbol: str, size: int, *arguments: float | Numbers) -> list[float]:
        """A std::array comes back through a hidden first pointer; `const&` is a pointer."""
        result = (ctypes.c_double * size)()
        kinds: list[object] = [ctypes.c_void_p]
        values: list[object] = [ctypes.addressof(result)]
        kept = []
        for argument in arguments:
            if isinstance(argument, int | float):
                kinds.append(ctypes.c_double)
                values.append(float(argument))
            else:
                kept.append((ctypes.c_double * len(argument))(*argument))
                kinds.append(ctypes.c_void_p)
                values.append(ctypes.addressof(kept[-1]))
        function = getattr(self._library, symbol)
        function.restype = None
        function.argtypes = kinds
        function(*values)
        return list(result)

    def limit_rate_torques(self, *arguments: Numbers) -> list[float]:
        symbol = "_ZN6franka9limitRateERKSt5arrayIdLm7EES3_S3_"
        return self._array(symbol, 7, *arguments)

    def limit_rate_velocity(self, *arguments: float) -> float:
        return self._scalar("_ZN6franka9limitRateEddddddd", arguments)

    def limit_rate_position(self, *arguments: float) -> float:
        return self._scalar("_ZN6franka9limitRateEdddddddd", arguments)

    def limit_rate_joint_velocities(self, *arguments: Numbers) -> list[float]:
        symbol = "_ZN6franka9limitRateERKSt5arrayIdLm7EES3_S3_S3_S3_S3_S3_"
        return self._array(symbol, 7, *arguments)

    def limit_rate_joint_positions(self, *arguments: Numbers) -> list[float]:
        symbol = "_ZN6franka9limitRateERKSt5arrayIdLm7EES3_S3_S3_S3_S3_S3_S3_"
        return self._array(symbol, 7, *arguments)

    def limit_rate_cartesian_velocity(self, *arguments: float | Numbers) -> list[float]:
        symbol = "_ZN6franka9limitRateEddddddRKSt5arrayIdLm6EES3_S3_"
        return self._array(symbol, 6, *arguments)

    def limit_rate_cartesian_pose(self, *arguments: float | Numbers) -> list[float]:
        symbol = "_ZN6franka9limitRateEddddddRKSt5arrayIdLm16EES3_RKS0_IdLm6EES6_"
        return self._array(symbol, 16, *arguments)

    def lowpass_filter(self, *arguments: float) -> float:
        return self._scalar("_ZN6franka13lowpassFilterEdddd", arguments)

    def cartesian_lowpass_filter(
        self, sample_time: float, y: Numbers, y_last: Numbers, cutoff_frequency: float
    ) -> list[float]:
        class Pose(ctypes.Structure):
            _fields_ = (("value", ctypes.c_double * 16),)

        function = self._library["_ZN6franka22cartesianLowpassFilterEdSt5arrayIdLm16EES1_d"]
        result = Pose()
        function.restype = None
        function.argtypes = [ctypes.c_void_p, ctypes.c_double, Pose, Pose, ctypes.c_double]
        poses = [Pose((ctypes.c_double * 16)(*pose)) for pose in (y, y_last)]
        function(ctypes.addressof(result), sample_time, *poses, cutoff_frequency)
        return list(result.value)
