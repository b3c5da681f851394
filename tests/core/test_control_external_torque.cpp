// The momentum observer on an arm that somebody pushes, and the wrench against Pinocchio's numbers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/transforms.hpp"
#include "control/controllers.hpp"
#include "control/external_torque.hpp"
#include "support/arm_plant.hpp"

using namespace fsim;
using namespace fsim::test;
using control::ExternalTorque;
using robot::kFr3;

namespace {

constexpr std::size_t kColumns = 7 + 16 + 7 + 6 + 6;
constexpr double kCases[][kColumns] = {
#include "fr3_wrench.inc"
};

/// An arm that follows `ref` under joint impedance, and the observer that watches it.
struct Watched {
  ArmPlant plant;
  plant::Output now;
  robot::ArmState model;
  robot::Load declared;
  ExternalTorque observer;

  Watched() {
    plant.reset(kFr3.q_ready, now);
    evaluate();
  }
  void evaluate() { robot::evaluate(kFr3, now.q, now.dq, declared, kGravity, model); }
  const Vec7& cycle(const judge::Reference& ref) {
    const Vec7 tau = control::joint_impedance(kFr3, model, now.q, now.dq, ref, kFr3.K_theta);
    const Vec7 dq = now.dq;
    plant::Input in;
    in.tau = plus(tau, model.gravity);
    plant.step(in, now);
    observer.observe(model, dq, now.dq, now.tau_J);
    evaluate();
    return observer.filtered();
  }
};

judge::Reference hold() { return {kFr3.q_ready, {}, {}, {}}; }

}  // namespace

TEST_CASE("the wrench at K and about O is Pinocchio's, zero in a singular pose") {
  std::size_t zeros = 0;
  for (const auto& row : kCases) {
    Vec7 q, tau;
    Mat4 F_T_K;
    std::copy_n(row, 7, q.begin());
    std::copy_n(row + 7, 16, F_T_K.begin());
    std::copy_n(row + 23, 7, tau.begin());
    robot::ArmState arm;
    robot::evaluate(kFr3, q, {}, {}, kGravity, arm);
    const control::ExternalWrench w = control::external_wrench(arm, F_T_K, tau);
    double largest = 0;
    for (std::size_t k = 0; k < 6; ++k) {
      const double scale = 1e-8 * (1 + std::abs(row[30 + k]) + std::abs(row[36 + k]));
      CHECK(std::abs(w.K_F_ext_hat_K[k] - row[30 + k]) < scale);
      CHECK(std::abs(w.O_F_ext_hat_K[k] - row[36 + k]) < scale);
      largest = std::max(largest, std::abs(row[30 + k]));
    }
    zeros += largest == 0 ? 1 : 0;
  }
  // The last but one of the table lies at a singular value of 0.0199, the last at 0.0201.
  CHECK(zeros >= 1);
  CHECK(kCases[std::size(kCases) - 2][30] == 0);
  CHECK(kCases[std::size(kCases) - 1][30] != 0);
}

TEST_CASE("a wrench that is not finite is not published") {
  robot::ArmState arm;
  robot::evaluate(kFr3, kFr3.q_ready, {}, {}, kGravity, arm);
  Mat4 far = kIdentity4;
  far[12] = 1e200;
  for (const Mat4& F_T_K : {kIdentity4, far}) {
    Vec7 tau = all_joints(1);
    if (F_T_K == kIdentity4) tau[3] = std::nan("");
    const control::ExternalWrench w = control::external_wrench(arm, F_T_K, tau);
    for (std::size_t k = 0; k < 6; ++k) {
      CHECK(w.K_F_ext_hat_K[k] == 0);
      CHECK(w.O_F_ext_hat_K[k] == 0);
    }
  }
}

TEST_CASE("a step of torque is seen with the lag of 50 1/s and 30 Hz, against the push") {
  // Two first-order lags in a row: 1 - (b e^-at - a e^-bt) / (b - a).
  const double a = 50, b = 2 * M_PI * 30;
  Watched arm;
  for (int n = 0; n < 100; ++n) arm.cycle(hold());
  for (std::size_t joint = 0; joint < kJoints; ++joint)
    CHECK(std::abs(arm.observer.filtered()[joint]) < 1e-9);
  arm.plant.push = {8, -10, 6, 9, -3, 2, 1.5};
  for (int n = 1; n <= 500; ++n) {
    const Vec7& seen = arm.cycle(hold());
    const double t = n * 1e-3;
    const double share = 1 - (b * std::exp(-a * t) - a * std::exp(-b * t)) / (b - a);
    for (std::size_t i = 0; i < kJoints; ++i)
      CHECK(std::abs(seen[i] + share * arm.plant.push[i]) < 0.01 * std::abs(arm.plant.push[i]));
  }
  for (std::size_t i = 0; i < kJoints; ++i)
    CHECK(std::abs(arm.observer.filtered()[i] + arm.plant.push[i]) < 1e-6);
}

TEST_CASE("free motion at 1 rad/s in all joints keeps |tau_ext| under 0.3 Nm, friction or not") {
  for (const double friction : {0.0, 1.0}) {
    Watched arm;
    arm.plant.arm().friction_factor = friction;
    double most = 0, fastest = 0;
    for (int n = 0; n < 4000; ++n) {
      // 0.25 rad at 4 rad/s, brought up over a second: 1 rad/s and 4 rad/s^2.
      const double t = n * 1e-3, w = 4.0, A = 0.25 * std::min(1.0, t);
      judge::Reference ref = hold();
      for (std::size_t i = 0; i < kJoints; ++i) {
        const double sign = i % 2 == 0 ? 1 : -1;
        ref.q_d[i] += sign * A * std::sin(w * t);
        ref.dq_d[i] = sign * A * w * std::cos(w * t);
        ref.ddq_d[i] = -sign * A * w * w * std::sin(w * t);
      }
      most = std::max(most, largest(arm.cycle(ref)));
      fastest = std::max(fastest, largest(arm.now.dq));
    }
    MESSAGE("at up to " << fastest << " rad/s: " << most << " Nm");
    CHECK(fastest > 0.95);
    CHECK(most < 0.3);
    CHECK(most < 1e-6);  // the model is the arm, and the step of the observer is exact
  }
}

TEST_CASE("an undeclared load reads as +m g on z, and declaring it lets the reading fade") {
  Watched arm;
  arm.plant.arm().load = {2.0, {0, 0, 0.05}, {}};
  for (int n = 0; n < 3000; ++n) arm.cycle(hold());
  const auto wrench = [&] {
    return control::external_wrench(arm.model, kIdentity4, arm.observer.filtered()).O_F_ext_hat_K;
  };
  CHECK(std::abs(wrench()[2] - 2.0 * 9.81) < 0.05);
  CHECK(std::abs(wrench()[0]) < 0.05);
  CHECK(std::abs(wrench()[1]) < 0.05);
  // SetLoad: from there on it falls without a step up.
  arm.declared = arm.plant.arm().load;
  arm.evaluate();
  double before = wrench()[2];
  for (int n = 0; n < 1000; ++n) {
    arm.cycle(hold());
    CHECK(wrench()[2] < before + 1e-3);
    before = std::max(0.0, wrench()[2]);
  }
  CHECK(std::abs(wrench()[2]) < 0.01);
}
