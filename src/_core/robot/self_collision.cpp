// Least distance over pairs of links: spheres around the shapes first, then the shapes.
#include "robot/self_collision.hpp"

#include <algorithm>
#include <cmath>

#include "robot/kinematics.hpp"
#include "robot/self_collision_shapes.hpp"
#include "robot/spatial.hpp"

namespace fsim::robot {
namespace {

using namespace spatial;
using shapes::Segment;

/// A shape where the arm is now: a core and what is rolled around it.
struct Placed {
  const Shape* shape;
  Segment axis;     ///< in O; of a box: the axis of the capsule that holds it
  Vec3 centre;      ///< in O
  double rounding;  ///< radius around the core, protrusion included [m]
  double bound;     ///< radius of the sphere about `centre` that holds it all [m]
};

using Arm = std::array<Placed, kShapes>;

Vec3 at(const Mat4& T, const Vec3& p) noexcept {
  return {T[0] * p[0] + T[4] * p[1] + T[8] * p[2] + T[12],
          T[1] * p[0] + T[5] * p[1] + T[9] * p[2] + T[13],
          T[2] * p[0] + T[6] * p[1] + T[10] * p[2] + T[14]};
}

const Mat4& link_frame(const std::array<Mat4, kJoints>& O_T_J, std::uint8_t link) noexcept {
  return link == 0 ? kIdentity4 : O_T_J[link - 1u];
}

Placed place_shape(const RobotType& robot, const Shape& shape, const Mat4& O_T_L) noexcept {
  Placed p{&shape, {}, {}, robot.hull_protrusion[shape.link], 0};
  if (shape.kind == ShapeKind::kBox) {
    p.centre = at(O_T_L, shape.a);
    p.axis = {p.centre, p.centre};
    p.bound = p.rounding + std::sqrt(dot(shape.b, shape.b));
    return p;
  }
  p.axis = {at(O_T_L, shape.a), at(O_T_L, shape.b)};
  p.centre = 0.5 * (p.axis.a + p.axis.b);
  const Vec3 half = p.axis.b - p.centre;
  const double half_length = std::sqrt(dot(half, half));
  if (shape.kind == ShapeKind::kCapsule) {
    p.rounding += shape.radius;
    p.bound = p.rounding + half_length;
  } else {
    p.bound = p.rounding + std::hypot(half_length, shape.radius);
  }
  return p;
}

shapes::Cylinder cylinder(const Placed& p) noexcept {
  const Vec3 half = p.axis.b - p.centre;
  const double half_length = std::sqrt(dot(half, half));
  return {p.centre, (1 / half_length) * half, half_length, p.shape->radius};
}

shapes::Box box(const Placed& p, const Mat4& O_T_L) noexcept {
  const Mat4& T = O_T_L;
  return {p.centre, {{{T[0], T[1], T[2]}, {T[4], T[5], T[6]}, {T[8], T[9], T[10]}}}, p.shape->b};
}

/// Distance of the cores; `p` has the simpler kind (capsule, cylinder, box in this order).
double core_distance(const Placed& p, const Placed& q, const Mat4& O_T_Q) noexcept {
  const ShapeKind a = p.shape->kind, b = q.shape->kind;
  if (b == ShapeKind::kCapsule) return distance(p.axis, q.axis);
  if (a == ShapeKind::kCapsule)
    return b == ShapeKind::kBox ? distance(p.axis, box(q, O_T_Q)) : distance(p.axis, cylinder(q));
  if (a == ShapeKind::kCylinder && b == ShapeKind::kBox)
    return distance(cylinder(p), box(q, O_T_Q));
  // Two cylinders or two boxes: capsules (spheres) around them.
  const double around = a == ShapeKind::kBox ? std::sqrt(dot(p.shape->b, p.shape->b)) +
                                                   std::sqrt(dot(q.shape->b, q.shape->b))
                                             : p.shape->radius + q.shape->radius;
  return distance(p.axis, q.axis) - around;
}

double shape_distance(const std::array<Mat4, kJoints>& O_T_J, const Placed& p,
                      const Placed& q) noexcept {
  const bool ordered = p.shape->kind <= q.shape->kind;
  const Placed& first = ordered ? p : q;
  const Placed& second = ordered ? q : p;
  return core_distance(first, second, link_frame(O_T_J, second.shape->link)) - p.rounding -
         q.rounding;
}

/// No two shapes are closer than the spheres around them.
double sphere_distance(const Placed& p, const Placed& q) noexcept {
  const Vec3 gap = p.centre - q.centre;
  return std::sqrt(dot(gap, gap)) - p.bound - q.bound;
}

constexpr bool watched(const Shape& p, const Shape& q) noexcept {
  return p.link - q.link >= kWatchedSpan;
}

}  // namespace

Clearance self_clearance(const RobotType& robot, const std::array<Mat4, kJoints>& O_T_J) noexcept {
  Arm arm;
  for (std::size_t i = 0; i < kShapes; ++i)
    arm[i] = place_shape(robot, robot.shapes[i], link_frame(O_T_J, robot.shapes[i].link));
  // Spheres first; the pair whose spheres are closest prunes most of the others.
  struct Candidate {
    double least;
    std::uint8_t i, j;
  };
  std::array<Candidate, kShapes*(kShapes - 1) / 2> pairs;
  std::size_t count = 0, nearest = 0;
  for (std::uint8_t i = 0; i < kShapes; ++i)
    for (std::uint8_t j = 0; j < i && watched(*arm[i].shape, *arm[j].shape); ++j) {
      pairs[count] = {sphere_distance(arm[i], arm[j]), i, j};
      if (pairs[count].least < pairs[nearest].least) nearest = count;
      ++count;
    }
  Clearance best{1e9, 0, 0};
  const auto consider = [&](const Candidate& c) noexcept {
    const double d = shape_distance(O_T_J, arm[c.i], arm[c.j]);
    if (d < best.distance) best = {d, arm[c.j].shape->link, arm[c.i].shape->link};
  };
  consider(pairs[nearest]);
  for (std::size_t k = 0; k < count; ++k)
    if (pairs[k].least < best.distance) consider(pairs[k]);
  return best;
}

double link_distance(const RobotType& robot, const std::array<Mat4, kJoints>& O_T_J,
                     std::uint8_t link_a, std::uint8_t link_b) noexcept {
  double least = 1e9;
  for (const Shape& a : robot.shapes)
    for (const Shape& b : robot.shapes)
      if (a.link == link_a && b.link == link_b)
        least =
            std::min(least, shape_distance(O_T_J, place_shape(robot, a, link_frame(O_T_J, link_a)),
                                           place_shape(robot, b, link_frame(O_T_J, link_b))));
  return least;
}

}  // namespace fsim::robot
