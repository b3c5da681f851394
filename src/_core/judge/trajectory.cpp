// Whole traces at once, through the very judge that closes live cycles.
#include "judge/trajectory.hpp"

#include <algorithm>
#include <span>

#include "judge/checks.hpp"
#include "judge/extrapolate.hpp"

namespace fsim::judge {
namespace {

double* signal_of(const MotionSpec& spec, wire::RobotCommand& command) noexcept {
  switch (spec.generator) {
    case Generator::kJointPosition:
      return command.q_c.data();
    case Generator::kJointVelocity:
      return command.dq_c.data();
    case Generator::kCartesianPosition:
      return command.O_T_EE_c.data();
    case Generator::kCartesianVelocity:
      return command.O_dP_EE_c.data();
    case Generator::kNone:
      break;
  }
  return command.tau_J_d.data();
}

/// An arm that is where it was told to be.
Observation as_measured(const TraceMotion& motion, const Reference& r) noexcept {
  return {r.q_d, r.dq_d, r.cartesian.goal, motion.start.measured.elbow};
}

TraceReference as_published(const Reference& r) noexcept {
  const CartesianReference& c = r.cartesian;
  return {r.q_d,       r.dq_d,       r.ddq_d,   r.tau_J_d,  c.goal,
          c.O_dP_EE_c, c.O_ddP_EE_c, c.elbow_c, c.delbow_c, c.ddelbow_c};
}

struct Trace {
  const TraceMotion& motion;
  const double* samples;
  const double* elbows;
  const std::uint8_t* lost;
  std::size_t count;
};

/// Close one cycle a sample; `each(k, result)` says whether to go on.
template <class Each>
void run(const Trace& trace, bool enforce, CommandJudge& judge, Each each) noexcept {
  const TraceMotion& motion = trace.motion;
  Rules rules = motion.rules;
  rules.enforce_motion_limits = rules.enforce_comm_constraints = enforce;
  const bool cartesian = is_cartesian(motion.spec.generator);
  if (cartesian)
    judge.begin(motion.spec, motion.limits, rules, motion.start, motion.solver);
  else
    judge.begin(motion.spec, motion.limits.joint, rules, motion.start.q_d);

  const std::size_t width = sample_width(motion.spec);
  wire::RobotCommand command;
  double* const signal = signal_of(motion.spec, command);
  command.valid_elbow = trace.elbows != nullptr;
  for (std::size_t k = 0; k < trace.count; ++k) {
    const Cycle cycle{k + 1};
    command.message_id = cycle.n;
    std::copy_n(trace.samples + k * width, width, signal);
    if (trace.elbows != nullptr) std::copy_n(trace.elbows + 2 * k, 2, command.elbow_c.begin());
    const bool arrives = trace.lost == nullptr || trace.lost[k] == 0;
    const CycleResult r = judge.close(cycle, std::span(&command, arrives ? 1U : 0U), cycle);
    if (cartesian && judge.started()) judge.observe(as_measured(motion, judge.reference()));
    if (!each(k, r)) return;
  }
}

}  // namespace

std::size_t sample_width(const MotionSpec& spec) noexcept {
  if (spec.generator == Generator::kCartesianPosition) return 16;
  return spec.generator == Generator::kCartesianVelocity ? 6 : kJoints;
}

TraceReport judge_trace(const TraceMotion& motion, const double* samples, const double* elbows,
                        const std::uint8_t* lost, std::size_t count, TraceVerdict* out,
                        TraceReference* references) noexcept {
  const Trace trace{motion, samples, elbows, lost, count};
  CommandJudge judge;
  TraceReport report;
  run(trace, false, judge, [&](std::size_t k, const CycleResult& r) {
    if (references != nullptr) references[k] = as_published(judge.reference());
    if (r.unsolved && report.unsolved < 0) report.unsolved = static_cast<std::ptrdiff_t>(k);

    out[k] = TraceVerdict{};
    if (r.violations.empty()) return true;
    const Violation& v = r.violations[0];
    out[k] = {v.row, v.joint, static_cast<std::uint8_t>(v.extrapolated), v.value, v.limit};
    if (report.first >= 0) return true;
    report.first = static_cast<std::ptrdiff_t>(k);
    report.violations = r.violations;
    return true;
  });
  if (judge.started()) report.after_the_last = judge.judge_hold({count});
  report.counters = judge.counters();
  if (report.first < 0) return report;
  // Up to there enforcement changes nothing.
  CommandJudge strict;
  run(trace, true, strict, [&](std::size_t, const CycleResult& r) {
    report.errors = r.abort;
    return !r.abort.any();
  });
  return report;
}

void extrapolate_gap(const Vec7& q_d, const Vec7& dq_d, const Vec7& ddq_d, std::size_t count,
                     double* out) noexcept {
  Reference reference{q_d, dq_d, ddq_d, {}, {}};
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
