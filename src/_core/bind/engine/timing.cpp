// The timing certificates as dictionaries of numbers and arrays.
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <optional>

#include "engine/engine.hpp"
#include "registers.hpp"

namespace py = pybind11;

namespace fsim::bind {
namespace {

using engine::Certificate;

py::dict histogram_dict(const Histogram& h) {
  py::array_t<std::uint64_t> counts(static_cast<py::ssize_t>(Histogram::kBins));
  auto bins = counts.mutable_unchecked<1>();
  for (std::size_t i = 0; i < Histogram::kBins; ++i) bins(static_cast<py::ssize_t>(i)) = h.at(i);
  py::dict d;
  d["counts"] = counts;
  d["sum_ns"] = h.sum_ns();
  d["lowest_ns"] = h.lowest_ns();
  d["highest_ns"] = h.highest_ns();
  return d;
}

template <class Counted>
py::dict culprits_dict(const Counted& c) {
  py::dict d;
  for (std::size_t i = 0; i < engine::kCulprits; ++i)
    d[engine::name(static_cast<engine::Culprit>(i))] = c.culprits[i];
  return d;
}

py::dict certificate_dict(const Certificate& c) {
  py::dict d;
  d["server_late"] = histogram_dict(c.server_late);
  d["reaction"] = histogram_dict(c.reaction);
  d["round_trip"] = histogram_dict(c.round_trip);
  d["cycles"] = c.cycles;
  d["fresh"] = c.fresh;
  d["late"] = c.late;
  d["duplicate"] = c.duplicate;
  d["unpublished"] = c.unpublished;
  d["lost"] = c.lost;
  d["late_states"] = c.late_states;
  d["culprits"] = culprits_dict(c);
  return d;
}

}  // namespace

py::dict timing_summary(const engine::TimingSummary& s) {
  py::dict d;
  d["cycles"] = s.cycles;
  d["lost"] = s.lost;
  d["late"] = s.late;
  d["late_states"] = s.late_states;
  d["culprits"] = culprits_dict(s);
  d["reaction_p50_ns"] = s.reaction_p50_ns;
  d["reaction_p99_ns"] = s.reaction_p99_ns;
  d["reaction_max_ns"] = s.reaction_max_ns;
  d["server_late_p99_ns"] = s.server_late_p99_ns;
  d["server_late_max_ns"] = s.server_late_max_ns;
  return d;
}

std::optional<py::dict> take_timing(engine::Engine& engine) {
  auto report = std::make_unique<engine::TimingReport>();
  if (!engine.take_timing(*report)) return std::nullopt;
  py::dict d;
  d["motion"] = certificate_dict(report->motion);
  d["connection"] = certificate_dict(report->connection);
  d["number"] = report->number;
  return d;
}

void register_timing(py::module_& m) {
  m.def(
      "histogram_bounds",
      [] {
        py::array_t<std::uint64_t> bounds(static_cast<py::ssize_t>(Histogram::kBins));
        auto upper = bounds.mutable_unchecked<1>();
        for (std::size_t i = 0; i < Histogram::kBins; ++i)
          upper(static_cast<py::ssize_t>(i)) = Histogram::upper_of(i);
        return bounds;
      },
      "Largest duration of each bin of a histogram [ns].");
}

}  // namespace fsim::bind
