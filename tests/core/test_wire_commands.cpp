// The TCP commands against compiler-made sizes, numbers and bytes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "support/wire_golden.hpp"
#include "wire/commands.hpp"
#include "wire/errors.hpp"

using namespace fsim;
using namespace fsim::wire;
using namespace fsim::test::golden;

namespace {

/// A request flattened in wire order, written out by hand.
struct Flatten {
  std::vector<double> out;
  void add(double x) { out.push_back(x); }
  template <class T, std::size_t N>
  void add(const std::array<T, N>& all) {
    for (const T& x : all) add(static_cast<double>(x));
  }
  template <class... T>
  void all(const T&... members) {
    (add(members), ...);
  }
  void operator()(const MoveRequest& m) {
    all(m.controller_mode, m.motion_generator_mode, m.maximum_path_deviation,
        m.maximum_goal_pose_deviation, m.use_async_motion_generator, m.maximum_velocity);
  }
  void operator()(const SetCollisionBehaviorRequest& m) {
    all(m.lower_torque_thresholds_acceleration, m.upper_torque_thresholds_acceleration,
        m.lower_torque_thresholds_nominal, m.upper_torque_thresholds_nominal,
        m.lower_force_thresholds_acceleration, m.upper_force_thresholds_acceleration,
        m.lower_force_thresholds_nominal, m.upper_force_thresholds_nominal);
  }
  void operator()(const SetJointImpedanceRequest& m) { all(m.K_theta); }
  void operator()(const SetCartesianImpedanceRequest& m) { all(m.K_x); }
  void operator()(const SetGuidingModeRequest& m) { all(m.guiding_mode, m.nullspace); }
  void operator()(const SetEEToKRequest& m) { all(m.EE_T_K); }
  void operator()(const SetNEToEERequest& m) { all(m.NE_T_EE); }
  void operator()(const SetLoadRequest& m) { all(m.m_load, m.F_x_Cload, m.I_load); }
  void operator()(const StopMoveRequest&) {}
  void operator()(const AutomaticErrorRecoveryRequest&) {}
};

std::span<const std::byte> payload_of(const std::vector<std::byte>& message) {
  return std::span(message).subspan(12);  // wire.md 1.1: a header of 12 bytes
}

const CommandRow& row_named(std::string_view name) {
  for (const CommandRow& row : *commands(10))
    if (name == row.name) return row;
  FAIL("no such command");
  return (*commands(10))[0];
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> out(1);
  for (const char c : list) {
    if (c == ',')
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

}  // namespace

TEST_CASE("ids, sizes and status numbers of the twelve commands are the compiler's") {
  REQUIRE(commands(10) != nullptr);
  REQUIRE(commands(10)->size() == std::size(kCommands));
  REQUIRE(std::size(kCommands) == 12);
  for (const GoldenCommand& golden : kCommands) {
    CAPTURE(std::string(golden.name));
    const CommandRow& row = row_named(golden.name);
    CHECK(row.id == golden.id);
    CHECK(row.request_size == golden.request_size);
    CHECK(row.reply_size == golden.reply_size);
    const std::vector<std::string> statuses = split(golden.statuses);
    REQUIRE(row.statuses.size() == statuses.size());
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      CHECK(name(row.statuses[i]) == statuses[i]);
      CHECK(number(row, row.statuses[i]) == i);
    }
    CHECK(find_command(10, golden.id) == &row);
  }
}

TEST_CASE("a status that a command lacks becomes its refusal") {
  // commands.hpp: kCommandNotPossibleRejected; Connect has no such status and refuses with its own.
  CHECK(number(row_named("StopMove"), Status::kMotionStarted) == 1);
  CHECK(number(row_named("SetLoad"), Status::kReflexAborted) == 1);
  CHECK(number(row_named("Move"), Status::kManualErrorRecoveryRequiredRejected) == 5);
  CHECK(number(row_named("Connect"), Status::kAborted) == 1);
}

TEST_CASE("an unknown id or version has no command") {
  for (const std::uint32_t id : {12u, 13u, 255u, 0xFFFFFFFFu})
    CHECK(find_command(10, id) == nullptr);
  for (const unsigned version : {0u, 5u, 9u, 11u}) {
    CHECK(commands(version) == nullptr);
    CHECK(find_command(version, 1) == nullptr);
  }
}

TEST_CASE("every golden request decodes to its values") {
  int decoded = 0;
  for (const GoldenVector& v : kVectors) {
    if (v.kind != "request" || v.name == "Connect" || v.name == "GetRobotModel") continue;
    CAPTURE(std::string(v.name));
    const std::vector<std::byte> message = v.bytes();
    const auto request = decode_request(row_named(v.name), payload_of(message));
    REQUIRE(request.has_value());
    Flatten flat;
    std::visit(flat, *request);
    CHECK(std::equal(flat.out.begin(), flat.out.end(), v.values.begin(), v.values.end()));
    ++decoded;
  }
  CHECK(decoded == 10);
}

TEST_CASE("Connect and GetRobotModel never become a request of the core") {
  for (const GoldenVector& v : kVectors)
    if (v.kind == "request" && (v.name == "Connect" || v.name == "GetRobotModel"))
      CHECK_FALSE(decode_request(row_named(v.name), payload_of(v.bytes())).has_value());
}

TEST_CASE("a payload of any other size is refused, for every command") {
  const std::vector<std::byte> bytes(600, std::byte{0x3F});
  for (const GoldenCommand& golden : kCommands)
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      const bool right = size + 12 == golden.request_size;
      const bool core = golden.name != "Connect" && golden.name != "GetRobotModel";
      CAPTURE(std::string(golden.name));
      CAPTURE(size);
      CHECK(decode_request(row_named(golden.name), {bytes.data(), size}).has_value() ==
            (right && core));
    }
}

TEST_CASE("a bool of any nonzero byte in a request is true") {
  std::vector<std::byte> payload(7);
  for (int value = 0; value < 256; ++value) {
    std::fill(payload.begin(), payload.end(), static_cast<std::byte>(value));
    const auto request = decode_request(row_named("SetGuidingMode"), payload);
    REQUIRE(request.has_value());
    const auto& guiding = std::get<SetGuidingModeRequest>(*request);
    std::uint8_t raw;
    std::memcpy(&raw, &guiding.nullspace, 1);
    CHECK(raw == (value == 0 ? 0 : 1));
    for (const bool axis : guiding.guiding_mode) CHECK(axis == (value != 0));
  }
}

TEST_CASE("the 41 errors have libfranka's names in libfranka's order") {
  REQUIRE(std::size(kErrors) == 41);
  REQUIRE(kErrorCount == 41);
  for (std::size_t i = 0; i < 41; ++i) {
    CHECK(kErrorNames[i] == kErrors[i]);
    CHECK(name(static_cast<Error>(i)) == kErrors[i]);
    ErrorSet one;
    one.set(static_cast<Error>(i));
    CHECK(one.bits() == std::uint64_t{1} << i);
    CHECK(one.any());
    for (std::size_t k = 0; k < 41; ++k) CHECK(one.has(static_cast<Error>(k)) == (k == i));
  }
}
