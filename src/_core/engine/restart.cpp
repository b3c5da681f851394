// Putting robot and world back to where they began, in one cycle. What only ever counts up goes on:
// ids, numbers of motions, counters.
#include <memory>

#include "engine/engine.hpp"

namespace fsim::engine {

void Engine::put_at_start() noexcept {
  plant_.reset(unit_.type().q_ready, world_);
  sensors_.measure(world_, measured_);
  unit_.reset(measured_);
}

void Engine::restart() noexcept {
  // Nobody may see the arm jump, and no request may stay without its answer.
  socket_.detach();
  unit_.let_go();
  tool_.let_go();
  if (timing_motion_) keeper_.motion_ended();
  timing_motion_ = false;
  flush_events();
  tool_link_.restart();
  // Built anew in their places, so that nothing new in them can be forgotten here.
  const robot::RobotType& robot = unit_.type();
  const UnitSettings settings = unit_.settings();
  const Unit::Lasting lasting = unit_.lasting();
  std::destroy_at(&unit_);
  std::construct_at(&unit_, robot, settings, lasting);
  std::destroy_at(&tool_);
  std::construct_at(&tool_, settings_.tool);
  std::destroy_at(&keeper_);
  std::construct_at(&keeper_, clock_.period_ns());
  sensors_ = Sensors(settings_.sensors);
  disturbances_ = {};
  motion_ = {};
  hash_ = {};
  hashing_ = false;
  record_.command = {};
  lag_ = 0;
  starting_cycles_ = 0;
  timed_motion_ = 0;
  timed_out_ = push_refused_ = false;
  lose_.store(0, std::memory_order_release);
  put_at_start();
  counts_.began = published_.next().n;
}

}  // namespace fsim::engine
