"""The stub _engine.pyi and the compiled module name the same things."""

import ast
from pathlib import Path

import pytest

import franka_sim
from franka_sim import _engine

if getattr(_engine, "__file__", None) is None:
    pytest.skip("the extension module is not built in this environment", allow_module_level=True)

STUB = ast.parse((Path(franka_sim.__file__).parent / "_engine.pyi").read_text())


def names(body):
    found = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return {name for name in found if not name.startswith("_")}


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


def test_the_module_has_what_the_stub_says_and_nothing_else():
    assert names(STUB.body) == public(_engine)


@pytest.mark.parametrize(
    "node", [n for n in STUB.body if isinstance(n, ast.ClassDef)], ids=lambda n: n.name
)
def test_each_class_has_the_members_the_stub_says_and_no_others(node):
    assert names(node.body) == public(getattr(_engine, node.name))
