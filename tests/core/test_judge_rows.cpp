// Every row of the precedence table just inside and just outside, per joint and sign. The walk is
// over checks(): a new row is tested or fails here.
#include <cmath>
#include <set>
#include <string>

#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

struct Case {
  MotionSpec spec;
  std::vector<double> signal;  // of the one joint, cycle by cycle; the last one is judged
  double q_d;                  // of that joint
  double nominal;
};

// The last sample has `factor` times the limit of `row`.
Case provoke(Row row, std::size_t i, double sign, double factor) {
  const robot::JointLimits l = fr3_limits();
  const double q0 = kReady[i];
  const double a = sign * l.acceleration[i];
  const auto q_of = [&](std::initializer_list<double> accelerations) {
    std::vector<double> q;
    double v = 0, x = q0;
    for (double ddq : accelerations) {
      v += ddq * kDt;
      x += v * kDt;
      q.push_back(x);
    }
    return q;
  };
  const auto v_of = [&](std::initializer_list<double> accelerations) {
    std::vector<double> dq;
    double v = 0;
    for (double ddq : accelerations) dq.push_back(v += ddq * kDt);
    return dq;
  };
  switch (row) {
    case Row::kPositionRange: {
      const double stop = sign > 0 ? l.upper[i] : l.lower[i];
      return {kPosition, {stop + sign * (factor - 1)}, stop, stop};
    }
    case Row::kPositionStart:
      return {kPosition, {q0 + sign * 0.1 * factor}, q0, 0.1};
    case Row::kPositionAcceleration:
      return {kPosition, q_of({0.4 * a, 0.8 * a, factor * a}), q0, l.acceleration[i]};
    case Row::kPositionVelocity: {
      const double v = on_envelope(l, i, q0, sign);
      const double step = v * kDt;
      return {kPosition, {q0 + step, q0 + 2 * step, q0 + 2 * step + factor * step}, q0, v};
    }
    case Row::kPositionJerk:
      return {kPosition, q_of({factor * sign * l.jerk[i] * kDt}), q0, l.jerk[i]};
    case Row::kVelocityStart:
      return {kVelocity, {sign * 0.1 * factor}, q0, 0.1};
    case Row::kVelocityAcceleration:
      return {kVelocity, v_of({0.4 * a, 0.8 * a, factor * a}), q0, l.acceleration[i]};
    case Row::kVelocityJerk:
      return {kVelocity, v_of({factor * sign * l.jerk[i] * kDt}), q0, l.jerk[i]};
    case Row::kVelocityEnvelope: {
      const double v = on_envelope(l, i, q0, sign);
      return {kVelocity, {v, v, factor * v}, q0, v};
    }
    case Row::kTorqueRange: {
      const double tau = sign * l.torque[i];
      return {kTorque, {tau, tau, factor * tau}, q0, l.torque[i]};
    }
    case Row::kTorqueRate:
      return {kTorque, {factor * sign * l.torque_rate[i] * kDt}, q0, l.torque_rate[i]};
    case Row::kPositionFinite:
    case Row::kVelocityFinite:
    case Row::kTorqueFinite:
    case Row::kLostInARow:
    default:
      break;
  }
  return {};
}

CycleResult judge_last(const Case& c, std::size_t i, Rules rules) {
  Vec7 rest = c.spec.generator == Generator::kJointPosition ? kReady : Vec7{};
  Client client(c.spec, permissive(), with(kReady, i, c.q_d));
  client.judge.begin(c.spec, client.limits, rules, with(kReady, i, c.q_d));
  CycleResult last;
  for (double x : c.signal) last = client.answer(with(rest, i, x));
  return last;
}

// Rows that have no threshold on a joint: tested in the file named.
bool has_threshold(Row row) {
  if (row > Row::kLostInARow)
    return false;  // test_judge_cartesian_rows.cpp, test_judge_measured.cpp
  return row != Row::kPositionFinite && row != Row::kVelocityFinite &&  // test_judge_finite.cpp
         row != Row::kTorqueFinite && row != Row::kLostInARow;          // test_judge_losses.cpp
}

TEST_CASE("every row holds just inside its limit and breaks just outside, per joint and sign") {
  for (std::size_t n = 0; n < checks().size(); ++n) {
    const Row row = static_cast<Row>(n);
    if (!has_threshold(row)) continue;
    for (std::size_t i = 0; i < kJoints; ++i)
      for (double sign : {-1.0, 1.0}) {
        CAPTURE(checks()[n].signal);
        CAPTURE(checks()[n].condition);
        CAPTURE(i);
        CAPTURE(sign);
        const CycleResult inside = judge_last(provoke(row, i, sign, 1 - 1e-8), i, permissive());
        // Start tolerances are so wide that the step breaks a discontinuity row instead.
        if (row == Row::kPositionStart)
          CHECK(breaks(inside, Row::kPositionAcceleration));
        else if (row == Row::kVelocityStart)
          CHECK(breaks(inside, Row::kVelocityAcceleration));
        else
          CHECK(clean(inside));

        const Case over = provoke(row, i, sign, 1 + 1e-8);
        const CycleResult outside = judge_last(over, i, permissive());
        REQUIRE(outside.violations.size() == 1);
        const Violation& v = outside.violations[0];
        CHECK(v.row == n);
        CHECK(v.error == checks()[n].error);
        CHECK(v.joint == static_cast<int>(i));
        CHECK(v.limit == doctest::Approx(over.nominal).epsilon(1e-6));
        if (row != Row::kPositionRange)
          CHECK(v.value == doctest::Approx(sign * std::abs(over.nominal)).epsilon(1e-6));
        CHECK_FALSE(v.extrapolated);
        CHECK_FALSE(v.enforced);
        CHECK_FALSE(outside.abort.any());
      }
  }
}

TEST_CASE("an enforced row aborts, is not applied and leaves the last good reference") {
  for (std::size_t i = 0; i < kJoints; ++i) {
    const Case over = provoke(Row::kPositionAcceleration, i, 1, 1.01);
    Client client(kPosition, strict());
    CycleResult good, bad;
    for (std::size_t k = 0; k < over.signal.size(); ++k) {
      good = bad;
      bad = client.answer(with(kReady, i, over.signal[k]));
    }
    CHECK(good.abort.bits() == 0);
    CHECK(bad.abort.has(wire::Error::kJointMotionGeneratorVelocityDiscontinuity));
    CHECK(bad.answered);
    CHECK(bad.violations[0].enforced);
    CHECK(bad.reference.q_d == good.reference.q_d);
    CHECK(bad.reference.ddq_d == good.reference.ddq_d);
    CHECK(client.judge.reference().q_d == good.reference.q_d);
  }
}

TEST_CASE("a violation that is not enforced is applied and recorded") {
  Client client(kPosition, permissive());
  const CycleResult r = client.answer(plus(kReady, 2, 0.05));
  CHECK(breaks(r, Row::kPositionAcceleration));
  CHECK(r.reference.q_d[2] == kReady[2] + 0.05);
  CHECK(r.reference.dq_d[2] == doctest::Approx(50.0));
  CHECK(client.judge.reference().q_d[2] == kReady[2] + 0.05);
}

TEST_CASE("the envelope error of the command brings the safety controller's") {
  // Smoothly too fast: 3.7 rad/s^2 until 2.62 rad/s is passed.
  for (const MotionSpec spec : {kPosition, kVelocity}) {
    Client client(spec, strict(), with(kReady, 0, -1.5));
    double q = -1.5, v = 0;
    CycleResult r;
    do {
      v += 3.7e-3;
      q += v * kDt;
      r = client.answer(spec.generator == Generator::kJointPosition ? with(kReady, 0, q)
                                                                    : with(Vec7{}, 0, v));
    } while (!r.abort.any());
    CHECK(v > 2.62);
    CHECK(v < 2.62 + 3.8e-3);
    CHECK(r.violations.size() == 1);
    CHECK(r.abort.has(wire::Error::kJointMotionGeneratorVelocityLimitsViolation));
    CHECK(r.abort.has(wire::Error::kJointVelocityViolation));
    CHECK(r.violations[0].error == wire::Error::kJointMotionGeneratorVelocityLimitsViolation);
  }
}

TEST_CASE("a step breaks many rows and one name comes back: the discontinuity") {
  // Reference 000, "Which discontinuity you get depends on the interface".
  Client position(kPosition, permissive());
  position.answer(kReady);
  CHECK(breaks(position.answer(plus(kReady, 0, 1.0)), Row::kPositionAcceleration));
  CHECK(static_cast<int>(error_of(Row::kPositionAcceleration)) == 14);
  Client velocity(kVelocity, permissive());
  velocity.answer({});
  CHECK(breaks(velocity.answer(with({}, 0, 50.0)), Row::kVelocityAcceleration));
  CHECK(static_cast<int>(error_of(Row::kVelocityAcceleration)) == 15);
}

TEST_CASE("an opening command out of range and away from q_d is out of range") {
  Client away(kPosition, permissive());
  CHECK(breaks(away.answer(plus(kReady, 0, 0.2)), Row::kPositionStart));
  Client both(kPosition, permissive());
  CHECK(breaks(both.answer(with(kReady, 0, 3.0)), Row::kPositionRange));
  Client later(kPosition, permissive());
  later.answer(kReady);
  CHECK(breaks(later.answer(plus(kReady, 0, 0.2)), Row::kPositionAcceleration));
}

TEST_CASE("the joint that exceeds a limit most is the one reported") {
  Client client(kPosition, permissive());
  const CycleResult r = client.answer(plus(plus(kReady, 1, 2e-5), 4, -5e-5));
  REQUIRE(r.violations.size() == 1);
  CHECK(r.violations[0].joint == 4);
  CHECK(r.violations[0].value == doctest::Approx(-50.0));
  CHECK(r.violations[0].limit == 10.0);
}

TEST_CASE("only the signals of the active generator are looked at") {
  const double nan = std::nan("");
  wire::RobotCommand c;
  c.message_id = 1001;
  c.q_c = kReady;
  c.dq_c = all_joints(nan);
  c.tau_J_d = all_joints(nan);
  Client client(kPosition, strict());
  CHECK(clean(client.close({c})));
}

TEST_CASE("every row of the table has a signal, a condition, a unit and a source") {
  std::set<std::string> seen;
  for (const CheckRow& row : checks()) {
    CHECK_FALSE(std::string(row.source).empty());
    CHECK(row.unit != nullptr);
    CHECK(seen.insert(std::string(name(row.generator)) + row.signal + row.condition).second);
  }
}

}  // namespace
}  // namespace fsim::judge::test
