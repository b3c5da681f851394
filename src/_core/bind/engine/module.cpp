// The module _engine: a list of what is bound.
#include "registers.hpp"

PYBIND11_MODULE(_engine, m) {
  m.doc() = "The compiled core of franka_sim: engine, plants, protocol tables and codecs.";
  fsim::bind::register_tables(m);
  fsim::bind::register_codec(m);
  fsim::bind::register_plants(m);
  fsim::bind::register_engine(m);
  fsim::bind::register_disturbances(m);
  fsim::bind::register_timing(m);
  fsim::bind::register_tools(m);
}
