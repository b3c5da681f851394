// The observer and the least-squares wrench. Gains and conventions: robot-model.md section 5.
#include "control/external_torque.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>

#include "base/transforms.hpp"

namespace fsim::control {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

/// Observer gain [1/s] and corner of the low-pass [Hz] (assumed.hpp X1).
constexpr double kObserverGain = 50.0;
constexpr double kCutoff = 30.0;
/// Below this singular value of the Jacobian no wrench is published (assumed.hpp X2).
constexpr double kSingular = 0.02;

/// The observer is a first-order lag; this is its exact step over one cycle, 1 - exp(-K_O dt).
const double kObserverStep = -std::expm1(-kObserverGain * kDt);
/// The form of libfranka's lowpassFilter.
constexpr double kFilterStep = kDt / (kDt + 1.0 / (2.0 * M_PI * kCutoff));

}  // namespace

void ExternalTorque::reset() noexcept { residual_ = filtered_ = {}; }

void ExternalTorque::observe(const robot::ArmState& arm, const Vec7& dq_before, const Vec7& dq,
                             const Vec7& tau_J) noexcept {
  // The observer is a lag of tau_J + Cᵀ dq - g - dp/dt with p = M dq. Over a cycle in which the
  // velocity changes first and the position then follows it, M(q) changes by Mdot dq dt, which
  // Cᵀ dq = Mdot dq - C dq takes out again: what is left is the change of dq under the M of the
  // beginning. So a model that changes (SetLoad) leaves no step of a stored momentum behind.
  for (std::size_t i = 0; i < kJoints; ++i) {
    double needed = arm.coriolis[i] + arm.gravity[i];
    for (std::size_t j = 0; j < kJoints; ++j)
      needed += arm.M[j * kJoints + i] * (dq[j] - dq_before[j]) / kDt;
    residual_[i] += kObserverStep * (tau_J[i] - needed - residual_[i]);
    filtered_[i] += kFilterStep * (residual_[i] - filtered_[i]);
  }
}

ExternalWrench external_wrench(const robot::ArmState& arm, const Mat4& F_T_K,
                               const Vec7& tau_ext) noexcept {
  ExternalWrench out;
  // In the axes of O at the origin of K: to turn it into K's axes does not change what fits best.
  const Mat67 shifted = robot::shift_jacobian(arm.J_F, arm.O_T_F, F_T_K);
  const Eigen::Map<const Eigen::Matrix<double, 6, 7>> J(shifted.data());
  const Matrix6 gram = J * J.transpose();
  // Every singular value is above the floor exactly when this has a Cholesky factor.
  const Matrix6 above = gram - kSingular * kSingular * Matrix6::Identity();
  if (Eigen::LLT<Matrix6>(above).info() != Eigen::Success) return out;
  const Eigen::Map<const Eigen::Matrix<double, 7, 1>> tau(tau_ext.data());
  const Vector6 w = Eigen::LLT<Matrix6>(gram).solve(J * tau);
  if (!w.allFinite()) return out;

  const Mat4 O_T_K = compose(arm.O_T_F, F_T_K);
  const Vec3 p{O_T_K[12], O_T_K[13], O_T_K[14]};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
    const auto f = [&w](std::size_t i) { return w[static_cast<Eigen::Index>(i)]; };
    out.O_F_ext_hat_K[k] = f(k);
    out.O_F_ext_hat_K[3 + k] = f(3 + k) + p[a] * f(b) - p[b] * f(a);
    for (std::size_t r = 0; r < 3; ++r) {
      out.K_F_ext_hat_K[k] += O_T_K[4 * k + r] * f(r);
      out.K_F_ext_hat_K[3 + k] += O_T_K[4 * k + r] * f(3 + r);
    }
  }
  return out;
}

}  // namespace fsim::control
