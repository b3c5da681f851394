// Whatever datagrams arrive in whatever order, each is counted once, no cycle is counted twice, and
// the reference of every cycle is finite, within the range rules when they are enforced.
#include <array>
#include <cmath>

#include "base/fixed.hpp"
#include "input.hpp"
#include "judge/judge.hpp"
#include "robot/model.hpp"
#include "wire/codec.hpp"

using namespace fsim;
using fuzz::require;

namespace {

bool finite(const judge::Reference& r) {
  for (const Vec7* v : {&r.q_d, &r.dq_d, &r.ddq_d, &r.tau_J_d})
    for (const double x : *v)
      if (!std::isfinite(x)) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input in(data, size);
  const std::uint8_t options = in.byte();
  judge::MotionSpec spec;
  spec.generator = std::array{judge::Generator::kJointPosition, judge::Generator::kJointVelocity,
                              judge::Generator::kNone}[options % 3];
  spec.external_torque = spec.generator == judge::Generator::kNone || (options & 0x10) != 0;
  judge::Rules rules;
  rules.enforce_motion_limits = (options & 0x20) != 0;
  rules.enforce_comm_constraints = (options & 0x40) != 0;
  rules.apply_late = (options & 0x80) == 0;

  judge::CommandJudge judge;
  judge.begin(spec, robot::kFr3.limits, rules, robot::kFr3.q_ready, Cycle{10});
  Cycle published{10};
  std::uint64_t datagrams = 0, cycles = 0;
  for (int n = 0; n < 200 && !in.empty(); ++n) {
    FixedVector<wire::RobotCommand, 4> batch;
    const std::uint8_t plan = in.byte();
    for (int k = 0; k < plan % 4; ++k) {
      const std::uint8_t shape = in.byte();
      // Mostly the right size; the echo as it stands, or near the cycle.
      const std::size_t length = (shape & 0x0F) == 0x0F ? in.byte() : 371;
      const auto bytes = in.bytes(length);
      std::array<std::byte, 371> whole{};
      std::copy(bytes.begin(), bytes.end(), whole.begin());
      wire::RobotCommand command;
      const bool right = length == 371;
      require(
          wire::decode_command(*wire::command_layout(10), {whole.data(), length}, command) == right,
          "exactly 371 bytes decode");
      if (!right) continue;
      if ((shape & 0x80) != 0) command.message_id = published.n - (shape >> 4 & 7);
      batch.push(command);
      ++datagrams;
    }
    const Cycle oldest{published.n - ((plan & 0x80) != 0 ? (plan >> 4 & 7) : 0)};
    const bool before = judge.started();
    const judge::CycleResult result = judge.close(published, {batch.begin(), batch.size()}, oldest);
    require(finite(result.reference), "the reference is finite");
    require(judge.success_rate() >= 0 && judge.success_rate() <= 1, "a rate is within 0 and 1");
    require(!before || judge.started(), "a motion does not start twice");
    for (const judge::Violation& v : result.violations) {
      require(v.row < judge::checks().size(), "a violation names a row");
      require(judge::checks()[v.row].error == v.error, "its error is the row's");
      require(v.joint >= -1 && v.joint < 7, "its joint exists");
      require(!v.enforced || result.abort.any(), "what is enforced aborts");
    }
    const judge::Counters& c = judge.counters();
    require(c.fresh + c.superseded + c.late + c.duplicate + c.unpublished == datagrams,
            "each datagram is counted once");
    if (before || judge.started()) ++cycles;
    require(c.fresh + c.lost <= cycles, "each cycle is fresh or lost, once");
    published = published.next();
    if (result.abort.any()) break;
  }
  require(judge.judge_hold(published).size() <= 8, "a hold can be judged at any time");
  return 0;
}
