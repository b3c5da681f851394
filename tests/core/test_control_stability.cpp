// The internal controllers over all they accept: bounded while pushed, settled afterwards, and as
// stiff as they were told. robot-model.md section 8 has the ranges.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/transforms.hpp"
#include "control/controllers.hpp"
#include "simulated_arm.hpp"

using namespace fsim;
using namespace fsim::test;
using robot::kFr3;

namespace {

constexpr unsigned kSeed = 2026;
/// Stiffness frame away from the flange and turned.
constexpr Mat4 kTool{0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0.02, -0.03, 0.15, 1};

/// Inside the joint ranges and clear of singularities, where pushes are not amplified.
Vec7 random_pose(std::mt19937_64& random) {
  for (;;) {
    Vec7 q;
    for (std::size_t i = 0; i < kJoints; ++i) {
      const double middle = (kFr3.limits.lower[i] + kFr3.limits.upper[i]) / 2;
      const double half = (kFr3.limits.upper[i] - kFr3.limits.lower[i]) / 2;
      q[i] = middle + 0.7 * half * std::uniform_real_distribution<double>(-1, 1)(random);
    }
    // Elbow and wrist bent.
    if (q[3] < -0.8 && q[3] > -2.6 && std::abs(q[5] - 0.6) > 0.5) return q;
  }
}

/// An arm without dry friction that holds a pose, and a wrench on its flange.
struct Held {
  SimulatedArm arm{kFr3};
  robot::Load declared;
  Vec6 wrench{};  ///< on the robot, in O's axes at the flange
  Vec7 q_d;

  explicit Held(const Vec7& q, const robot::Load& load = {}) : declared(load), q_d(q) {
    arm.q = q;
    arm.load = load;
    arm.friction_factor = 0;
  }
  template <class Law>
  void cycle(Law&& law) {
    robot::ArmState model;
    robot::evaluate(kFr3, arm.q, arm.dq, declared, kGravity, model);
    Vec7 tau = plus(law(model, judge::Reference{q_d, {}, {}, {}}), model.gravity);
    for (std::size_t i = 0; i < kJoints; ++i)
      for (std::size_t k = 0; k < 6; ++k) tau[i] += model.J_F[6 * i + k] * wrench[k];
    arm.step(tau);
  }
};

auto joint_law(const Held& held, const Vec7& K_theta) {
  return [&held, K_theta](const robot::ArmState& model, const judge::Reference& ref) {
    return control::joint_impedance(kFr3, model, held.arm.q, held.arm.dq, ref, K_theta);
  };
}
auto cartesian_law(const Held& held, const Mat4& EE_T_K, const Vec6& K_x) {
  return [&held, EE_T_K, K_x](const robot::ArmState& model, const judge::Reference& ref) {
    return control::cartesian_impedance(kFr3, model, held.arm.q, held.arm.dq, ref, kIdentity4,
                                        EE_T_K, K_x);
  };
}

/// A random push of `force` N and a tenth of it in Nm.
Vec6 random_push(std::mt19937_64& random, double force) {
  Vec6 w;
  for (std::size_t k = 0; k < 6; ++k)
    w[k] = std::normal_distribution<double>()(random) * force / (k < 3 ? 1.7 : 17.0);
  return w;
}

const robot::Load kNothing{};
/// 3 kg, the nominal payload, as a ball of 5 cm in front of the flange.
const robot::Load kPayload{3.0, {0, 0, 0.06}, {3e-3, 0, 0, 0, 3e-3, 0, 0, 0, 3e-3}};

struct Outcome {
  double fastest, energy, error;
};

/// Push for 0.2 s, then let it settle.
template <class Law>
Outcome pushed(Held& held, std::mt19937_64& random, double force, int settle, Law&& law) {
  held.wrench = random_push(random, force);
  double fastest = 0;
  for (int n = 0; n < 200 + settle; ++n) {
    if (n == 200) held.wrench = {};
    held.cycle(law);
    fastest = std::max(fastest, largest(held.arm.dq));
  }
  return {fastest, held.arm.energy(), distance(held.arm.q, held.q_d)};
}

}  // namespace

TEST_CASE("joint impedance is bounded and settles after a push at every stiffness and load") {
  std::mt19937_64 random(kSeed);
  CAPTURE(kSeed);
  for (const Vec7& K : {all_joints(0), all_joints(10), all_joints(300), kFr3.K_theta,
                        all_joints(14250), Vec7{14250, 0, 14250, 10, 14250, 0, 14250}})
    for (const robot::Load& load : {kNothing, kPayload})
      for (int pose = 0; pose < 6; ++pose) {
        CAPTURE(K[1]);
        CAPTURE(load.mass);
        CAPTURE(pose);
        Held held(random_pose(random), load);
        const Outcome end = pushed(held, random, 10, 3000, joint_law(held, K));
        CHECK(end.fastest < 4);
        // Without a spring nothing but the joints' viscous friction takes the energy of the push.
        if (*std::min_element(K.begin(), K.end()) >= 300) {
          CHECK(end.energy < 1e-8);
          CHECK(end.error < 1e-4);
        } else {
          CHECK(end.energy < 1);
        }
      }
}

TEST_CASE("Cartesian impedance is bounded and settles after a push at every stiffness and load") {
  std::mt19937_64 random(kSeed);
  CAPTURE(kSeed);
  struct Case {
    Vec6 K_x;
    double force;
    int settle;
  };
  // The softest spring on some 10 kg swings at 1 rad/s.
  for (const Case& c :
       {Case{{10, 10, 10, 1, 1, 1}, 4, 14000}, Case{{10, 10, 10, 300, 300, 300}, 4, 14000},
        Case{{3000, 3000, 3000, 1, 1, 1}, 4, 8000}, Case{{3000, 10, 300, 1, 300, 30}, 4, 14000},
        Case{{300, 300, 300, 30, 30, 30}, 20, 4000},
        Case{{3000, 3000, 3000, 300, 300, 300}, 20, 4000}})
    for (const robot::Load& load : {kNothing, kPayload})
      for (const Mat4& EE_T_K : {kIdentity4, kTool})
        for (int pose = 0; pose < 3; ++pose) {
          CAPTURE(c.K_x[0]);
          CAPTURE(c.K_x[3]);
          CAPTURE(load.mass);
          CAPTURE(EE_T_K[14]);
          CAPTURE(pose);
          Held held(random_pose(random), load);
          const Outcome end =
              pushed(held, random, c.force, c.settle, cartesian_law(held, EE_T_K, c.K_x));
          CHECK(end.fastest < 4);
          CHECK(end.energy < 1e-5);
          CHECK(end.error < 0.01);
        }
}

TEST_CASE("half the stiffness, twice the deflection, for K_theta and K_x down to the softest") {
  // issue 4, Shows 4. Static and without friction. 5 % for the change of the Jacobian on the way.
  struct Case {
    bool joints;
    double k, c, force;  ///< K_x along [N/m] and about [Nm/rad]
  };
  for (const Case& is : {Case{true, 0, 0, 10}, Case{false, 3000, 300, 10},
                         Case{false, 2000, 20, 10}, Case{false, 20, 2, 0.3}})
    for (std::size_t axis = 0; axis < 3; ++axis) {
      CAPTURE(axis);
      CAPTURE(is.k);
      std::array<double, 2> deflection{};
      for (const int half : {0, 1}) {
        Held held(kFr3.q_ready);
        const double share = half == 0 ? 1.0 : 0.5, k = share * is.k, c = share * is.c;
        Vec7 K_theta = kFr3.K_theta;
        for (double& K : K_theta) K *= share;
        held.wrench[axis] = is.force;
        for (int n = 0; n < (is.k < 100 ? 16000 : 5000); ++n) {
          if (is.joints)
            held.cycle(joint_law(held, K_theta));
          else
            held.cycle(cartesian_law(held, kIdentity4, {k, k, k, c, c, c}));
        }
        const double moved = robot::flange_pose(kFr3, held.arm.q)[12 + axis] -
                             robot::flange_pose(kFr3, held.q_d)[12 + axis];
        // F = k x along the axis that is pushed.
        if (!is.joints) CHECK(moved == doctest::Approx(is.force / k).epsilon(0.02));
        deflection[static_cast<std::size_t>(half)] = moved;
      }
      CHECK(deflection[0] > 1e-4);
      CHECK(deflection[1] / deflection[0] == doctest::Approx(2).epsilon(0.05));
    }
}

TEST_CASE("the spring of each axis of K acts alone, the null space only where K is left alone") {
  // A push along one axis of a turned K moves K along that axis by F / k and not across.
  const Vec6 K_x{200, 800, 3000, 30, 60, 300};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    CAPTURE(axis);
    Held held(kFr3.q_ready);
    const Mat4 at_rest = compose(robot::flange_pose(kFr3, held.q_d), kTool);
    for (int n = 0; n < 8000; ++n) {
      // 1 N at the origin of K, along its axis; more would turn K itself.
      const Mat4 O_T_F = robot::flange_pose(kFr3, held.arm.q), O_T_K = compose(O_T_F, kTool);
      const Vec3 f{O_T_K[4 * axis], O_T_K[4 * axis + 1], O_T_K[4 * axis + 2]};
      const Vec3 d{O_T_K[12] - O_T_F[12], O_T_K[13] - O_T_F[13], O_T_K[14] - O_T_F[14]};
      held.wrench = {f[0],
                     f[1],
                     f[2],
                     d[1] * f[2] - d[2] * f[1],
                     d[2] * f[0] - d[0] * f[2],
                     d[0] * f[1] - d[1] * f[0]};
      held.cycle(cartesian_law(held, kTool, K_x));
    }
    const Mat4 O_T_K = compose(robot::flange_pose(kFr3, held.arm.q), kTool);
    for (std::size_t k = 0; k < 3; ++k) {
      double moved = 0;
      for (std::size_t r = 0; r < 3; ++r)
        moved += at_rest[4 * k + r] * (O_T_K[12 + r] - at_rest[12 + r]);
      CHECK(std::abs(moved - (k == axis ? 1 / K_x[k] : 0.0)) < 0.02 / K_x[axis]);
    }
    CHECK(pose_distance(O_T_K, at_rest)[1] < 2e-3);
  }
}
