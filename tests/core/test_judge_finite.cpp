// Values that are no numbers are refused whatever the switches say.
// Source: reference 000, "Non-finite commands are refused whether or not enforcement is on".
#include <cmath>
#include <limits>

#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Kind {
  MotionSpec spec;
  Row row;
  int error;
};
constexpr Kind kKinds[] = {{kPosition, Row::kPositionFinite, 12},
                           {kVelocity, Row::kVelocityFinite, 13},
                           {kTorque, Row::kTorqueFinite, 34}};

TEST_CASE("a non-finite value aborts per generator, joint and kind, enforced or not") {
  for (const Kind& kind : kKinds)
    for (const Rules rules : {strict(), permissive()})
      for (std::size_t i = 0; i < kJoints; ++i)
        for (double bad : {kNan, kInf, -kInf})
          for (bool first : {true, false}) {
            const Vec7 rest = kind.spec.generator == Generator::kJointPosition ? kReady : Vec7{};
            Client client(kind.spec, rules);
            if (!first) REQUIRE(clean(client.answer(rest)));
            const CycleResult r = client.answer(with(rest, i, bad));
            REQUIRE(breaks(r, kind.row));
            CHECK(r.violations[0].joint == static_cast<int>(i));
            CHECK(r.violations[0].enforced);
            CHECK(r.abort.has(static_cast<wire::Error>(kind.error)));
            CHECK(r.abort.has(wire::Error::kJointVelocityViolation) == (kind.error == 13));
            CHECK(r.reference.q_d == kReady);
            CHECK(r.reference.tau_J_d == Vec7{});
            CHECK(std::isfinite(client.judge.reference().dq_d[i]));
          }
}

TEST_CASE("a late non-finite value is refused where late ones are applied, ignored where not") {
  for (const bool apply : {true, false}) {
    Rules rules = permissive();
    rules.apply_late = apply;
    Client client(kPosition, rules);
    client.answer(kReady);
    client.lose();
    const CycleResult r = client.deliver({{client.now, with(kReady, 0, kNan)}});
    CHECK(r.abort.any() == apply);
    CHECK(r.reference.q_d == kReady);
  }
}

TEST_CASE("a value whose differences overflow is refused before it can poison the history") {
  Client client(kPosition, permissive());
  CHECK(breaks(client.answer(with(kReady, 0, 1e300)), Row::kPositionRange));
  CHECK(breaks(client.answer(with(kReady, 0, 1e305)), Row::kPositionFinite));
  Client velocity(kVelocity, permissive());
  CHECK(breaks(velocity.answer(with({}, 0, 1e307)), Row::kVelocityFinite));
}

}  // namespace
}  // namespace fsim::judge::test
