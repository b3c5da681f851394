// The elbow of a Cartesian command: joint 3's angle and the branch of joint 4. Must not know which
// generator carries it.
#include <algorithm>
#include <cmath>

#include "judge/cartesian.hpp"

namespace fsim::judge {
namespace {

constexpr std::size_t kElbowJoint = 2;  // elbow[0] is joint 3's angle (reference 000, row 17)

}  // namespace

void imply_elbow(const CartesianReference& prev, const wire::RobotCommand& command, double dt,
                 Phase phase, CartesianReference& next) FSIM_NONBLOCKING {
  next.elbow_commanded = command.valid_elbow;
  next.delbow_c = next.ddelbow_c = {};
  if (!command.valid_elbow) return;
  next.elbow_c = command.elbow_c;
  // The first elbow says where it is (C3); so do the two after a hold.
  if (!prev.elbow_commanded || phase == Phase::kOpening || phase == Phase::kReseedFirst) return;
  next.delbow_c[0] = (command.elbow_c[0] - prev.elbow_c[0]) / dt;
  if (phase == Phase::kReseedSecond) return;
  next.ddelbow_c[0] = (next.delbow_c[0] - prev.delbow_c[0]) / dt;
}

std::array<double, 4> elbow_slacks(const Sample& s, const Rules& rules) noexcept {
  const CartesianReference& p = s.prev.cartesian;
  if (!s.next.cartesian.elbow_commanded || !rules.f32_state) return {};
  std::array<double, 4> slack{};
  slack[0] = slack_of(p.elbow_c[0], rules);
  slack[1] = slack[0] / s.dt + slack_of(p.delbow_c[0], rules);
  slack[2] = slack[1] / s.dt + slack_of(p.ddelbow_c[0], rules);
  slack[3] = slack[2] / s.dt;
  return slack;
}

std::optional<Breach> judge_elbow_finite(const Sample& s, const ElbowRows& rows) noexcept {
  const CartesianReference& c = s.next.cartesian;
  if (!c.elbow_commanded) return {};
  for (const double x : {c.elbow_c[0], c.elbow_c[1], c.ddelbow_c[0]})
    if (!std::isfinite(x)) return Breach{rows.finite, -1, x, 0, 0, Axis::kElbow};
  return {};
}

std::optional<Breach> judge_elbow_start(const Sample& s, const ElbowRows& rows,
                                        const Slacks& slacks, const Rules& rules) noexcept {
  const CartesianReference& p = s.prev.cartesian;
  const CartesianReference& c = s.next.cartesian;
  const Phase phase = elbow_phase(s);
  if (!c.elbow_commanded || (phase != Phase::kOpening && phase != Phase::kReseedFirst)) return {};
  const double away = c.elbow_c[0] - p.elbow_c[0];
  if (std::abs(away) > rules.start_elbow_tolerance + slacks.elbow[0])
    return Breach{rows.start,
                  -1,
                  away,
                  rules.start_elbow_tolerance,
                  std::abs(away) - rules.start_elbow_tolerance,
                  Axis::kElbow};
  if (phase == Phase::kOpening && c.elbow_c[1] != p.elbow_c[1])
    return Breach{
        rows.start_sign, -1, c.elbow_c[1], p.elbow_c[1], std::abs(c.elbow_c[1] - p.elbow_c[1]),
        Axis::kElbow};
  return {};
}

std::optional<Breach> judge_elbow_sign(const Sample& s, const ElbowRows& rows) noexcept {
  const double before = s.prev.cartesian.elbow_c[1];
  const double now = s.next.cartesian.elbow_c[1];
  if (!s.next.cartesian.elbow_commanded || elbow_phase(s) == Phase::kOpening || now == before)
    return {};
  return Breach{rows.sign, -1, now, before, std::abs(now - before), Axis::kElbow};
}

std::optional<Breach> judge_elbow_motion(const Sample& s, const ElbowRows& rows,
                                         const Slacks& slacks, const Limits& limits,
                                         const Rules& rules) noexcept {
  const CartesianReference& p = s.prev.cartesian;
  const CartesianReference& c = s.next.cartesian;
  if (!c.elbow_commanded) return {};
  const double low = limits.joint.lower[kElbowJoint];
  const double high = limits.joint.upper[kElbowJoint];
  const double angle = c.elbow_c[0];
  const double outside = std::max(angle - high, low - angle);
  if (outside > slack_of(angle, rules))
    return Breach{rows.range, -1, angle, angle > high ? high : low, outside, Axis::kElbow};

  const auto within = [](Row row, double value, double limit, double slack) {
    std::optional<Breach> b = over_norm(row, Axis::kElbow, std::abs(value), limit, slack);
    if (b) b->value = value;
    return b;
  };
  const robot::Derivatives& l = limits.cartesian.elbow;
  const Phase phase = elbow_phase(s);
  if (phase == Phase::kOpening || phase == Phase::kReseedFirst) return {};
  if (auto b = within(rows.velocity, c.delbow_c[0], l.velocity, slacks.elbow[1])) return b;
  if (auto b = within(rows.acceleration, c.ddelbow_c[0], l.acceleration, slacks.elbow[2])) return b;
  return within(rows.jerk, (c.ddelbow_c[0] - p.ddelbow_c[0]) / s.dt, l.jerk, slacks.elbow[3]);
}

}  // namespace fsim::judge
