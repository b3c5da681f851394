// Built from the layout tables, so that a field has one name everywhere.
#include "record_dtype.hpp"

#include <pybind11/gil_safe_call_once.h>
#include <pybind11/stl.h>

#include <cstddef>

#include "engine/history.hpp"
#include "wire/layout.hpp"

namespace py = pybind11;

namespace fsim::bind {
namespace {

struct Columns {
  py::list names, formats, offsets;
  void add(const py::object& name, const py::object& format, std::size_t offset) {
    names.append(name);
    formats.append(format);
    offsets.append(offset);
  }
  py::dtype make(std::size_t size) const {
    return {names, formats, offsets, static_cast<py::ssize_t>(size)};
  }
};

py::object format_of(const wire::FieldRow& f) {
  const char* code = "f8";
  if (f.type == wire::WireType::kU64) code = "u8";
  if (f.type == wire::WireType::kU8) code = "u1";
  if (f.type == wire::WireType::kBool) code = "?";
  if (f.count == 1) return py::str(code);
  return py::make_tuple(code, f.count);
}

void add_fields(Columns& columns, const wire::Layout& layout, std::size_t base) {
  for (const wire::FieldRow& f : layout.fields) {
    const std::string name = f.name;
    columns.add(py::str(name.substr(name.find('.') + 1)), format_of(f), base + f.member);
  }
}

// Making a dtype takes longer than what it is for: each is made once.
template <class Make>
py::dtype cached(py::gil_safe_call_once_and_store<py::dtype>& store, const Make& make) {
  return store.call_once_and_store_result(make).get_stored();
}

}  // namespace

py::dtype state_dtype() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::dtype> store;
  return cached(store, [] {
    Columns columns;
    add_fields(columns, *wire::state_layout(10), 0);
    return columns.make(sizeof(wire::RobotState));
  });
}

py::dtype command_dtype() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::dtype> store;
  return cached(store, [] {
    Columns columns;
    add_fields(columns, *wire::command_layout(10), 0);
    return columns.make(sizeof(wire::RobotCommand));
  });
}

namespace {

py::dtype make_record_dtype() {
  using R = engine::CycleRecord;
  Columns columns;
  add_fields(columns, *wire::state_layout(10), offsetof(R, state));
  columns.add(py::str("command"), command_dtype(), offsetof(R, command));
  columns.add(py::str("boundary_ns"), py::str("i8"), offsetof(R, boundary_ns));
  columns.add(py::str("deadline_ns"), py::str("i8"), offsetof(R, deadline_ns));
  columns.add(py::str("sent_ns"), py::str("i8"), offsetof(R, sent_ns));
  columns.add(py::str("arrival_ns"), py::str("i8"), offsetof(R, arrival_ns));
  columns.add(py::str("motion"), py::str("u8"), offsetof(R, motion));
  columns.add(py::str("flags"), py::str("u4"), offsetof(R, flags));
  columns.add(py::str("machine_state"), py::str("u1"), offsetof(R, machine_state));
  return columns.make(sizeof(R));
}

}  // namespace

py::dtype record_dtype() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::dtype> store;
  return cached(store, make_record_dtype);
}

}  // namespace fsim::bind
