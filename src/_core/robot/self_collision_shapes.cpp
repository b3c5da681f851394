// Segment against segment in closed form; the others as the minimum of a convex function along a
// segment, which a cylinder against a box is reduced to as well.
#include "robot/self_collision_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "robot/spatial.hpp"

namespace fsim::robot::shapes {
namespace {

using namespace spatial;

/// First and second derivative of a convex function.
struct Slope {
  double first;
  double second;
};

/// Where on [0, 1] a convex function is least: Newton on its slope, kept inside a shrinking
/// bracket.
template <class SlopeAt>
double least_on_unit(const SlopeAt& slope_at) noexcept {
  if (slope_at(0.0).first >= 0) return 0;
  if (slope_at(1.0).first <= 0) return 1;
  double low = 0, high = 1, t = 0.5;
  // Chosen: 40 halvings alone reach 1e-12; Newton needs some five steps.
  for (int n = 0; n < 40; ++n) {
    const Slope slope = slope_at(t);
    (slope.first < 0 ? low : high) = t;
    double next = slope.second > 0 ? t - slope.first / slope.second : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) < 1e-9) return next;
    t = next;
  }
  return t;
}

}  // namespace

double distance(const Segment& s, const Segment& t) noexcept {
  const Vec3 u = s.b - s.a, v = t.b - t.a, w = s.a - t.a;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  // Closest points of the lines; of parallel ones any pair will do.
  const double det = uu * vv - uv * uv;
  double x = det > 1e-12 * uu * vv ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0.0;
  // Best y for that x, and where the segment ends first, best x for that y.
  double y = vv > 0 ? (uv * x + vw) / vv : 0.0;
  if (y < 0 || y > 1 || !(vv > 0)) {
    y = std::clamp(y, 0.0, 1.0);
    x = uu > 0 ? std::clamp((uv * y - uw) / uu, 0.0, 1.0) : 0.0;
  }
  const Vec3 gap = w + x * u - y * v;
  return std::sqrt(dot(gap, gap));
}

double distance(const Segment& s, const Cylinder& c) noexcept {
  // Height above the cylinder's middle and offset from its axis, both linear along the segment.
  const Vec3 start = s.a - c.centre, run = s.b - s.a;
  const double z0 = dot(start, c.axis), dz = dot(run, c.axis);
  const Vec3 r0 = start - z0 * c.axis, dr = run - dz * c.axis;
  const auto slope_at = [&](double t) noexcept {
    const double z = z0 + t * dz;
    const double above = std::max(std::abs(z) - c.half_length, 0.0);
    const Vec3 r = r0 + t * dr;
    const double rho = std::sqrt(dot(r, r)), outside = std::max(rho - c.radius, 0.0);
    Slope slope{(z < 0 ? -above : above) * dz, above > 0 ? dz * dz : 0.0};
    if (outside > 0) {
      const double rate = dot(r, dr) / rho;
      slope.first += outside * rate;
      slope.second += rate * rate + outside * (dot(dr, dr) - rate * rate) / rho;
    }
    return slope;
  };
  const double t = least_on_unit(slope_at);
  const Vec3 r = r0 + t * dr;
  return std::hypot(std::max(std::abs(z0 + t * dz) - c.half_length, 0.0),
                    std::max(std::sqrt(dot(r, r)) - c.radius, 0.0));
}

double distance(const Segment& s, const Box& box) noexcept {
  Vec3 start, run;
  for (std::size_t k = 0; k < 3; ++k) {
    start[k] = dot(s.a - box.centre, box.axes[k]);
    run[k] = dot(s.b - s.a, box.axes[k]);
  }
  const auto outside = [&](double t, std::size_t k) noexcept {
    const double x = start[k] + t * run[k];
    return x - std::clamp(x, -box.half_size[k], box.half_size[k]);
  };
  const auto slope_at = [&](double t) noexcept {
    Slope slope{0, 0};
    for (std::size_t k = 0; k < 3; ++k) {
      const double gap = outside(t, k);
      slope.first += gap * run[k];
      if (gap != 0) slope.second += run[k] * run[k];
    }
    return slope;
  };
  const double t = least_on_unit(slope_at);
  return std::hypot(outside(t, 0), outside(t, 1), outside(t, 2));
}

double distance(const Cylinder& c, const Box& box) noexcept {
  Vec3 centre, axis;
  for (std::size_t k = 0; k < 3; ++k) {
    centre[k] = dot(c.centre - box.centre, box.axes[k]);
    axis[k] = dot(c.axis, box.axes[k]);
  }
  const Vec3& half = box.half_size;
  bool inside = true;
  for (std::size_t k = 0; k < 3; ++k) inside = inside && std::abs(centre[k]) <= half[k];
  if (inside) return 0;
  double least = 1e9;
  // A face: the cylinder's point nearest to its plane, where that lies over the face.
  for (std::size_t k = 0; k < 3; ++k)
    for (const double side : {-1.0, 1.0}) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      const double across = std::sqrt(std::max(0.0, 1 - axis[k] * axis[k]));
      const double down = -side * axis[k] < 0 ? -c.half_length : c.half_length;
      Vec3 lowest = centre + (axis[k] != 0 ? down : 0.0) * axis;
      if (across > 1e-12) {
        // Rim: from the axis towards -side, at right angles to the axis.
        Vec3 rim{};
        rim[k] = -side;
        rim = rim - dot(rim, axis) * axis;
        lowest = lowest + (c.radius / across) * rim;
      }
      const double gap = side * lowest[k] - half[k];
      // Below both faces it is another side's business; between them it is inside.
      if (gap >= -2 * half[k] && std::abs(lowest[i]) <= half[i] && std::abs(lowest[j]) <= half[j])
        least = std::min(least, std::max(gap, 0.0));
    }
  // An edge or a corner: the twelve edges as segments, but those too far from the middle.
  const Cylinder local{centre, axis, c.half_length, c.radius};
  const double bound = std::hypot(c.half_length, c.radius);
  for (std::size_t k = 0; k < 3; ++k)
    for (const double p : {-1.0, 1.0})
      for (const double q : {-1.0, 1.0}) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        Segment edge;
        edge.a[i] = edge.b[i] = p * half[i];
        edge.a[j] = edge.b[j] = q * half[j];
        edge.a[k] = -half[k];
        edge.b[k] = half[k];
        Vec3 gap = centre - edge.a;
        gap[k] = centre[k] - std::clamp(centre[k], -half[k], half[k]);
        if (dot(gap, gap) < (least + bound) * (least + bound))
          least = std::min(least, distance(edge, local));
      }
  return least;
}

}  // namespace fsim::robot::shapes
