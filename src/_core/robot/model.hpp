// Kinematics and rigid-body dynamics of one 7-joint arm: what the controller side believes.
// Must not know bytes or MuJoCo; the plant has its own truth.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "robot/limits.hpp"

namespace fsim::robot {

/// One link: mass [kg], centre of mass in the link frame [m], inertia about the centre of mass in
/// link axes [kg m^2] as ixx ixy ixz iyy iyz izz.
struct LinkInertia {
  double mass;
  Vec3 com;
  std::array<double, 6> inertia;
};

enum class ShapeKind : std::uint8_t { kCapsule, kCylinder, kBox };

/// One solid fitted to a link's hull, in the link's frame (link i moves with joint i, link 0 with
/// O). Capsule and cylinder: axis from `a` to `b` and radius; box: centre `a`, half sizes `b`. [m]
struct Shape {
  std::uint8_t link;
  ShapeKind kind;
  Vec3 a;
  Vec3 b;
  double radius;
};
inline constexpr std::size_t kShapes = 22;
inline constexpr std::size_t kLinks = kJoints + 1;
/// Links 0 to 5 carry accelerometers, on the boards of joints 1 to 6.
inline constexpr std::size_t kSensedLinks = 6;

/// Everything the core knows of one robot type; `kFr3` in fr3.cpp is generated from fr3.json.
struct RobotType {
  const char* name;
  std::array<Mat4, kJoints> joint_origin;  ///< joint i's frame at q = 0 in its parent link; axis +z
  Mat4 flange_origin;                      ///< flange (link8) in link7
  std::array<LinkInertia, kJoints> links;
  std::array<Shape, kShapes> shapes;           ///< ordered by link
  std::array<double, kLinks> hull_protrusion;  ///< how far a hull stands out of its shapes [m]
  JointLimits limits;
  CartesianLimits cartesian;
  Vec7 armature;          ///< reflected motor inertia left after the robot's inner loop [kg m^2]
  Vec7 coulomb;           ///< joint friction [Nm]
  Vec7 viscous;           ///< [Nm s/rad]
  Vec7 K_joint;           ///< joint elasticity [Nm/rad]: theta = q + tau_J / K_joint
  double elbow_flip_q4;   ///< elbow[1] = sign(q4 - elbow_flip_q4) [rad]
  Vec7 q_ready;           ///< [rad]
  Vec7 K_theta;           ///< joint impedance at power-on [Nm/rad]
  Vec6 K_x;               ///< Cartesian impedance at power-on [N/m, Nm/rad]
  Vec7 collision_torque;  ///< contact and collision threshold at power-on [Nm]
  Vec6 collision_force;   ///< the same in Cartesian axes [N, Nm]
  std::array<Mat4, kSensedLinks> accelerometer_top;  ///< sensor axes in the link's frame
  std::array<Mat4, kSensedLinks> accelerometer_bottom;
};

extern const RobotType kFr3;
/// Null when no robot of that name is built in.
const RobotType* find_robot(const char* name) noexcept;

/// A rigid body fixed to the flange: mass [kg], centre in the flange frame [m], inertia about its
/// centre in flange axes, column-major [kg m^2].
struct Load {
  double mass = 0;
  Vec3 F_x_C{};
  Mat3 I{};
};

/// libfranka's combination of end effector and load (robot-model.md section 6): masses add, the
/// centre is the weighted mean, inertias by the parallel axis theorem; zero mass adds nothing.
Load combine(const Load& ee, const Load& load) noexcept;

/// Gravity of a table-mounted arm in O [m/s^2] (robot-model.md 5).
inline constexpr Vec3 kTableGravity{0, 0, -9.81};

/// Everything the cycle needs of the arm at one (q, dq). All in base frame O.
struct ArmState {
  std::array<Mat4, kJoints> O_T_J;  ///< joint frames 1..7
  Mat4 O_T_F;                       ///< flange
  Mat67 J_F;                        ///< zero Jacobian of the flange: 3 linear rows, 3 angular
  Mat77 M;                          ///< link-side mass matrix, no armature
  Vec7 coriolis;                    ///< C(q, dq) dq [Nm]
  Vec7 gravity;                     ///< [Nm], for the given gravity vector
};

/// Forward kinematics of the flange only.
Mat4 flange_pose(const RobotType& robot, const Vec7& q) noexcept;
/// Fill `out` for the arm with `load` (total of ee and load) at the flange; `g` is the gravity
/// acceleration in O, (0, 0, -9.81) for a table-mounted arm.
void evaluate(const RobotType& robot, const Vec7& q, const Vec7& dq, const Load& load,
              const Vec3& g, ArmState& out) noexcept;
/// Joint torques for (q, dq, ddq) with `load` [Nm]: recursive Newton-Euler.
Vec7 inverse_dynamics(const RobotType& robot, const Vec7& q, const Vec7& dq, const Vec7& ddq,
                      const Load& load, const Vec3& g) noexcept;

/// Zero Jacobian moved from the flange to a frame fixed to it at `F_T_X` (same O axes).
Mat67 shift_jacobian(const Mat67& J_F, const Mat4& O_T_F, const Mat4& F_T_X) noexcept;

/// {q3, sign(q4 - flip)}; the branch is never 0 (a client refuses to send it back).
std::array<double, 2> elbow(const RobotType& robot, const Vec7& q) noexcept;

}  // namespace fsim::robot
