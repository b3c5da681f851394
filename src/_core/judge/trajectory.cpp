// Whole traces at once, through the very judge that closes live cycles.
#include "judge/trajectory.hpp"

#include <algorithm>
#include <span>

#include "judge/checks.hpp"
#include "judge/extrapolate.hpp"

namespace fsim::judge {

std::ptrdiff_t judge_trace(const MotionSpec& spec, const robot::JointLimits& limits, bool f32_state,
                           const Vec7& q_d, const double* samples, const std::uint8_t* lost,
                           std::size_t count, TraceVerdict* out) noexcept {
  Rules rules;
  rules.f32_state = f32_state;
  CommandJudge judge;
  judge.begin(spec, limits, rules, q_d);

  std::ptrdiff_t first = -1;
  for (std::size_t k = 0; k < count; ++k) {
    const Cycle cycle{k + 1};
    wire::RobotCommand command;
    command.message_id = cycle.n;
    Vec7& signal = spec.generator == Generator::kJointPosition   ? command.q_c
                   : spec.generator == Generator::kJointVelocity ? command.dq_c
                                                                 : command.tau_J_d;
    std::copy_n(samples + k * kJoints, kJoints, signal.begin());
    const bool arrives = lost == nullptr || lost[k] == 0;
    const CycleResult r = judge.close(cycle, std::span(&command, arrives ? 1U : 0U), cycle);

    out[k] = TraceVerdict{};
    if (r.violations.empty()) continue;
    const Violation& v = r.violations[0];
    out[k] = {v.row, v.joint, static_cast<std::uint8_t>(v.extrapolated), v.value, v.limit};
    if (first < 0) first = static_cast<std::ptrdiff_t>(k);
  }
  return first;
}

void extrapolate_gap(const Vec7& q_d, const Vec7& dq_d, const Vec7& ddq_d, std::size_t count,
                     double* out) noexcept {
  Reference reference{q_d, dq_d, ddq_d, {}};
  for (std::size_t k = 1; k <= count; ++k) {
    reference = k < kLostLimit ? extrapolate(reference) : held(reference);
    for (const Vec7* v : {&reference.q_d, &reference.dq_d, &reference.ddq_d})
      out = std::copy(v->begin(), v->end(), out);
  }
}

void success_rates(const std::uint8_t* answered, std::size_t count, double* out) noexcept {
  SuccessWindow window;
  for (std::size_t k = 0; k < count; ++k) {
    window.push(answered[k] != 0);
    out[k] = window.rate();
  }
}

}  // namespace fsim::judge
