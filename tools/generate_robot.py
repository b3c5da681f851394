"""Write the C++ table of a robot, src/_core/robot/fr3.cpp, from src/franka_sim/robots/fr3.json.

Only formats numbers; decides nothing. `--check` compares instead of writing.
"""

import json
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src/franka_sim/robots/fr3.json"
TARGET = ROOT / "src/_core/robot/fr3.cpp"


def numbers(values):
    """Format a flat list; repr keeps every bit."""
    return "{" + ", ".join(repr(float(v)) for v in values) + "}"


def transform(xyz, rpy):
    """Return Trans(xyz) Rz(yaw) Ry(pitch) Rx(roll) as 16 column-major numbers.

    Quarter turns come out exact: what is below 1e-12 is the rounding of pi/2 in the source.
    """
    cr, sr = math.cos(rpy[0]), math.sin(rpy[0])
    cp, sp = math.cos(rpy[1]), math.sin(rpy[1])
    cy, sy = math.cos(rpy[2]), math.sin(rpy[2])
    columns = [
        [cy * cp, sy * cp, -sp],
        [cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr],
        [cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr],
    ]
    snapped = [[round(x) + 0.0 if abs(x - round(x)) < 1e-12 else x for x in c] for c in columns]
    flat = [x for column in snapped for x in [*column, 0.0]]
    return [*flat, *xyz, 1.0]


def shape(link, primitive):
    """Format one fitted solid as a Shape."""
    kind = primitive["type"]
    first, second = ("center", "half_size") if kind == "box" else ("from", "to")
    return (
        f"{{{link}, ShapeKind::k{kind.capitalize()}, {numbers(primitive[first])}, "
        f"{numbers(primitive[second])}, {float(primitive.get('radius', 0))!r}}}"
    )


def table(robot):
    """Yield (member, value text, comment) in the order of RobotType."""
    frames, joints, sets = robot["frames"], robot["joint_limits"], robot["joint_limits"]["sets"]
    origins = ",\n".join(
        f"        {numbers(transform(j['xyz'], j['rpy']))}" for j in frames["joints"]
    )
    yield "name", f'"{robot["name"]}"', ""
    yield "joint_origin", "{{\n" + origins + "}}", frames["source"]
    flange = frames["flange"]
    yield "flange_origin", numbers(transform(flange["xyz"], flange["rpy"])), frames["source"]
    inertials = robot["inertials"]
    links = [inertials["links"][f"link{i}"] for i in range(1, 8)]
    rows = ",\n".join(
        f"        {{{float(v['mass'])!r}, {numbers(v['com'])},\n         {numbers(v['inertia'])}}}"
        for v in links
    )
    yield "links", "{{\n" + rows + "}}", inertials["source"]
    fitted = robot["contact_primitives"]
    rows = ",\n".join(
        f"        {shape(i, primitive)}"
        for i in range(8)
        for primitive in fitted["links"][f"link{i}"]
    )
    yield "shapes", "{{\n" + rows + "}}", fitted["source"]
    yield "hull_protrusion", numbers(fitted["protrusion"]), ""
    chosen = sets[joints["default_set"]]
    rows = [("lower", chosen), ("upper", chosen)]
    rows += [(k, joints) for k in ("velocity", "acceleration", "jerk", "torque", "torque_rate")]
    text = [f".{name} = {numbers(group[name])}" for name, group in rows]
    text.append(f".velocity_offset = {numbers(chosen['velocity_offset'])}")
    text.append(f".deceleration = {numbers(chosen['deceleration_limit'])}")
    text.append(".position_based = true")
    yield (
        "limits",
        "{\n        " + ",\n        ".join(text) + "}",
        f"{joints['source']}; positions and envelope: {chosen['source']}",
    )
    cartesian = {**robot["cartesian_limits"], "elbow": robot["elbow_limits"]}
    text = [
        f".{k} = {numbers(cartesian[k][d] for d in ('velocity', 'acceleration', 'jerk'))}"
        for k in ("translation", "rotation", "elbow")
    ]
    yield (
        "cartesian",
        "{\n        " + ",\n        ".join(text) + "}",
        f"{robot['cartesian_limits']['source']}; elbow: {robot['elbow_limits']['source']}",
    )
    dynamics = robot["joint_dynamics"]
    yield "armature", numbers(dynamics["armature"]), dynamics["source"]
    yield "coulomb", numbers(dynamics["frictionloss"]), ""
    yield "viscous", numbers(dynamics["damping"]), ""
    yield "K_joint", numbers(robot["elasticity"]["K_joint"]), robot["elasticity"]["source"]
    yield "elbow_flip_q4", repr(robot["elbow"]["flip_q4"]), robot["elbow"]["source"]
    yield "q_ready", numbers(robot["ready"]["q"]), robot["ready"]["source"]
    yield "K_theta", numbers(robot["impedance"]["K_theta"]), robot["impedance"]["source"]
    yield "K_x", numbers(robot["impedance"]["K_x"]), ""
    yield "collision_torque", numbers(robot["collision"]["torque"]), robot["collision"]["source"]
    yield "collision_force", numbers(robot["collision"]["force"]), ""
    sensors = robot["accelerometers"]
    for side in ("top", "bottom"):
        rows = ",\n".join(
            f"        {numbers(transform(**sensors['links'][f'link{i}'][side]))}" for i in range(6)
        )
        comment = sensors["source"] if side == "top" else ""
        yield f"accelerometer_{side}", "{{\n" + rows + "}}", comment


def generate():
    """Return the text of fr3.cpp."""
    robot = json.loads(SOURCE.read_text())
    lines = [
        "// What an FR3 is, as one constant. Must hold numbers only.",
        "// Generated from src/franka_sim/robots/fr3.json by tools/generate_robot.py, checked by",
        "// tests/unit/test_robot_description.py. Sources by short name: see the json.",
        "#include <string_view>",
        "",
        '#include "robot/model.hpp"',
        "",
        "namespace fsim::robot {",
        "",
        "// clang-format off",
        "constexpr RobotType kFr3{",
    ]
    for member, value, comment in table(robot):
        if comment:
            lines.append(f"    // {comment}")
        lines.append(f"    .{member} = {value},")
    lines += [
        "};",
        "// clang-format on",
        "",
        "const RobotType* find_robot(const char* name) noexcept {",
        "  return name != nullptr && std::string_view(name) == kFr3.name ? &kFr3 : nullptr;",
        "}",
        "",
        "}  // namespace fsim::robot",
        "",
    ]
    return "\n".join(lines)


def main():
    """Write or check the table."""
    text = generate()
    if "--check" in sys.argv[1:]:
        sys.exit(0 if TARGET.read_text() == text else f"{TARGET} is stale: run {sys.argv[0]}")
    TARGET.write_text(text)


if __name__ == "__main__":
    main()
