// The Cartesian side of a unit: inverse kinematics for the judge, the measured-side checks, and
// what of a Cartesian motion is published.
#include "engine/unit_cartesian.hpp"

#include <cmath>

#include "engine/unit.hpp"
#include "judge/robot_solver.hpp"
#include "robot/inverse_kinematics.hpp"
#include "robot/self_collision.hpp"

namespace fsim::engine {

using motion::State;

namespace {

constexpr double kStartSingular = 0.05;

/// Velocity of a frame's origin in O.
Vec3 linear_velocity(const Mat67& J, const Vec7& dq) noexcept {
  Vec3 v{};
  for (std::size_t joint = 0; joint < kJoints; ++joint)
    for (std::size_t row = 0; row < 3; ++row) v[row] += J[joint * 6 + row] * dq[joint];
  return v;
}

}  // namespace

bool singular(const robot::ArmState& arm) noexcept {
  return robot::smallest_singular_value(arm.J_F) <= kStartSingular;
}

bool solve_joints(const void* context, const Mat4& O_T_EE, const judge::Elbow* elbow,
                  const Vec7& q_prev, judge::JointSolution& out) noexcept {
  const Unit& unit = *static_cast<const Unit*>(context);
  return judge::RobotSolver{&unit.type(), unit.configuration().F_T_EE}.solve(O_T_EE, elbow, q_prev,
                                                                             out);
}

judge::Observation Unit::observation() const noexcept {
  return {world_.q, world_.dq, compose(arm_.O_T_F, configuration_.F_T_EE),
          robot::elbow(robot_, world_.q)};
}

judge::Start Unit::start_of_motion() const noexcept {
  return {reference_.q_d,
          compose(robot::flange_pose(robot_, reference_.q_d), configuration_.F_T_EE),
          observation()};
}

Mat4 Unit::commanded_pose() const noexcept {
  if (cartesian() && state_ == State::kMoving) return reference_.cartesian.goal;
  return compose(robot::flange_pose(robot_, reference_.q_d), configuration_.F_T_EE);
}

void Unit::follow_brake() noexcept {
  const judge::CartesianReference before = reference_.cartesian;
  reference_ = brake_.step();
  if (!cartesian()) return;
  judge::CartesianReference& now = reference_.cartesian;
  // A twist motion's poses stay where it started; a pose motion's follow the joints down.
  now.O_T_EE_c =
      spec_.generator == judge::Generator::kCartesianVelocity ? before.O_T_EE_c : commanded_pose();
  now.elbow_c = before.elbow_c;
  now.elbow_commanded = before.elbow_commanded;
}

/// A measured violation with what only the motion knows.
judge::Violation Unit::placed(judge::Violation v) const noexcept {
  v.generator = motion::in_motion(state_) ? spec_.generator : judge::Generator::kNone;
  v.lost_in_last_20 = static_cast<std::uint8_t>(judge_.lost_in_last_20());
  return v;
}

/// The safety controller: what the arm itself may not do, in every mode in which it can move.
void Unit::watch() noexcept {
  judge::Measurement m;
  m.q = world_.q;
  m.dq = world_.dq;
  const Mat4& F_T_EE = configuration_.F_T_EE;
  const Mat4 O_T_EE = compose(arm_.O_T_F, F_T_EE);
  m.O_p_EE = {O_T_EE[12], O_T_EE[13], O_T_EE[14]};
  m.O_v_EE = linear_velocity(robot::shift_jacobian(arm_.J_F, arm_.O_T_F, F_T_EE), world_.dq);
  const robot::Clearance clearance = robot::self_clearance(robot_, arm_.O_T_J);
  m.clearance = clearance.distance;
  m.link_a = static_cast<std::int8_t>(clearance.link_a);
  m.link_b = static_cast<std::int8_t>(clearance.link_b);
  judge::MeasuredRules rules;
  rules.enforce = settings_.rules.enforce_motion_limits;
  const judge::SafetyResult result = judge::judge_measured(m, limits_, rules, published_.next());

  wire::ErrorSet broken;
  for (const judge::Violation& v : result.violations) broken.set(v.error);
  // Stopped for it already: the way back must be open, so it counts again once it is over.
  if (state_ == State::kReflex || state_ == State::kRecovering || state_ == State::kUserStopped) {
    excused_ = broken;
    return;
  }
  excused_ &= broken;
  wire::ErrorSet stop;
  FixedVector<judge::Violation, 8> told;
  for (const judge::Violation& v : result.violations) {
    if (excused_.has(v.error)) continue;
    told.push(placed(v));
    if (v.enforced) stop.set(v.error);
  }
  report(told);
  if (!stop.any()) return;
  errors_ |= stop;
  reflex_reason_ = errors_;
  input(motion::Input::kViolation);
}

/// How far the arm is from what was commanded (Move's maximum deviations).
void Unit::watch_deviation() noexcept {
  const bool ending = state_ == State::kFinishing && still_enough();
  if (spec_.generator == judge::Generator::kNone || (state_ != State::kMoving && !ending)) return;
  const judge::Observation now = observation();
  const double elbow =
      reference_.cartesian.elbow_commanded ? reference_.cartesian.elbow_c[0] : reference_.q_d[2];
  const judge::Deviation actual =
      judge::deviation_of(commanded_pose(), now.O_T_EE, elbow, now.elbow[0]);
  const bool enforce = settings_.rules.enforce_motion_limits;
  const auto violation =
      ending ? judge::judge_goal(actual, maximum_goal_deviation_, enforce, published_.next())
             : judge::judge_path(actual, maximum_path_deviation_, enforce, published_.next());
  if (!violation) return;
  FixedVector<judge::Violation, 8> told;
  told.push(placed(*violation));
  report(told);
  if (violation->enforced) abort(violation->error);
}

void Unit::fill_commanded(wire::RobotState& s) const noexcept {
  // Idle and under a joint generator these follow the arm (reference 000, field table).
  s.O_T_EE_d = s.O_T_EE;
  s.O_T_EE_c = s.O_T_EE;
  s.elbow_d = s.elbow;
  s.elbow_c = s.elbow;
  s.O_dP_EE_d = {};
  s.O_dP_EE_c = {};
  s.O_ddP_EE_c = {};
  s.delbow_c = {};
  s.ddelbow_c = {};
  if (!cartesian() || !motion::in_motion(state_) || state_ == State::kStarting) return;
  const judge::CartesianReference& c = reference_.cartesian;
  s.O_T_EE_d = c.O_T_EE_c;
  s.O_T_EE_c = c.O_T_EE_c;
  s.O_dP_EE_c = c.O_dP_EE_c;
  s.O_ddP_EE_c = c.O_ddP_EE_c;
  if (spec_.generator == judge::Generator::kCartesianVelocity) s.O_dP_EE_d = c.O_dP_EE_c;
  if (!c.elbow_commanded) return;
  s.elbow_c = c.elbow_c;
  // Tolerated it may be, but a client that reads anything but a sign cannot send it back.
  if (std::abs(s.elbow_c[1]) != 1.0) s.elbow_c[1] = s.elbow[1];
  s.elbow_d = s.elbow_c;
  s.delbow_c = c.delbow_c;
  s.ddelbow_c = c.ddelbow_c;
}

}  // namespace fsim::engine
