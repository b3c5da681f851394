"""The internal controllers are as stiff as a libfranka client set them: issue 4, Shows 4.

Without friction (`--realism ideal`), so that a push is held by the spring alone.
"""

from __future__ import annotations

import pytest
from needs import needs

pytestmark = needs("pylibfranka", "pylibfranka")

K_THETA = [3000.0] * 3 + [2500.0] * 2 + [2000.0] * 2
AXES = {"x": 12, "y": 13, "z": 14}


def deflection(serve, run_client, axis, controller, stiffness, force, cycles) -> float:
    """How far the flange is pushed along `axis` [m]."""
    server = serve(realism="ideal")
    push = [force * (name == axis) for name in AXES]
    server.push("EE", force=push, at_motion_cycle=10)
    report = run_client("pylibfranka_contact", server.host, "yields",
                        controller=controller, stiffness=stiffness, cycles=cycles)  # fmt: skip
    assert not server.violations
    assert max(map(abs, report["pushed"]["dq"])) < 2e-3
    place = AXES[axis]
    return report["pushed"]["O_T_EE"][place] - report["before"]["O_T_EE"][place]


@pytest.mark.parametrize("axis", AXES)
def test_half_of_K_theta_doubles_the_deflection_under_10_N(serve, run_client, axis):
    moved = [
        deflection(serve, run_client, axis, "joint", [share * k for k in K_THETA], 10.0, 1500)
        for share in (1.0, 0.5)
    ]
    assert moved[0] > 1e-4
    assert moved[1] / moved[0] == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize(
    ("K_x", "force", "cycles"), [(3000.0, 10.0, 1500), (400.0, 10.0, 4000), (20.0, 0.3, 16000)]
)
def test_half_of_K_x_doubles_the_deflection(serve, run_client, axis, K_x, force, cycles):
    """From the stiffest to the softest spring that is accepted: both are stable."""
    moved = [
        deflection(serve, run_client, axis, "cartesian",
                   [k, k, k, k / 10, k / 10, k / 10], force, cycles)
        for k in (K_x, K_x / 2)
    ]  # fmt: skip
    assert moved[0] == pytest.approx(force / K_x, rel=0.1)
    assert moved[1] / moved[0] == pytest.approx(2.0, rel=0.1)


@pytest.mark.parametrize("K_z", [200.0, 400.0])
def test_a_peg_is_pressed_on_with_the_force_that_the_stiffness_implies(
    serve, run_client, tmp_path, K_z
):
    """A post under the flange; the client asks for 5 cm through its top."""
    scene = tmp_path / "post.xml"
    scene.write_text(
        """<mujoco><worldbody>
        <geom name="post" type="capsule" fromto="0.3069 0 0.3 0.3069 0 0.52" size="0.02"/>
        </worldbody></mujoco>"""
    )
    server = serve(realism="ideal", scene=str(scene))
    report = run_client("pylibfranka_contact", server.host, "press",
                        stiffness=[1000.0, 1000.0, K_z, 100.0, 100.0, 100.0],
                        depth=0.08, seconds=1.5, cycles=1500)  # fmt: skip
    assert not server.violations
    pressing = report["pressing"]
    through = pressing["O_T_EE"][14] - pressing["O_T_EE_c"][14]
    assert through > 0.02
    # The robot presses down.
    assert pressing["O_F_ext_hat_K"][2] == pytest.approx(-K_z * through, rel=0.05)
    assert pressing["cartesian_contact"] == [0.0] * 6
    assert report["after"]["O_F_ext_hat_K"] == pytest.approx([0.0] * 6, abs=0.1)
