// What pushes the arm from outside, as the robot's own model sees it: joint torques and the wrench
// at the stiffness frame. Must not know thresholds, or what a push leads to.
#pragma once

#include "base/types.hpp"
#include "robot/model.hpp"

namespace fsim::control {

/// Momentum observer behind a low-pass (robot-model.md section 5). Counted as the torque that the
/// robot exerts on its environment.
class ExternalTorque {
 public:
  /// Nothing pushes.
  void reset() noexcept;

  /// One cycle has passed: `arm` is the model at its beginning, where the joints moved with
  /// `dq_before`; at its end they move with `dq`. `tau_J` is what the link-side sensors saw.
  void observe(const robot::ArmState& arm, const Vec7& dq_before, const Vec7& dq,
               const Vec7& tau_J) noexcept;

  /// tau_ext_hat_filtered [Nm].
  const Vec7& filtered() const noexcept { return filtered_; }

 private:
  Vec7 residual_{};
  Vec7 filtered_{};
};

/// Force, then moment [N, Nm], of the robot on its environment.
struct ExternalWrench {
  Vec6 O_F_ext_hat_K{};  ///< in O's axes, the moment about O's origin
  Vec6 K_F_ext_hat_K{};  ///< in K's axes, the moment about K's origin
};

/// The wrench at K (`F_T_K` on the flange) that explains `tau_ext` best: pinv(J_b(K)ᵀ) tau_ext. All
/// zero where a singular value of the Jacobian is below 0.02 (assumed.hpp X2).
ExternalWrench external_wrench(const robot::ArmState& arm, const Mat4& F_T_K,
                               const Vec7& tau_ext) noexcept;

}  // namespace fsim::control
