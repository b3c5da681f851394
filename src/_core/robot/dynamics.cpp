// Rigid-body dynamics of the arm with a load at the flange: composite bodies for the mass matrix
// and gravity, Newton-Euler for velocity and acceleration. Must not know motors or friction.
#include "base/transforms.hpp"
#include "robot/kinematics.hpp"
#include "robot/model.hpp"
#include "robot/spatial.hpp"

namespace fsim::robot {
namespace {

using spatial::Force;
using spatial::Inertia;
using spatial::Motion;

/// The arm at one q, everything about O.
struct Chain {
  std::array<Motion, kJoints> axis;   ///< motion of the arm per unit joint velocity
  std::array<Inertia, kJoints> body;  ///< one link each; the load is part of the last
};

Chain place_chain(const RobotType& robot, const std::array<Mat4, kJoints>& O_T_J, const Mat4& O_T_F,
                  const Load& load) noexcept {
  using namespace spatial;
  Chain chain;
  for (std::size_t i = 0; i < kJoints; ++i) {
    const Vec3 z = axis_z(O_T_J[i]);
    chain.axis[i] = {z, cross(position(O_T_J[i]), z)};
    const LinkInertia& link = robot.links[i];
    chain.body[i] = place(O_T_J[i], link.mass, link.com, link.inertia);
  }
  // The load's tensor may arrive asymmetric by rounding on the wire: use its symmetric part.
  const Mat3& I = load.I;
  chain.body[kJoints - 1] =
      chain.body[kJoints - 1] +
      place(O_T_F, load.mass, load.F_x_C,
            {I[0], (I[1] + I[3]) / 2, (I[2] + I[6]) / 2, I[4], (I[5] + I[7]) / 2, I[8]});
  return chain;
}

/// Recursive Newton-Euler: out along the chain with motion, back with force.
Vec7 newton_euler(const Chain& chain, const Vec7& dq, const Vec7& ddq, const Vec3& g) noexcept {
  using namespace spatial;
  std::array<Force, kJoints> force;
  Motion v{};
  // Gravity as an acceleration of the base the other way.
  Motion a{{}, -1.0 * g};
  for (std::size_t i = 0; i < kJoints; ++i) {
    const Motion& S = chain.axis[i];
    v = v + dq[i] * S;
    a = a + ddq[i] * S + dq[i] * cross(v, S);
    force[i] = chain.body[i] * a + cross(v, chain.body[i] * v);
  }
  Vec7 tau;
  Force total{};
  for (std::size_t i = kJoints; i-- > 0;) {
    total = total + force[i];
    tau[i] = dot(chain.axis[i], total);
  }
  return tau;
}

}  // namespace

void evaluate(const RobotType& robot, const Vec7& q, const Vec7& dq, const Load& load,
              const Vec3& g, ArmState& out) noexcept {
  using namespace spatial;
  joint_frames(robot, q, out.O_T_J);
  out.O_T_F = compose(out.O_T_J[kJoints - 1], robot.flange_origin);
  out.J_F = flange_jacobian(out.O_T_J, out.O_T_F);
  const Chain chain = place_chain(robot, out.O_T_J, out.O_T_F, load);

  // Mass matrix: what joint j moves is the composite of all links from j on.
  Inertia composite{};
  for (std::size_t j = kJoints; j-- > 0;) {
    composite = composite + chain.body[j];
    const Force momentum = composite * chain.axis[j];
    for (std::size_t i = 0; i <= j; ++i)
      out.M[j * kJoints + i] = out.M[i * kJoints + j] = dot(chain.axis[i], momentum);
    // The joint carries the composite's weight.
    const Force weight{cross(composite.moment, g), composite.mass * g};
    out.gravity[j] = -dot(chain.axis[j], weight);
  }
  out.coriolis = newton_euler(chain, dq, Vec7{}, Vec3{});
}

Vec7 inverse_dynamics(const RobotType& robot, const Vec7& q, const Vec7& dq, const Vec7& ddq,
                      const Load& load, const Vec3& g) noexcept {
  std::array<Mat4, kJoints> O_T_J;
  joint_frames(robot, q, O_T_J);
  const Mat4 O_T_F = compose(O_T_J[kJoints - 1], robot.flange_origin);
  return newton_euler(place_chain(robot, O_T_J, O_T_F, load), dq, ddq, g);
}

}  // namespace fsim::robot
