// Times the core's pure functions beside plain code that does the least the same job needs.
#include <array>
#include <cmath>
#include <cstring>
#include <ctime>

#include "engine/history.hpp"
#include "engine/stream_hash.hpp"
#include "judge/judge.hpp"
#include "robot/model.hpp"
#include "timing.hpp"
#include "wire/codec.hpp"

namespace fsim::bench {
namespace {

/// The compiler must assume that `value` is read and written here.
template <class T>
void touch(T& value) noexcept {
  asm volatile("" : : "g"(&value) : "memory");
}

/// Mean nanoseconds of `call(k)` over one batch that begins at `first`.
template <class Call>
double batch(std::size_t per_batch, std::size_t first, Call&& call) {
  const std::int64_t begin = now_ns();
  for (std::size_t k = first; k < first + per_batch; ++k) call(k);
  return static_cast<double>(now_ns() - begin) / static_cast<double>(per_batch);
}

template <class Call>
Samples sampled(std::size_t batches, std::size_t per_batch, Call&& call) {
  Samples out;
  out.reserve(batches);
  for (std::size_t b = 0; b < batches; ++b) out.push_back(batch(per_batch, b * per_batch, call));
  return out;
}

template <class Core, class Plain>
Pair alternating(std::size_t batches, std::size_t per_batch, Core&& core, Plain&& plain) {
  Pair out;
  for (std::size_t b = 0; b < batches; ++b) {
    out.core.push_back(batch(per_batch, b * per_batch, core));
    out.plain.push_back(batch(per_batch, b * per_batch, plain));
  }
  return out;
}

/// q_c of a client that swings all joints by 0.2 rad at 0.5 Hz from rest: far inside every limit.
Vec7 swing(std::size_t k) noexcept {
  const double a = 0.1 * (1.0 - std::cos(2.0 * M_PI * 0.5 * 1e-3 * static_cast<double>(k)));
  Vec7 q = robot::kFr3.q_ready;
  for (double& x : q) x += a;
  return q;
}

struct PlainJudge {
  Vec7 q{}, dq{}, ddq{};
  /// Number of limits broken by `q_c`, which becomes the last sample.
  int operator()(const robot::JointLimits& limits, const Vec7& q_c) noexcept {
    int broken = 0;
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double v = (q_c[i] - q[i]) / kDt;
      const double a = (v - dq[i]) / kDt;
      const double j = (a - ddq[i]) / kDt;
      broken += (std::abs(v) > limits.velocity[i]) + (std::abs(a) > limits.acceleration[i]) +
                (std::abs(j) > limits.jerk[i]);
      q[i] = q_c[i];
      dq[i] = v;
      ddq[i] = a;
    }
    return broken;
  }
};

}  // namespace

std::int64_t now_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

Pair encode(std::size_t batches, std::size_t per_batch) {
  const wire::Layout& layout = *wire::state_layout(10);
  wire::RobotState state;
  std::array<std::byte, wire::kMaxStateSize> out{}, source{};
  return alternating(
      batches, per_batch,
      [&](std::size_t k) {
        state.message_id = k;
        state.q[0] = static_cast<double>(k);
        touch(state);
        wire::encode_state(layout, state, out.data());
        touch(out);
      },
      [&](std::size_t k) {
        std::memcpy(source.data(), &k, sizeof k);
        touch(source);
        std::memcpy(out.data(), source.data(), layout.size);
        touch(out);
      });
}

Pair judge(std::size_t batches, std::size_t per_batch) {
  // Computed before: a cosine costs as much as a judgement.
  const std::size_t n = batches * per_batch;
  std::vector<Vec7> path(n);
  for (std::size_t k = 0; k < n; ++k) path[k] = swing(k);
  judge::CommandJudge judge;
  judge.begin({.generator = judge::Generator::kJointPosition}, robot::kFr3.limits, {},
              robot::kFr3.q_ready);
  PlainJudge plain{.q = robot::kFr3.q_ready};
  wire::RobotCommand command;
  return alternating(
      batches, per_batch,
      [&](std::size_t k) {
        command.message_id = k + 1;
        command.q_c = path[k];
        judge::CycleResult result = judge.close(Cycle{k + 1}, {&command, 1}, Cycle{k + 1});
        touch(result);
      },
      [&](std::size_t k) {
        int broken = plain(robot::kFr3.limits, path[k]);
        touch(broken);
      });
}

Samples hash(std::size_t batches, std::size_t per_batch) {
  const wire::Layout& layout = *wire::state_layout(10);
  std::array<std::byte, wire::kMaxStateSize> body{};
  engine::StreamHash hash;
  return sampled(batches, per_batch, [&](std::size_t k) {
    hash.add(k, {body.data(), layout.size - 8});
    touch(hash);
  });
}

Samples record(std::size_t batches, std::size_t per_batch) {
  engine::History history(10'000);  // as many as the server keeps, so that it misses the caches too
  engine::CycleRecord record;
  return sampled(batches, per_batch, [&](std::size_t k) {
    record.state.message_id = k;
    history.append(record);
  });
}

Samples model(std::size_t batches, std::size_t per_batch) {
  constexpr Vec3 kGravity{0, 0, -9.81};
  robot::ArmState arm;
  Vec7 q = robot::kFr3.q_ready;
  const Vec7 dq = all_joints(0.1);
  return sampled(batches, per_batch, [&](std::size_t k) {
    q[0] = 1e-6 * static_cast<double>(k % 1000);
    robot::evaluate(robot::kFr3, q, dq, {}, kGravity, arm);
    touch(arm);
  });
}

}  // namespace fsim::bench
