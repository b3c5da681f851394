"""Marks for tests that need a client package."""

from __future__ import annotations

import importlib.util

import pytest


def needs(module: str, package: str) -> pytest.MarkDecorator:
    """Skip without the package, without importing it.

    pylibfranka and franky register the same C++ types, so one process can hold only one of them;
    the tests run each in a process of its own.
    """
    missing = importlib.util.find_spec(module) is None
    reason = f"needs {package} from PyPI; the project's test command installs it"
    return pytest.mark.skipif(missing, reason=reason)
