// A lost cycle is blamed when it is known why: at once where the reason lies in the cycle, else
// when the answer comes or has not come for as long as states are remembered.
#include "engine/certificate.hpp"

namespace fsim::engine {

const char* name(Culprit culprit) noexcept {
  constexpr std::array<const char*, kCulprits> kNames{"server late", "client late", "never arrived",
                                                      "wrong echo", "planned"};
  return kNames[static_cast<std::size_t>(culprit)];
}

TimingSummary summary(const Certificate& c) noexcept {
  return {.cycles = c.cycles,
          .lost = c.lost,
          .late = c.late,
          .late_states = c.late_states,
          .culprits = c.culprits,
          .reaction_p50_ns = c.reaction.quantile_ns(0.5),
          .reaction_p99_ns = c.reaction.quantile_ns(0.99),
          .reaction_max_ns = c.reaction.highest_ns(),
          .server_late_p99_ns = c.server_late.quantile_ns(0.99),
          .server_late_max_ns = c.server_late.highest_ns()};
}

void Timekeeper::connection_began() noexcept { connection_ = {}; }

void Timekeeper::motion_began() noexcept {
  motion_ = {};
  wrong_echo_ = false;
  running_ = true;
}

void Timekeeper::motion_ended() noexcept {
  if (!running_) return;
  for (Sent& s : ring_)
    if (s.open) give_up(s);
  last_motion_ = motion_;
  running_ = false;
}

void Timekeeper::blame(Sent& lost, Culprit culprit) noexcept {
  lost.open = false;
  ++motion_.culprits[static_cast<std::size_t>(culprit)];
  ++connection_.culprits[static_cast<std::size_t>(culprit)];
}

void Timekeeper::sent(Cycle cycle, std::int64_t due, std::int64_t sent, bool in_motion) noexcept {
  Sent& s = slot(cycle);
  // Nothing came for as long as is remembered.
  if (s.open) give_up(s);
  s = {.cycle = cycle, .due = due, .sent = sent};
  const auto count = [&](Certificate& c) {
    c.server_late.add(sent - due);
    if (sent - due > period_ns_ / 10) ++c.late_states;
  };
  count(connection_);
  if (in_motion && running_) count(motion_);
}

void Timekeeper::left(Cycle cycle, std::int64_t stamp) noexcept {
  if (knows(cycle)) slot(cycle).stamp = stamp;
}

void Timekeeper::arrived(Cycle cycle, Echo echo, std::int64_t stamp, std::int64_t now) noexcept {
  const auto count = [&](std::uint64_t Certificate::*which) {
    ++(connection_.*which);
    if (running_) ++(motion_.*which);
  };
  switch (echo) {
    case Echo::kUnpublished:
      count(&Certificate::unpublished);
      wrong_echo_ = true;
      return;
    case Echo::kDuplicate:
      count(&Certificate::duplicate);
      return;
    case Echo::kFresh:
      count(&Certificate::fresh);
      break;
    case Echo::kLate:
      count(&Certificate::late);
      break;
  }
  if (!knows(cycle)) return;
  Sent& s = slot(cycle);
  const auto measure = [&](Certificate& c) {
    if (s.stamp != 0 && stamp != 0) c.reaction.add(stamp - s.stamp);
    c.round_trip.add(now - s.due);
  };
  measure(connection_);
  if (running_) measure(motion_);
  // What left before this answer came and is newer found the client at work.
  if (echo == Echo::kLate)
    for (Sent& later : ring_)
      if (later.cycle > cycle && later.sent < now) later.busy = true;
  if (!s.open) return;
  // The client was as quick as a period allows, and still the cycle was over: the state left late.
  const std::int64_t reaction = s.stamp != 0 && stamp != 0 ? stamp - s.stamp : now - s.sent;
  const bool in_time = s.sent - s.due > period_ns_ / 10 && reaction <= period_ns_ * 9 / 10;
  blame(s, in_time ? Culprit::kServer : Culprit::kClient);
}

void Timekeeper::closed(Cycle cycle, bool answered, bool planned) noexcept {
  const bool wrong_echo = wrong_echo_;
  wrong_echo_ = false;
  if (!running_) return;
  ++motion_.cycles;
  ++connection_.cycles;
  if (answered) return;
  ++motion_.lost;
  ++connection_.lost;
  Sent none;
  Sent& s = knows(cycle) ? slot(cycle) : none;
  s.open = true;
  if (planned)
    blame(s, Culprit::kPlan);
  else if (wrong_echo)
    blame(s, Culprit::kEcho);
  else if (!knows(cycle))
    blame(s, Culprit::kNever);
}

}  // namespace fsim::engine
