// How end effector and load become one body. Must not check what a client sent.
#include "robot/model.hpp"

namespace fsim::robot {
namespace {

/// Add `body`'s inertia about the point `about` of the flange frame to `I`.
void add_about(const Load& body, const Vec3& about, Mat3& I) noexcept {
  const Vec3 d{body.F_x_C[0] - about[0], body.F_x_C[1] - about[1], body.F_x_C[2] - about[2]};
  const double dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  for (std::size_t col = 0; col < 3; ++col)
    for (std::size_t row = 0; row < 3; ++row)
      I[col * 3 + row] +=
          body.I[col * 3 + row] + body.mass * ((row == col ? dd : 0.0) - d[row] * d[col]);
}

}  // namespace

Load combine(const Load& ee, const Load& load) noexcept {
  Load total;
  total.mass = ee.mass + load.mass;
  if (!(total.mass > 0)) return total;
  for (std::size_t k = 0; k < 3; ++k)
    total.F_x_C[k] = (ee.mass * ee.F_x_C[k] + load.mass * load.F_x_C[k]) / total.mass;
  // Parallel axes to the common centre; a body without mass contributes nothing, whatever its I.
  if (ee.mass > 0) add_about(ee, total.F_x_C, total.I);
  if (load.mass > 0) add_about(load, total.F_x_C, total.I);
  return total;
}

}  // namespace fsim::robot
