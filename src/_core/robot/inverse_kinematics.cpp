// Damped Newton on the flange pose. Must not clip to joint limits: a pose that needs more than the
// arm has is judged by its joint trajectory.
#include "robot/inverse_kinematics.hpp"

#include <algorithm>
#include <cmath>

#include "base/rotation.hpp"
#include "base/transforms.hpp"
#include "robot/inverse_kinematics_math.hpp"
#include "robot/kinematics.hpp"
#include "robot/spatial.hpp"

namespace fsim::robot {
namespace {

using namespace spatial;

/// Index of the joint whose angle is the elbow's.
constexpr std::size_t kElbowJoint = 2;
/// The search goes on to here, well inside kIkTolerance, so that third differences of q stay clean:
/// chosen, 1e-12 / (1 ms)³ is 1e-3 rad/s³.
constexpr double kStop = 1e-12;
/// Damping per squared pose error: none at the solution, so convergence stays quadratic; enough far
/// away that steps at a small singular value stay bounded. Chosen.
constexpr double kDamping = 0.05;
/// Longest step of one joint in one iteration [rad]: chosen, the linear model still points the
/// right way.
constexpr double kLongestStep = 0.4;
/// Keeps J Jᵀ positive definite when it is singular to the last bit. Chosen near its rounding.
constexpr double kFloor = 1e-14;

double norm(const Vec3& a) noexcept { return std::sqrt(dot(a, a)); }

/// The wrist (where axes 5 and 6 meet) lies on a circle about the flange axis; some of it must be
/// no further from the shoulder than upper arm and forearm are long. (The hollow about the shoulder
/// is smaller than the circle: no pose falls into it.) True unless out of reach for certain. Every
/// Franka arm is built so.
bool within_reach(const RobotType& robot, const Mat4& O_T_F) noexcept {
  // A client's frame may be off orthonormal by 1e-5 (wire.md 3.2), at 0.107 m.
  constexpr double slack = 2e-6;
  const double upper_arm =
      std::hypot(norm(position(robot.joint_origin[2])), norm(position(robot.joint_origin[3])));
  const double forearm = norm(position(robot.joint_origin[4]));
  const double circle = norm(position(robot.joint_origin[6]));
  const Vec3 axis = axis_z(O_T_F);
  const Vec3 centre = position(O_T_F) - norm(position(robot.flange_origin)) * axis;
  const Vec3 to_shoulder = position(robot.joint_origin[0]) - centre;
  const double along = dot(to_shoulder, axis);
  const double across = norm(to_shoulder - along * axis);
  return std::hypot(along, across - circle) <= upper_arm + forearm + slack;
}

bool is_finite(const Mat4& T) noexcept {
  for (const double x : T)
    if (!std::isfinite(x)) return false;
  return true;
}

/// What is left to the pose; `size` mixes metres and radians and bounds both.
struct Residual {
  Vec3 linear;
  Vec3 angular;
  double size;
};

Residual residual(const Mat4& from, const Mat4& to) noexcept {
  Residual e{position(to) - position(from), rotation_between(from, to), 0};
  e.size = std::sqrt(dot(e.linear, e.linear) + dot(e.angular, e.angular));
  return e;
}

/// Damped minimum-norm step. With an elbow, joint 3 goes to its target and the other six follow.
Vec7 newton_step(Mat67 J, const Residual& e, double q3_step, bool elbow) noexcept {
  Vec6 b{e.linear[0], e.linear[1], e.linear[2], e.angular[0], e.angular[1], e.angular[2]};
  if (elbow)
    for (std::size_t k = 0; k < 6; ++k) {
      b[k] -= J[6 * kElbowJoint + k] * q3_step;
      J[6 * kElbowJoint + k] = 0;
    }
  const ik::Mat66 A = ik::gram(J, kDamping * e.size * e.size + kFloor);
  Vec7 step = ik::transpose_times(J, ik::solve(ik::factor(A), b));
  if (elbow) step[kElbowJoint] = q3_step;
  return step;
}

/// Longest component.
double longest(const Vec7& v) noexcept {
  double most = 0;
  for (const double x : v) most = std::max(most, std::abs(x));
  return most;
}

IkStatus why_not(Mat67 J, bool elbow) noexcept {
  if (elbow)
    for (std::size_t k = 0; k < 6; ++k) J[6 * kElbowJoint + k] = 0;
  return smallest_singular_value(J) < kIkSingular ? IkStatus::kSingular : IkStatus::kNoSolution;
}

/// Follow the pose from `q_prev`; `q3` is null when the elbow is free.
IkSolution follow(const RobotType& robot, const Mat4& O_T_F, const Vec7& q_prev,
                  const double* q3) noexcept {
  if (!is_finite(O_T_F)) return {IkStatus::kNoSolution, q_prev, 0};
  if (!within_reach(robot, O_T_F)) return {IkStatus::kOutOfReach, q_prev, 0};
  Vec7 q = q_prev;
  std::array<Mat4, kJoints> O_T_J;
  for (int n = 0;; ++n) {
    joint_frames(robot, q, O_T_J);
    const Mat4 reached = compose(O_T_J[kJoints - 1], robot.flange_origin);
    const Residual e = residual(reached, O_T_F);
    const double q3_step = q3 != nullptr ? *q3 - q[kElbowJoint] : 0.0;
    if (e.size <= kStop && q3_step == 0) return {IkStatus::kConverged, q, n};
    if (n == kIkMaxIterations) {
      if (e.size <= kIkTolerance && q3_step == 0) return {IkStatus::kConverged, q, n};
      return {why_not(flange_jacobian(O_T_J, reached), q3 != nullptr), q_prev, n};
    }
    Vec7 step = newton_step(flange_jacobian(O_T_J, reached), e, q3_step, q3 != nullptr);
    const double scale = std::min(1.0, kLongestStep / longest(step));
    for (std::size_t i = 0; i < kJoints; ++i) q[i] += scale * step[i];
    if (q3 != nullptr && scale == 1.0) q[kElbowJoint] = *q3;
  }
}

/// Refuse what would be a jump.
IkSolution guarded(const RobotType& robot, const Vec7& q_prev, double branch,
                   IkSolution found) noexcept {
  if (found.status != IkStatus::kConverged) return found;
  Vec7 moved;
  for (std::size_t i = 0; i < kJoints; ++i) moved[i] = found.q[i] - q_prev[i];
  if (!(longest(moved) <= kIkMaxStep)) found.status = IkStatus::kTooFar;
  if (elbow(robot, found.q)[1] != branch) found.status = IkStatus::kBranchFlip;
  if (found.status != IkStatus::kConverged) found.q = q_prev;
  return found;
}

}  // namespace

IkSolution solve_ik(const RobotType& robot, const Mat4& O_T_F, const Vec7& q_prev) noexcept {
  return guarded(robot, q_prev, elbow(robot, q_prev)[1], follow(robot, O_T_F, q_prev, nullptr));
}

IkSolution solve_ik(const RobotType& robot, const Mat4& O_T_F, const Vec7& q_prev,
                    const ElbowTarget& target) noexcept {
  return guarded(robot, q_prev, target.branch, follow(robot, O_T_F, q_prev, &target.q3));
}

double smallest_singular_value(const Mat67& J) noexcept {
  // Inverse of J Jᵀ, squared until its largest eigenvector alone is left (power 64): within 1 %
  // even where the two smallest values nearly coincide, and no starting vector that could be
  // unlucky.
  const ik::Mat66 L = ik::factor(ik::gram(J, kFloor));
  ik::Mat66 B;
  for (std::size_t k = 0; k < 6; ++k) {
    Vec6 unit{};
    unit[k] = 1;
    B[k] = ik::solve(L, unit);
  }
  for (int round = 0; round < 6; ++round) {
    double trace = 0;
    for (std::size_t k = 0; k < 6; ++k) trace += B[k][k];
    ik::Mat66 square;
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t c = 0; c <= r; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < 6; ++k) sum += B[r][k] * B[c][k];
        square[r][c] = square[c][r] = sum / (trace * trace);
      }
    B = square;
  }
  std::size_t largest = 0;
  for (std::size_t k = 1; k < 6; ++k)
    if (B[k][k] > B[largest][largest]) largest = k;
  // |Jᵀ v| / |v|.
  const Vec6& v = B[largest];
  double vv = 0, yy = 0;
  for (const double x : v) vv += x * x;
  for (const double y : ik::transpose_times(J, v)) yy += y * y;
  return std::sqrt(yy / vv);
}

IkGain ik_gain(const Mat67& J, bool elbow_prescribed) noexcept {
  Mat67 free = J;
  if (elbow_prescribed) std::fill_n(free.begin() + 6 * kElbowJoint, 6, 0.0);
  const ik::Mat66 L = ik::factor(ik::gram(free, kFloor));
  IkGain gain{};
  for (std::size_t i = 0; i < kJoints; ++i) {
    // Row i of Jᵀ (J Jᵀ)⁻¹.
    Vec6 row;
    for (std::size_t k = 0; k < 6; ++k) row[k] = free[6 * i + k];
    row = ik::solve(L, row);
    gain.per_metre[i] = norm({row[0], row[1], row[2]});
    gain.per_radian[i] = norm({row[3], row[4], row[5]});
    // With the pose held, the other six undo what joint 3 does.
    double follow_q3 = 0;
    for (std::size_t k = 0; k < 6; ++k) follow_q3 += row[k] * J[6 * kElbowJoint + k];
    gain.per_elbow[i] = elbow_prescribed ? std::abs(follow_q3) : 0.0;
  }
  if (elbow_prescribed) gain.per_elbow[kElbowJoint] = 1;
  return gain;
}

Mat4 remove_end_effector(const Mat4& O_T_EE, const Mat4& F_T_EE) noexcept {
  // Inverse of the 3x3 block by cross products of its columns.
  const Vec3 x{F_T_EE[0], F_T_EE[1], F_T_EE[2]}, y{F_T_EE[4], F_T_EE[5], F_T_EE[6]},
      z{F_T_EE[8], F_T_EE[9], F_T_EE[10]};
  const double scale = 1 / dot(x, cross(y, z));
  const Vec3 rows[3] = {scale * cross(y, z), scale * cross(z, x), scale * cross(x, y)};
  Mat4 inverse = kIdentity4;
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) inverse[4 * c + r] = rows[r][c];
    inverse[12 + r] = -dot(rows[r], position(F_T_EE));
  }
  return compose(O_T_EE, inverse);
}

}  // namespace fsim::robot
