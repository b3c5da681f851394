// The jerk rows of a pose and a twist, and the one way to be over them that is no fault: an
// acceleration that the speed limit shortens. Must not know which generator it judges.
#include <algorithm>
#include <cmath>

#include "judge/cartesian.hpp"

namespace fsim::judge {
namespace {

double dot(const double* a, const double* b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// C15: the acceleration `now` lies where libfranka's limiter puts it: what a step of legal jerk
/// from `before` gives, shortened to jerk / acceleration times the speed that is left in its
/// direction.
bool shortened_by_speed(const double* velocity, const double* before, const double* now,
                        const robot::Derivatives& limits, double factor, double dt,
                        const std::array<double, 4>& slack) noexcept {
  const double length = norm3(now);
  const double* towards = length > slack[2] ? now : before;
  const double scale = norm3(towards);
  if (!(scale > 0)) return false;
  const Vec3 u{towards[0] / scale, towards[1] / scale, towards[2] / scale};

  // It is no shorter than the speed limit asks for. Where rounding decides whether the line meets
  // the sphere of speeds, nothing is left.
  const double top = factor * (limits.velocity - robot::kLimitEps) - slack[1];
  const double along = dot(u.data(), velocity);
  const double radicand = along * along - dot(velocity, velocity) + top * top;
  const double room = radicand > 0 ? std::sqrt(radicand) - along : 0.0;
  const double least = limits.jerk / limits.acceleration * room;
  if (length + slack[2] < least) return false;

  // Lengthened, it comes within a legal step of the one before.
  const double reach = std::max(dot(u.data(), before), length);
  const Vec3 miss{reach * u[0] - before[0], reach * u[1] - before[1], reach * u[2] - before[2]};
  const double rounding = slack[2] * std::max(1.0, reach / std::max(length, slack[2]));
  return norm3(miss.data()) <= limits.jerk * dt + rounding;
}

}  // namespace

std::optional<Breach> judge_jerk(const Sample& s, const JerkRow& row,
                                 const robot::Derivatives& limits,
                                 const std::array<double, 4>& slack) noexcept {
  const double* before = &s.prev.cartesian.O_ddP_EE_c[row.from];
  const double* now = &s.next.cartesian.O_ddP_EE_c[row.from];
  Vec3 jerk{};
  for (std::size_t k = 0; k < 3; ++k) jerk[k] = (now[k] - before[k]) / s.dt;
  const auto broken = over_norm(row.row, row.from == 0 ? Axis::kTranslation : Axis::kRotation,
                                norm3(jerk.data()), limits.jerk, slack[3]);
  const double* velocity = &s.prev.cartesian.O_dP_EE_c[row.from];
  if (broken && shortened_by_speed(velocity, before, now, limits, row.factor, s.dt, slack))
    return {};
  return broken;
}

}  // namespace fsim::judge
