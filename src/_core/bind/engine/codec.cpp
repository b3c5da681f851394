// Messages to bytes and back for tests and offline tools; the cycle uses the same codec.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstring>
#include <vector>

#include "record_dtype.hpp"
#include "registers.hpp"
#include "wire/codec.hpp"

namespace py = pybind11;

namespace fsim::bind {
namespace {

std::span<const std::byte> view(const py::bytes& data) {
  char* at = nullptr;
  Py_ssize_t n = 0;
  PyBytes_AsStringAndSize(data.ptr(), &at, &n);
  return {reinterpret_cast<const std::byte*>(at), static_cast<std::size_t>(n)};
}

const wire::Layout& require(const wire::Layout* layout, unsigned version) {
  if (layout == nullptr)
    throw py::value_error("FCI version " + std::to_string(version) + " is not built in");
  return *layout;
}

template <class Message>
py::array one(const py::dtype& dtype, const Message& message) {
  py::array result(dtype, std::vector<py::ssize_t>{});
  std::memcpy(result.mutable_data(), &message, sizeof message);
  return result;
}

template <class Message>
Message from(const py::dtype& dtype, const py::array& value) {
  if (!value.dtype().equal(dtype) || value.size() != 1)
    throw py::value_error("expected one record of the message's dtype");
  Message message;
  std::memcpy(static_cast<void*>(&message), value.data(), sizeof message);
  return message;
}

py::bytes bytes_of(const std::vector<std::byte>& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

}  // namespace

void register_codec(py::module_& m) {
  m.attr("state_dtype") = state_dtype();
  m.attr("command_dtype") = command_dtype();
  m.def(
      "encode_state",
      [](unsigned version, const py::array& state) {
        const wire::Layout& layout = require(wire::state_layout(version), version);
        std::vector<std::byte> out(layout.size);
        wire::encode_state(layout, from<wire::RobotState>(state_dtype(), state), out.data());
        return bytes_of(out);
      },
      py::arg("version"), py::arg("state"), "One record of state_dtype to its datagram.");
  m.def(
      "decode_state",
      [](unsigned version, const py::bytes& data) {
        wire::RobotState state;
        if (!wire::decode_state(require(wire::state_layout(version), version), view(data), state))
          throw py::value_error("RobotState: wrong datagram size");
        return one(state_dtype(), state);
      },
      py::arg("version"), py::arg("data"), "A datagram to one record of state_dtype.");
  m.def(
      "encode_command",
      [](unsigned version, const py::array& command) {
        const wire::Layout& layout = require(wire::command_layout(version), version);
        std::vector<std::byte> out(layout.size);
        wire::encode_command(layout, from<wire::RobotCommand>(command_dtype(), command),
                             out.data());
        return bytes_of(out);
      },
      py::arg("version"), py::arg("command"), "One record of command_dtype to its datagram.");
  m.def(
      "decode_command",
      [](unsigned version, const py::bytes& data) {
        wire::RobotCommand command;
        if (!wire::decode_command(require(wire::command_layout(version), version), view(data),
                                  command))
          throw py::value_error("RobotCommand: wrong datagram size");
        return one(command_dtype(), command);
      },
      py::arg("version"), py::arg("data"), "A datagram to one record of command_dtype.");
}

}  // namespace fsim::bind
