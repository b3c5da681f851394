// The UDP socket under good and hostile datagrams: what is taken, what is counted, what is bounded.
#include <doctest/doctest.h>

#include <stdexcept>
#include <system_error>
#include <vector>

#include "engine/udp.hpp"
#include "support/requests.hpp"
#include "support/udp_client.hpp"

using namespace fsim;
using namespace fsim::test;
using engine::StateSocket;

namespace {

void attach(StateSocket& socket, const UdpClient& client) {
  socket.attach(client.address(), *wire::state_layout(10), *wire::command_layout(10));
}

wire::RobotCommand numbered(std::uint64_t id) {
  wire::RobotCommand c;
  c.message_id = id;
  return c;
}

}  // namespace

TEST_CASE("the attached client's commands arrive in order, with a time of arrival") {
  StateSocket socket("127.0.0.1");
  UdpClient client;
  attach(socket, client);
  for (std::uint64_t id = 1; id <= 40; ++id) client.send(socket.port(), numbered(id));
  StateSocket::Commands commands;
  socket.drain(commands);
  REQUIRE(commands.size() == 40);
  for (std::size_t i = 0; i < 40; ++i) CHECK(commands[i].message_id == i + 1);
  CHECK(socket.counters().received == 40);
  CHECK(socket.last_arrival_ns() > 1'000'000'000'000'000'000);  // CLOCK_REALTIME, after 2001
  socket.drain(commands);
  CHECK(commands.size() == 40);
}

TEST_CASE("a datagram from another port is foreign and not obeyed") {
  // issue 2: datagrams from any address or port but the client's are not obeyed.
  StateSocket socket("127.0.0.1");
  UdpClient client, stranger;
  StateSocket::Commands commands;
  client.send(socket.port(), numbered(1));
  socket.drain(commands);
  CHECK(commands.empty());  // nobody is attached
  attach(socket, client);
  stranger.send(socket.port(), numbered(2));
  client.send(socket.port(), numbered(3));
  stranger.send_bytes(socket.port(), {});
  socket.drain(commands);
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].message_id == 3);
  CHECK(socket.counters().foreign == 3);
  CHECK(socket.counters().malformed == 0);
  socket.detach();
  client.send(socket.port(), numbered(4));
  socket.drain(commands);
  CHECK(commands.size() == 1);
  CHECK(socket.counters().foreign == 4);
}

TEST_CASE("an empty, short, long or huge datagram is malformed and not obeyed") {
  StateSocket socket("127.0.0.1");
  UdpClient client;
  attach(socket, client);
  const std::vector<std::byte> bytes(60'000, std::byte{1});
  std::uint64_t sent = 0;
  StateSocket::Commands commands;
  for (const std::size_t size : {0u, 1u, 12u, 370u, 372u, 373u, 1377u, 9000u, 60'000u}) {
    client.send_bytes(socket.port(), {bytes.data(), size});
    ++sent;
    socket.drain(commands);
    CAPTURE(size);
    CHECK(commands.empty());
    CHECK(socket.counters().malformed == sent);
  }
  client.send(socket.port(), numbered(7));
  socket.drain(commands);
  REQUIRE(commands.size() == 1);
  CHECK(commands[0].message_id == 7);
  CHECK(socket.counters().foreign == 0);
}

TEST_CASE("a flood costs a bounded number of datagrams a cycle, and every one is counted") {
  StateSocket socket("127.0.0.1");
  UdpClient client;
  attach(socket, client);
  for (std::uint64_t id = 1; id <= 100; ++id) client.send(socket.port(), numbered(id));
  StateSocket::Commands commands;
  socket.drain(commands);
  REQUIRE(commands.size() > 0);
  CHECK(commands.size() <= StateSocket::kBatch);
  CHECK(commands[commands.size() - 1].message_id == 100);  // the newest are kept
  CHECK(socket.counters().received == 100);
  CHECK(socket.counters().overflow == 100 - commands.size());
  // More than a drain takes: 256 at most, whatever waits (bound of StateSocket::drain).
  StateSocket second("127.0.0.1");
  attach(second, client);
  for (int n = 0; n < 2000; ++n) client.send_bytes(second.port(), {});
  StateSocket::Commands none;
  std::uint64_t before = 0;
  for (int n = 0; n < 20; ++n) {
    second.drain(none);
    CHECK(second.counters().received - before <= 256);
    before = second.counters().received;
  }
  CHECK(second.counters().malformed == before);
  CHECK(none.empty());
}

TEST_CASE(
    "a state reaches the client from the port that takes commands, and nobody when detached") {
  // wire.md 2.1: the client answers to the source address of the state.
  StateSocket socket("127.0.0.1");
  UdpClient client;
  wire::RobotState state;
  state.message_id = 5;
  const auto send = [&socket](const wire::RobotState& what) {
    const std::size_t size = socket.encode(what).size();
    socket.send();
    return size;
  };
  CHECK(send(state) == 0);
  attach(socket, client);
  CHECK(send(state) == 1377);
  wire::RobotState got;
  REQUIRE(client.receive(got, 1000));
  CHECK(got.message_id == 5);
  CHECK_FALSE(client.receive(got));
  socket.detach();
  CHECK(send(state) == 0);
  CHECK_FALSE(client.receive(got));
}

TEST_CASE("a client that is gone costs nothing: sends go on") {
  StateSocket socket("127.0.0.1");
  {
    UdpClient client;
    attach(socket, client);
  }
  for (int n = 0; n < 100; ++n) {
    CHECK(socket.encode({}).size() == 1377);
    socket.send();
  }
}

TEST_CASE("a host that is no address or not ours is refused when the socket is made") {
  CHECK_THROWS_AS(StateSocket("not an address"), std::invalid_argument);
  CHECK_THROWS_AS(StateSocket("::1"), std::invalid_argument);
  CHECK_THROWS_AS(StateSocket("192.0.2.1"), std::system_error);  // RFC 5737: nobody's
}
