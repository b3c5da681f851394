// What an echoed id is worth: fresh, superseded, duplicate, late, never published.
// Source: reference 000, "The cycle contract".
#include "test_judge_support.hpp"

namespace fsim::judge::test {
namespace {

Rules dropping() {
  Rules rules = strict();
  rules.apply_late = false;
  return rules;
}

TEST_CASE("of several fresh commands the last to arrive counts") {
  Client client(kPosition, strict());
  client.answer(kReady);
  const Cycle open = client.now.next();
  const CycleResult r = client.deliver(
      {{open, plus(kReady, 0, 0.5)}, {open, plus(kReady, 0, 1e-6)}, {open, plus(kReady, 0, 2e-6)}});
  CHECK(clean(r));
  CHECK(r.reference.q_d[0] == 2e-6);
  CHECK(client.judge.counters().superseded == 2);
  CHECK(client.judge.counters().fresh == 2);
}

TEST_CASE("a duplicate is ignored, identical or not, and never a fault") {
  for (const Rules rules : {strict(), dropping()}) {
    Client client(kPosition, rules);
    client.answer(kReady);
    const Cycle used = client.now;
    const CycleResult r = client.deliver({{used, kReady}, {used, plus(kReady, 0, 1.0)}});
    CHECK(clean(r));
    CHECK_FALSE(r.answered);
    CHECK_FALSE(r.late_applied);
    CHECK(client.judge.counters().duplicate == 2);
    CHECK(client.judge.counters().lost == 1);
    // Beside a fresh one it does no harm.
    const CycleResult next = client.deliver({{client.now.next(), kReady}, {used, kReady}});
    CHECK(clean(next));
    CHECK(next.answered);
  }
}

TEST_CASE("an id never published answers nothing and its cycle is lost") {
  Client client(kPosition, strict());
  client.answer(kReady);
  const Cycle beyond{client.now.n + 2};
  const CycleResult r = client.deliver({{beyond, plus(kReady, 0, 1.0)}, {Cycle{0}, kReady}});
  CHECK(clean(r));
  CHECK_FALSE(r.answered);
  CHECK(client.judge.counters().unpublished == 2);
  CHECK(client.judge.counters().lost == 1);
  // Once published, that id can still be answered.
  CHECK(client.deliver({{beyond, kReady}}).answered);
}

TEST_CASE("a late command is counted and ignored where late ones are not applied") {
  Client client(kPosition, dropping());
  client.answer(kReady);
  client.lose();
  const Cycle missed = client.now;
  const CycleResult r = client.deliver({{missed, plus(kReady, 0, 1.0)}});
  CHECK(clean(r));
  CHECK_FALSE(r.late_applied);
  CHECK(r.reference.q_d == kReady);
  CHECK(client.judge.counters().late == 1);
  CHECK(client.judge.counters().lost == 2);
  client.deliver({{missed, kReady}});
  CHECK(client.judge.counters().duplicate == 1);
}

TEST_CASE("a dropped late command does not start a motion") {
  Client client(kPosition, dropping());
  client.lose();
  CHECK_FALSE(client.deliver({{client.now, kReady}}).started);
  CHECK(client.judge.counters().late == 1);
  CHECK(client.judge.counters().lost == 0);
}

TEST_CASE("in lockstep an older state may still answer the cycle, each id once and in order") {
  Client client(kPosition, strict());
  const auto close = [&](std::initializer_list<Cycle> echoes) {
    client.now = client.now.next();
    std::vector<wire::RobotCommand> batch;
    for (Cycle e : echoes) batch.push_back(client.command(e, kReady));
    return client.judge.close(client.now, batch, {client.now.n - 5});
  };
  for (int k = 0; k < 30; ++k) {
    const CycleResult r = close({{client.now.n - 4}});  // five behind the state of this cycle
    CHECK(r.answered);
    CHECK(clean(r));
  }
  CHECK(client.judge.success_rate() == 1.0);
  const std::uint64_t newest = client.now.n - 5;
  CHECK_FALSE(close({{newest}}).answered);  // used
  const CycleResult two = close({{newest + 2}, {newest + 3}});
  CHECK(two.answered);
  CHECK(client.judge.counters().superseded == 1);
  CHECK(close({{newest + 5}, {newest + 4}}).answered);
  CHECK(client.judge.counters().late == 1);
}

TEST_CASE("stray echoes of long ago are duplicates, ids that jump ahead are fresh") {
  Client client(kPosition, strict());
  client.answer(kReady);
  client.now = {client.now.n + 15};
  CHECK(client.answer(kReady).answered);
  client.deliver({{Cycle{client.now.n - 64}, plus(kReady, 0, 1.0)}});
  CHECK(client.judge.counters().duplicate == 1);
}

TEST_CASE("a command for a state before this motion is never applied") {
  Client client(kPosition, strict());
  client.judge.begin(kPosition, client.limits, strict(), kReady, Cycle{1001});
  const CycleResult r = client.deliver({{Cycle{1000}, plus(kReady, 0, 1.0)}});
  CHECK(clean(r));
  CHECK_FALSE(r.started);
  CHECK(client.judge.counters().late == 1);
}

}  // namespace
}  // namespace fsim::judge::test
