"""Writes tests/core/wire_v10.inc, the golden numbers as C++ arrays, from the JSON files beside it.

Run without arguments to write, with --check to compare (tests/meta/test_generated_files.py). Must
not import the code under test.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OUT = HERE.parent / "core" / "wire_v10.inc"
HEAD = """\
// Layouts and byte vectors of FCI v10. Generated from tests/golden/wire_layout_v10.json and
// robot_v10.json (made by a compiler from the published headers) by
// tests/golden/generate_wire_vectors.py; checked by tests/meta/test_generated_files.py.
// clang-format off
"""


def numbers(value: Any) -> Iterator[str]:
    """Flatten a vector's values in wire order, as C++ literals."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from numbers(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, str):
        return  # the text of GetRobotModel
    elif isinstance(value, bool | int):
        # The pattern of message_id does not fit a double; the test knows it.
        yield "0" if int(value) >= 2**53 else str(int(value))
    else:
        yield repr(float(value))


def text() -> str:
    """Return the whole include file."""
    layout = json.loads((HERE / "wire_layout_v10.json").read_text())
    vectors = json.loads((HERE / "robot_v10.json").read_text())["vectors"]
    lines = [HEAD]
    for struct in ("RobotState", "RobotCommand"):
        body = layout["structs"][struct]
        lines.append(f"inline constexpr std::size_t k{struct}Size = {body['size']};\n")
        lines.append(f"inline constexpr GoldenField k{struct}Fields[] = {{\n")
        lines += [
            f'    {{"{f["field"]}", "{f["type"]}", {f["count"]}, {f["offset"]}}},\n'
            for f in body["fields"]
        ]
        lines.append("};\n")
    lines.append("inline constexpr GoldenCommand kCommands[] = {\n")
    for c in layout["commands"]:
        reply = c["response_total_size"]
        if not isinstance(reply, int):  # GetRobotModel: without its text
            reply = layout["header_size"] + c["status_width"]
        statuses = ",".join(sorted(c["status"], key=c["status"].get))
        lines.append(
            f'    {{"{c["name"]}", {c["id"]}, {c["request_total_size"]}, {reply}, "{statuses}"}},\n'
        )
    lines.append("};\n")
    names = ", ".join(f'"{name}"' for name in layout["error_names"])
    lines.append(f"inline constexpr const char* kErrors[] = {{{names}}};\n")
    rows = []
    for i, v in enumerate(vectors):
        values = ", ".join(numbers(v["values"]))
        if values:
            lines.append(f"inline constexpr double kValues{i}[] = {{{values}}};\n")
        span = f"kValues{i}" if values else "{}"
        name = v.get("struct") or v["command"]
        rows.append(
            f'    {{"{v["kind"]}", "{name}", "{v.get("status", "")}", {span}, "{v["hex"]}"}},\n'
        )
    lines += ["inline constexpr GoldenVector kVectors[] = {\n", *rows, "};\n"]
    return "".join(lines)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if OUT.read_text() == text() else f"{OUT.name} is not fresh")
    OUT.write_text(text())
