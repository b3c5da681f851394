// When a push begins and ends, how much of it acts, and on which link.
#include "engine/disturbance.hpp"

#include <cmath>
#include <numbers>

#include "base/transforms.hpp"

namespace fsim::engine {
namespace {

/// How much of `push` acts in its `age`-th cycle, counted from 1.
double share_of(const Push& push, std::uint64_t age) noexcept {
  switch (push.shape) {
    case PushShape::kStep:
      break;
    case PushShape::kRamp:
      if (age < push.rise) return static_cast<double>(age) / static_cast<double>(push.rise);
      break;
    case PushShape::kPulse:
      // Sampled in the middle of each cycle: symmetric, and no cycle of it is empty.
      return std::sin(std::numbers::pi * (static_cast<double>(age) - 0.5) /
                      static_cast<double>(push.duration));
  }
  return 1.0;
}

bool begins(const Push& push, Cycle now, const Disturbances::Motion& motion) noexcept {
  switch (push.start) {
    case PushStart::kNow:
      return true;
    case PushStart::kAtCycle:
      return now.n >= push.cycle;
    case PushStart::kAtMotionCycle:
      return motion.running && now - motion.first >= push.cycle;
  }
  return false;
}

Vec3 turned(const Mat4& T, const Vec3& v) noexcept {
  Vec3 out{};
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t r = 0; r < 3; ++r) out[r] += T[c * 4 + r] * v[c];
  return out;
}

}  // namespace

bool Disturbances::add(const Push& push) noexcept {
  Entry entry;
  entry.push = push;
  return entries_.push(entry);
}

void Disturbances::release() noexcept {
  for (const Entry& entry : entries_) changed_ |= entry.begun;
  entries_.clear();
}

bool Disturbances::advance(Cycle now, const Motion& motion) noexcept {
  bool stirs = changed_;
  changed_ = false;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    entry.begun = entry.begun || begins(entry.push, now, motion);
    if (entry.begun) {
      const bool over = entry.age >= entry.push.duration;
      const bool settled =
          entry.push.duration == Push::kForever && entry.age > 0 && entry.age >= entry.push.rise;
      stirs |= over || !settled;
      if (over) continue;
      // One that never ends stops counting when it is whole.
      if (!settled) ++entry.age;
      entry.share = share_of(entry.push, entry.age);
    }
    if (kept != i) entries_[kept] = entry;
    ++kept;
  }
  entries_.drop_back(entries_.size() - kept);
  return stirs;
}

void Disturbances::evaluate(
    const Mat4& link7_T_F, const Mat4& F_T_EE,
    FixedVector<plant::LinkWrench, plant::kMaxWrenches>& out) const noexcept {
  for (const Entry& entry : entries_) {
    if (!entry.begun) continue;
    const Push& push = entry.push;
    Mat4 link_T_anchor = kIdentity4;
    if (push.anchor == Push::Anchor::kFlange) link_T_anchor = link7_T_F;
    if (push.anchor == Push::Anchor::kEE) link_T_anchor = compose(link7_T_F, F_T_EE);
    plant::LinkWrench w;
    w.link = push.link;
    w.in_base = push.in_O;
    w.force = push.in_O ? push.force : turned(link_T_anchor, push.force);
    w.torque = push.in_O ? push.torque : turned(link_T_anchor, push.torque);
    w.point = turned(link_T_anchor, push.point);
    for (std::size_t k = 0; k < 3; ++k) {
      w.force[k] *= entry.share;
      w.torque[k] *= entry.share;
      w.point[k] += link_T_anchor[12 + k];
    }
    out.push(w);
  }
}

}  // namespace fsim::engine
