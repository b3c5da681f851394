// External torques: range before rate, the opening one against zero, beside a generator.
// Source: reference 000, "What is checked, and what it latches".
#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

TEST_CASE("a torque that breaks range and rate is out of range") {
  Client client(kTorque, permissive());
  const CycleResult r = client.answer(with({}, 6, 12.5));
  REQUIRE(r.violations.size() == 1);
  CHECK(static_cast<int>(r.violations[0].error) == 34);
  CHECK(r.violations[0].joint == 6);
  CHECK(r.violations[0].value == 12.5);
  CHECK(r.violations[0].limit == 12.0);
}

TEST_CASE("the opening torque is judged against zero") {
  CHECK(clean(Client(kTorque, strict()).answer(all_joints(0.999))));
  const CycleResult r = Client(kTorque, strict()).answer(with({}, 3, -1.001));
  CHECK(breaks(r, Row::kTorqueRate));
  CHECK(r.violations[0].value == doctest::Approx(-1001));
  CHECK(r.abort.has(wire::Error::kControllerTorqueDiscontinuity));
  CHECK(r.reference.tau_J_d == Vec7{});
}

TEST_CASE("a torque-only motion leaves q_d where it began") {
  Client client(kTorque, strict());
  for (int k = 1; k < 50; ++k) {
    const CycleResult r = client.answer(all_joints(0.1 * k));
    CHECK(clean(r));
    CHECK(r.reference.q_d == kReady);
    CHECK(r.reference.dq_d == Vec7{});
    CHECK(r.reference.tau_J_d == all_joints(0.1 * k));
  }
}

TEST_CASE("beside a generator both are judged and both reported, the generator first") {
  Client client({Generator::kJointPosition, true}, strict());
  wire::RobotCommand c = client.command(client.now.next(), plus(kReady, 0, 8e-6));
  c.tau_J_d = with({}, 0, 2.0);
  const CycleResult r = client.close({c});
  REQUIRE(r.violations.size() == 2);
  CHECK(static_cast<int>(r.violations[0].error) == 15);
  CHECK(static_cast<int>(r.violations[1].error) == 32);
  CHECK(r.abort.has(wire::Error::kJointMotionGeneratorAccelerationDiscontinuity));
  CHECK(r.abort.has(wire::Error::kControllerTorqueDiscontinuity));
}

TEST_CASE("without an external controller the torque stays zero") {
  Client client(kPosition, strict());
  wire::RobotCommand c = client.command(client.now.next(), kReady);
  c.tau_J_d = all_joints(500);
  const CycleResult r = client.close({c});
  CHECK(clean(r));
  CHECK(r.reference.tau_J_d == Vec7{});
}

}  // namespace
}  // namespace fsim::judge::test
