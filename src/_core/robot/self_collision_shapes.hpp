// Distances between segments, cylinders and boxes. Must not know links or robots.
#pragma once

#include <array>

#include "base/types.hpp"

namespace fsim::robot::shapes {

struct Segment {
  Vec3 a;
  Vec3 b;
};

/// Solid cylinder with flat ends.
struct Cylinder {
  Vec3 centre;
  Vec3 axis;           ///< unit
  double half_length;  ///< [m]
  double radius;       ///< [m]
};

/// Solid box, aligned with `axes`.
struct Box {
  Vec3 centre;
  std::array<Vec3, 3> axes;  ///< orthonormal
  Vec3 half_size;            ///< [m]
};

double distance(const Segment& s, const Segment& t) noexcept;
/// Zero when they overlap; so for the following.
double distance(const Segment& s, const Cylinder& c) noexcept;
double distance(const Segment& s, const Box& box) noexcept;
double distance(const Cylinder& c, const Box& box) noexcept;

}  // namespace fsim::robot::shapes
