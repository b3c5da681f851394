// The two datagrams against compiler-made layouts and bytes, and what other sizes and odd values
// do.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support/wire_golden.hpp"
#include "wire/codec.hpp"

using namespace fsim;
using namespace fsim::wire;
using namespace fsim::test::golden;

namespace {

constexpr std::uint64_t kMessageId = 0x0102030405060708;  // of the golden vectors

const GoldenVector& vector_of(std::string_view kind, std::string_view name, int number = 0) {
  for (const GoldenVector& v : kVectors)
    if (v.kind == kind && v.name == name && number-- == 0) return v;
  FAIL("no such vector");
  return kVectors[0];
}

std::string_view type_name(WireType type) {
  switch (type) {
    case WireType::kU64:
      return "uint64";
    case WireType::kU32:
      return "uint32";
    case WireType::kU16:
      return "uint16";
    case WireType::kI32:
      return "int32";
    case WireType::kF32:
      return "float32";
    case WireType::kF64:
      return "float64";
    case WireType::kU8:
      return "uint8";
    case WireType::kBool:
      return "bool8";
  }
  return "";
}

void check_layout(const Layout& layout, std::span<const GoldenField> golden, std::size_t size) {
  CHECK(layout.size == size);
  REQUIRE(layout.fields.size() == golden.size());
  std::size_t offset = 0;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    const FieldRow& row = layout.fields[i];
    CAPTURE(row.name);
    CHECK(golden[i].name == row.name);
    CHECK(golden[i].type == type_name(row.type));
    CHECK(golden[i].count == row.count);
    CHECK(golden[i].offset == offset);
    offset += size_of(row.type) * row.count;
  }
}

/// Takes the golden values off in wire order.
class Values {
 public:
  explicit Values(std::span<const double> values) : left_(values) {}
  void to(double& x) {
    x = left_.front();
    left_ = left_.subspan(1);
  }
  void to(bool& x) {
    double wide;
    to(wide);
    x = wide != 0;
  }
  void to(std::uint8_t& x) {
    double wide;
    to(wide);
    x = static_cast<std::uint8_t>(wide);
  }
  template <class T, std::size_t N>
  void to(std::array<T, N>& all) {
    for (T& x : all) to(x);
  }
  template <class Mode>
  requires std::is_enum_v<Mode>
  void to(Mode& mode) {
    std::uint8_t number;
    to(number);
    mode = static_cast<Mode>(number);
  }
  template <class... T>
  Values& into(T&... members) {
    (to(members), ...);
    return *this;
  }
  bool empty() const { return left_.empty(); }

 private:
  std::span<const double> left_;
};

/// In the order of libfranka's header, written out by hand: the plain version of the table.
RobotState golden_state() {
  RobotState s;
  Values v(vector_of("udp", "RobotState").values);
  double id;
  v.into(id, s.O_T_EE, s.O_T_EE_d, s.F_T_EE, s.EE_T_K, s.F_T_NE, s.NE_T_EE, s.m_ee, s.I_ee,
         s.F_x_Cee, s.m_load, s.I_load, s.F_x_Cload, s.elbow, s.elbow_d, s.tau_J, s.tau_J_d,
         s.dtau_J, s.q, s.q_d, s.dq, s.dq_d, s.ddq_d, s.joint_contact, s.cartesian_contact,
         s.joint_collision, s.cartesian_collision, s.tau_ext_hat_filtered, s.O_F_ext_hat_K,
         s.K_F_ext_hat_K, s.O_dP_EE_d, s.O_ddP_O, s.elbow_c, s.delbow_c, s.ddelbow_c, s.O_T_EE_c,
         s.O_dP_EE_c, s.O_ddP_EE_c, s.theta, s.dtheta, s.accelerometer_top, s.accelerometer_bottom,
         s.motion_generator_mode, s.controller_mode, s.errors, s.reflex_reason, s.robot_mode,
         s.control_command_success_rate);
  REQUIRE(v.empty());
  s.message_id = kMessageId;
  return s;
}

RobotCommand golden_command(int number) {
  RobotCommand c;
  Values v(vector_of("udp", "RobotCommand", number).values);
  double id;
  v.into(id, c.q_c, c.dq_c, c.O_T_EE_c, c.O_dP_EE_c, c.elbow_c, c.valid_elbow,
         c.motion_generation_finished, c.tau_J_d, c.torque_command_finished);
  REQUIRE(v.empty());
  c.message_id = id == 0 ? kMessageId : static_cast<std::uint64_t>(id);
  return c;
}

std::vector<std::byte> encoded(const RobotState& s) {
  std::vector<std::byte> out(state_layout(10)->size);
  encode_state(*state_layout(10), s, out.data());
  return out;
}

}  // namespace

TEST_CASE("names, types, counts and offsets of both datagrams are the compiler's") {
  check_layout(*state_layout(10), kRobotStateFields, kRobotStateSize);
  check_layout(*command_layout(10), kRobotCommandFields, kRobotCommandSize);
  // wire.md 3.1 and 3.2, the totals in words.
  CHECK(kRobotStateSize == 1377);
  CHECK(kRobotCommandSize == 371);
}

TEST_CASE("a version that is not built in has no layout") {
  for (const unsigned version : {0u, 1u, 5u, 9u, 11u, 0xFFFFFFFFu}) {
    CHECK(state_layout(version) == nullptr);
    CHECK(command_layout(version) == nullptr);
  }
}

TEST_CASE("the golden state encodes to the golden bytes, all of them and no more") {
  std::vector<std::byte> out(1377 + 64, std::byte{0xA5});
  encode_state(*state_layout(10), golden_state(), out.data());
  const std::vector<std::byte> expected = vector_of("udp", "RobotState").bytes();
  REQUIRE(expected.size() == 1377);
  CHECK(std::memcmp(out.data(), expected.data(), 1377) == 0);
  for (std::size_t i = 1377; i < out.size(); ++i) CHECK(out[i] == std::byte{0xA5});
}

TEST_CASE("the golden bytes decode to the golden state") {
  RobotState s;
  REQUIRE(decode_state(*state_layout(10), vector_of("udp", "RobotState").bytes(), s));
  const RobotState expected = golden_state();
  CHECK(std::memcmp(&s, &expected, offsetof(RobotState, motion_generator_mode)) == 0);
  CHECK(s.motion_generator_mode == expected.motion_generator_mode);
  CHECK(s.controller_mode == expected.controller_mode);
  CHECK(s.robot_mode == expected.robot_mode);
  CHECK(s.errors == expected.errors);
  CHECK(s.reflex_reason == expected.reflex_reason);
}

TEST_CASE("both golden commands decode to their values and encode to their bytes") {
  for (const int number : {0, 1}) {
    const std::vector<std::byte> bytes = vector_of("udp", "RobotCommand", number).bytes();
    const RobotCommand expected = golden_command(number);
    RobotCommand c;
    REQUIRE(decode_command(*command_layout(10), bytes, c));
    CHECK(c.message_id == expected.message_id);
    CHECK(c.q_c == expected.q_c);
    CHECK(c.dq_c == expected.dq_c);
    CHECK(c.O_T_EE_c == expected.O_T_EE_c);
    CHECK(c.O_dP_EE_c == expected.O_dP_EE_c);
    CHECK(c.elbow_c == expected.elbow_c);
    CHECK(c.valid_elbow == expected.valid_elbow);
    CHECK(c.motion_generation_finished == expected.motion_generation_finished);
    CHECK(c.tau_J_d == expected.tau_J_d);
    CHECK(c.torque_command_finished == expected.torque_command_finished);
    std::vector<std::byte> out(371);
    encode_command(*command_layout(10), expected, out.data());
    CHECK(out == bytes);
  }
}

TEST_CASE("a datagram of any other size is refused and leaves the message alone") {
  std::vector<std::byte> bytes = vector_of("udp", "RobotCommand").bytes();
  bytes.resize(2373);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    RobotCommand c;
    c.message_id = 42;
    CHECK(decode_command(*command_layout(10), {bytes.data(), size}, c) == (size == 371));
    if (size != 371) CHECK(c.message_id == 42);
    RobotState s;
    s.message_id = 42;
    CHECK(decode_state(*state_layout(10), {bytes.data(), size}, s) == (size == 1377));
    if (size != 1377) CHECK(s.message_id == 42);
  }
}

TEST_CASE("a bool of 2 to 255 on the wire is true, in memory 1") {
  std::vector<std::byte> bytes = vector_of("udp", "RobotCommand").bytes();
  for (int value = 0; value < 256; ++value) {
    bytes[312] = bytes[313] = bytes[370] = static_cast<std::byte>(value);
    RobotCommand c;
    REQUIRE(decode_command(*command_layout(10), bytes, c));
    std::uint8_t raw[3];
    std::memcpy(&raw[0], &c.valid_elbow, 1);
    std::memcpy(&raw[1], &c.motion_generation_finished, 1);
    std::memcpy(&raw[2], &c.torque_command_finished, 1);
    for (const std::uint8_t bit : raw) CHECK(bit == (value == 0 ? 0 : 1));
  }
}

TEST_CASE("a number narrows to the nearest f32, as a robot publishes it") {
  // wire.md 3.1, observed: -0.785 returns as -0.7850000262.
  RobotState s;
  s.q[0] = -0.785;
  s.q[1] = 1e300;
  s.q[2] = -1e300;
  s.q[3] = std::nan("");
  s.q[4] = 1e-60;
  s.q[5] = -0.0;
  RobotState back;
  REQUIRE(decode_state(*state_layout(10), encoded(s), back));
  CHECK(back.q[0] == doctest::Approx(-0.7850000262).epsilon(1e-10));
  CHECK(back.q[0] != -0.785);
  CHECK(back.q[1] == std::numeric_limits<double>::infinity());
  CHECK(back.q[2] == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(back.q[3]));
  CHECK(back.q[4] == 0);
  CHECK(std::signbit(back.q[5]));
}

TEST_CASE("a fresh state shows identity transforms exactly") {
  // wire.md 3.1: identity defaults need exact 1.0 and a last row of exactly 0, 0, 0, 1.
  RobotState back;
  REQUIRE(decode_state(*state_layout(10), encoded(RobotState{}), back));
  for (const Mat4* T : {&back.O_T_EE, &back.F_T_EE, &back.EE_T_K, &back.F_T_NE, &back.NE_T_EE})
    CHECK(*T == Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
}
