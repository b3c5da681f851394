"""Motions of one second through libfranka's own filter and limiter, live, in lockstep, `--strict`.

Issue 3, Show 1: what a client with limit_rate = true sends is computed by libfranka's functions, in
its shared library, from each state that the server publishes (wire.md 6). tests/properties/
test_limited_motions.py judges a thousand more offline.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from cartesian import minimum_jerk
from limited_motions import CENTRE, ELBOW_START, KINDS, about, braking_from, signal
from needs import needs
from raw_client import Played, RawClient

from franka_sim import offline
from franka_sim import rate_limiting as rl

pytestmark = needs("pylibfranka", "pylibfranka")
SECOND, DT = 1000, 1e-3
MOTIONS = {"joint-position": 6, "joint-velocity": 6, "torque": 6, "elbow": 6,
           "cartesian-pose": 16, "cartesian-velocity": 16}  # fmt: skip
MODES = {
    "joint-position": ("kJointPosition", "kJointImpedance"),
    "joint-velocity": ("kJointVelocity", "kJointImpedance"),
    "torque": ("kNone", "kExternalController"),
    "elbow": ("kCartesianPosition", "kJointImpedance"),
    "cartesian-pose": ("kCartesianPosition", "kJointImpedance"),
    "cartesian-velocity": ("kCartesianVelocity", "kCartesianImpedance"),
}
SIZES = {"joint-position": 0.05, "joint-velocity": 0.5, "torque": 2.0, "elbow": 0.1,
         "cartesian-pose": 0.03, "cartesian-velocity": 0.1}  # fmt: skip
JOINT_SIDE = {
    "cartesian_motion_generator_joint_velocity_discontinuity",
    "cartesian_motion_generator_joint_acceleration_discontinuity",
}
FR3 = rl.fr3
JOINTS = ([FR3.MAX_JOINT_ACCELERATION[0]] * 7, [FR3.MAX_JOINT_JERK[0]] * 7)
CARTESIAN = (
    FR3.MAX_TRANSLATIONAL_VELOCITY, FR3.MAX_TRANSLATIONAL_ACCELERATION,
    FR3.MAX_TRANSLATIONAL_JERK, FR3.MAX_ROTATIONAL_VELOCITY,
    FR3.MAX_ROTATIONAL_ACCELERATION, FR3.MAX_ROTATIONAL_JERK,
)  # fmt: skip
ELBOW = (
    FR3.MAX_ELBOW_VELOCITY, FR3.MIN_ELBOW_VELOCITY, FR3.MAX_ELBOW_ACCELERATION, FR3.MAX_ELBOW_JERK,
)  # fmt: skip
#: Holds an arm that the torques of a test push about [Nm/rad, Nm s/rad], chosen.
STIFFNESS = np.array([300.0, 300, 300, 300, 60, 60, 20])
DAMPING = np.array([30.0, 30, 30, 30, 6, 6, 2])


class LimitedClient:
    """Answers each state with what libfranka makes of a wish; keeps what was sent."""

    def __init__(self, raw: RawClient, libfranka, interface: str, cutoff: float) -> None:
        self.raw, self.libfranka, self.cutoff = raw, libfranka, cutoff
        self.command = getattr(self, "_" + interface.replace("-", "_"))
        self.sent: list[list[float]] = []
        self.start = raw.start(*MODES[interface])

    def filtered(self, wish, last) -> list[float]:
        if self.cutoff >= 1000.0:
            return list(wish)
        low = self.libfranka.lowpass_filter
        return [low(DT, a, b, self.cutoff) for a, b in zip(wish, last, strict=True)]

    def play(self, wishes: np.ndarray) -> Played:
        return self.raw.play(self._samples(wishes))

    def _samples(self, wishes: np.ndarray) -> Iterator[dict]:
        for wish in wishes:
            yield self.command(wish)

    def _joint_position(self, wish) -> dict:
        s = self.raw.state
        bounds = (FR3.JOINT_VELOCITY_LIMITS.upper_limits(s.q_d).tolist(),
                  FR3.JOINT_VELOCITY_LIMITS.lower_limits(s.q_d).tolist())  # fmt: skip
        q = self.libfranka.limit_rate_joint_positions(
            *bounds, *JOINTS, self.filtered(wish, s.q_d), s.q_d, s.dq_d, s.ddq_d
        )
        self.sent.append(q)
        return {"q_c": q}

    def _joint_velocity(self, wish) -> dict:
        s = self.raw.state
        # Drawn back to the middle, or a walk would end at a stop.
        wish = wish + 2.0 * (CENTRE - s.q_d)
        bounds = (FR3.JOINT_VELOCITY_LIMITS.upper_limits(s.q_d).tolist(),
                  FR3.JOINT_VELOCITY_LIMITS.lower_limits(s.q_d).tolist())  # fmt: skip
        dq = self.libfranka.limit_rate_joint_velocities(
            *bounds, *JOINTS, self.filtered(wish, s.dq_d), s.dq_d, s.ddq_d
        )
        self.sent.append(dq)
        return {"dq_c": dq}

    def _torque(self, wish) -> dict:
        s = self.raw.state
        wish = wish + STIFFNESS * (np.array(self.start.q_d) - s.q) - DAMPING * s.dq
        tau = self.libfranka.limit_rate_torques(
            FR3.MAX_TORQUE_RATE, self.filtered(wish, s.tau_J_d), s.tau_J_d
        )
        self.sent.append(tau)
        return {"tau_J_d": tau}

    def _elbow(self, wish) -> dict:
        s = self.raw.state
        (angle,) = self.filtered([self.start.q_d[2] + wish[0]], [s.elbow_c[0]])
        angle = self.libfranka.limit_rate_position(
            *ELBOW, angle, s.elbow_c[0], s.delbow_c[0], s.ddelbow_c[0]
        )
        self.sent.append([angle, self.start.elbow[1]])
        return {"O_T_EE_c": self.start.O_T_EE_d, "elbow_c": self.sent[-1], "valid_elbow": True}

    def _cartesian_pose(self, wish) -> dict:
        s = self.raw.state
        pose = wish.tolist()
        if self.cutoff < 1000.0:
            pose = self.libfranka.cartesian_lowpass_filter(DT, pose, s.O_T_EE_c, self.cutoff)
        pose = self.libfranka.limit_rate_cartesian_pose(
            *CARTESIAN, pose, s.O_T_EE_c, s.O_dP_EE_c, s.O_ddP_EE_c
        )
        self.sent.append(pose)
        return {"O_T_EE_c": pose}

    def _cartesian_velocity(self, wish) -> dict:
        s = self.raw.state
        twist = self.libfranka.limit_rate_cartesian_velocity(
            *CARTESIAN, self.filtered(wish, s.O_dP_EE_c), s.O_dP_EE_c, s.O_ddP_EE_c
        )
        self.sent.append(twist)
        return {"O_dP_EE_c": twist}


@pytest.fixture(scope="module")
def libfranka():
    from libfranka_limits import LibfrankaLimits

    return LibfrankaLimits()


def go_to(raw: RawClient, q: np.ndarray) -> None:
    """From rest to rest, 1 rad/s at most; nothing where the arm is near enough."""
    state = raw.newest_state()
    way = q - np.array(state.q_d)
    if np.abs(way).max() < 0.02:
        return
    start = np.array(raw.start("kJointPosition", "kJointImpedance").q_d)
    seconds = max(0.4, 1.9 * float(np.abs(way).max()))
    samples = (start + np.outer(minimum_jerk(seconds), q - start)).tolist()
    assert raw.play({"q_c": row} for row in samples).status is None
    assert raw.finish(q_c=samples[-1]) == "kSuccess"


def wishes_of(client_start, interface: str, kind: str, n: int) -> np.ndarray:
    random = np.random.default_rng([KINDS.index(kind), n, len(interface)])
    width = {"elbow": 1, "cartesian-pose": 6, "cartesian-velocity": 6}.get(interface, 7)
    size = SIZES[interface] * 10 ** random.uniform(-2.5, 0.5)
    wishes = signal(random, kind, size, width, SECOND)
    if interface == "joint-position":
        return CENTRE + np.clip(wishes, -0.1, 0.1)  # slower than 3 m/s at the flange
    if interface == "torque":
        return np.clip(wishes, -3.0, 3.0)
    if interface == "elbow":
        return np.clip(wishes, -0.2, 0.2)
    if interface == "cartesian-pose":
        return about(np.array(client_start.O_T_EE_d), wishes)
    return wishes


def predicted(interface: str, client: LimitedClient):
    """What the offline judge says about what was sent."""
    samples, elbows = np.array(client.sent), None
    if interface == "elbow":
        samples, elbows = np.tile(client.start.O_T_EE_d, (len(samples), 1)), samples
    generator = "cartesian-pose" if interface == "elbow" else interface
    lost = np.zeros(len(samples), bool)
    return offline.judge(
        offline.Trajectory(generator, samples, elbows, lost),
        start=client.start.q_d,
        find_slowdown=False,
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("interface", MOTIONS)
def test_what_libfranka_limits_raises_what_the_offline_judge_says(
    serve, libfranka, interface, kind
):
    """Joints outside their braking zones, torques and elbows nothing; poses and twists 29, 30."""
    server = serve(spin=50)
    with RawClient(server.host) as raw:
        ended = 0
        for n in range(MOTIONS[interface]):
            go_to(raw, ELBOW_START if interface == "elbow" else CENTRE)
            client = LimitedClient(raw, libfranka, interface, (1000.0, 100.0)[n % 2])
            played = client.play(wishes_of(client.start, interface, kind, n))
            sent = np.array(client.sent)
            if played.status is None:
                ended += 1
                judged = predicted(interface, client)
                assert judged.violations == ()
                raw.stop_move()
                assert raw.terminal_status() == "kPreempted"
                continue
            judged = predicted(interface, client)
            assert set(played.errors) == set(judged.errors)
            assert played.answered - 1 == judged.violations[0].sample
            if interface.startswith("cartesian"):
                assert set(played.errors) <= JOINT_SIDE
            else:
                assert interface.startswith("joint")
                path = sent if interface == "joint-position" else CENTRE + np.cumsum(sent, 0) * DT
                assert braking_from(path) < played.answered
            assert raw.automatic_error_recovery() == "kSuccess"
    if not interface.startswith("cartesian"):
        assert ended >= MOTIONS[interface] // 2


FIELDS = {"joint-position": "q_c", "joint-velocity": "dq_c", "torque": "tau_J_d",
          "cartesian-pose": "O_T_EE_c", "cartesian-velocity": "O_dP_EE_c"}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("interface", MOTIONS)
def test_the_same_unlimited_raise_what_the_offline_judge_says(server, libfranka, interface, kind):
    """Its names are held to the reference's table in tests/properties/test_limited_motions.py."""
    with RawClient(server.host) as raw:
        refused = 0
        for n in range(3):
            go_to(raw, ELBOW_START if interface == "elbow" else CENTRE)
            client = LimitedClient(raw, libfranka, interface, 1000.0)
            wishes = wishes_of(client.start, interface, kind, n)[:100]
            if interface == "torque":
                wishes *= 10.0
            if interface == "elbow":
                q3, branch = client.start.elbow_c
                client.sent = [[q3 + x, branch] for x in wishes[:, 0].tolist()]
                hold = {"O_T_EE_c": client.start.O_T_EE_d, "valid_elbow": True}
                played = raw.play({**hold, "elbow_c": elbow} for elbow in client.sent)
            else:
                client.sent = wishes.tolist()
                played = raw.play({FIELDS[interface]: row} for row in client.sent)
            judged = predicted(interface, client)
            assert set(played.errors) == set(judged.errors)
            if played.status is None:
                raw.stop_move()
                raw.terminal_status()
                continue
            refused += 1
            assert played.answered - 1 == judged.violations[0].sample
            assert raw.automatic_error_recovery() == "kSuccess"
        assert refused > 0
