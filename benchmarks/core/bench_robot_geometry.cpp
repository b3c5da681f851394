// Time of one inverse kinematics solution, one singular value and one clearance. Reports only.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "base/rotation.hpp"
#include "robot/inverse_kinematics.hpp"
#include "robot/kinematics.hpp"
#include "robot/self_collision.hpp"

using namespace fsim;
using namespace fsim::robot;

namespace {

constexpr std::size_t kSamples = 20000;
double sink = 0;  // keeps results alive

/// Time `work(k)` for each k and print the distribution.
template <class Work>
void report(const char* name, const Work& work) {
  std::vector<double> us(kSamples);
  for (std::size_t k = 0; k < kSamples; ++k) {
    const auto start = std::chrono::steady_clock::now();
    work(k);
    const auto end = std::chrono::steady_clock::now();
    us[k] = std::chrono::duration<double, std::micro>(end - start).count();
  }
  std::sort(us.begin(), us.end());
  const auto at = [&](double p) { return us[static_cast<std::size_t>(p * (kSamples - 1))]; };
  std::printf("%-46s p50 %6.2f  p99 %6.2f  p99.9 %6.2f  max %7.2f us\n", name, at(0.5), at(0.99),
              at(0.999), at(1.0));
}

Vec7 random_q(std::mt19937_64& rng) {
  Vec7 q;
  for (std::size_t i = 0; i < kJoints; ++i)
    q[i] = std::uniform_real_distribution<double>(kFr3.limits.lower[i], kFr3.limits.upper[i])(rng);
  return q;
}

}  // namespace

int main() {
  std::mt19937_64 rng(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Vec7> qs(kSamples);
  std::vector<Mat4> near(kSamples), far(kSamples), outside(kSamples);
  std::vector<std::array<Mat4, kJoints>> frames(kSamples);
  std::vector<Mat67> jacobians(kSamples);
  for (std::size_t k = 0; k < kSamples; ++k) {
    const Vec7 q = qs[k] = random_q(rng);
    const Mat4 O_T_F = flange_pose(kFr3, q);
    // A fast cycle (up to 1.7 m/s and rad/s an axis), one twenty times as long, a hopeless one.
    Vec6 twist;
    for (double& x : twist) x = unit(rng);
    near[k] = integrate_twist(O_T_F, twist, 1.7e-3);
    far[k] = integrate_twist(O_T_F, twist, 3.4e-2);
    outside[k] = O_T_F;
    outside[k][12] *= 1.6;
    outside[k][13] *= 1.6;
    joint_frames(kFr3, q, frames[k]);
    jacobians[k] = flange_jacobian(frames[k], O_T_F);
  }
  report("forward kinematics", [&](std::size_t k) { sink += flange_pose(kFr3, qs[k])[12]; });
  report("IK, one cycle's motion, elbow free",
         [&](std::size_t k) { sink += solve_ik(kFr3, near[k], qs[k]).q[0]; });
  report("IK, one cycle's motion, elbow prescribed", [&](std::size_t k) {
    const ElbowTarget target{qs[k][2] + 1e-3, elbow(kFr3, qs[k])[1]};
    sink += solve_ik(kFr3, near[k], qs[k], target).q[0];
  });
  report("IK, twenty cycles' motion, elbow free",
         [&](std::size_t k) { sink += solve_ik(kFr3, far[k], qs[k]).q[0]; });
  report("IK, pose moved outwards by 60 %, elbow free",
         [&](std::size_t k) { sink += solve_ik(kFr3, outside[k], qs[k]).q[0]; });
  report("smallest singular value",
         [&](std::size_t k) { sink += smallest_singular_value(jacobians[k]); });
  report("gains of pose and elbow",
         [&](std::size_t k) { sink += ik_gain(jacobians[k], true).per_metre[1]; });
  report("self clearance, joint frames given",
         [&](std::size_t k) { sink += self_clearance(kFr3, frames[k]).distance; });
  std::array<Mat4, kJoints> ready;
  joint_frames(kFr3, kFr3.q_ready, ready);
  report("self clearance, ready pose",
         [&](std::size_t) { sink += self_clearance(kFr3, ready).distance; });
  return std::isfinite(sink) ? 0 : 1;
}
