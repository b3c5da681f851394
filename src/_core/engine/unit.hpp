// One robot of a world: carries out what the machine's table says, in the cycle's order. Must not
// read clocks, touch sockets or queues, or hold a rule of behaviour that could be a table row.
#pragma once

#include <optional>
#include <span>

#include "base/fixed.hpp"
#include "control/brake.hpp"
#include "control/controllers.hpp"
#include "control/external_torque.hpp"
#include "control/guiding.hpp"
#include "control/idle_hold.hpp"
#include "control/rejoin.hpp"
#include "control/target_planner.hpp"
#include "engine/configuration.hpp"
#include "engine/doors.hpp"
#include "judge/contact.hpp"
#include "judge/judge.hpp"
#include "judge/measured.hpp"
#include "motion/machine.hpp"
#include "plant/plant.hpp"
#include "robot/model.hpp"
#include "wire/messages.hpp"

namespace fsim::engine {

struct UnitSettings {
  judge::Rules rules;
  bool rest_before_move = false;        ///< lockstep: a Move is taken up when the arm is at rest
  Vec3 gravity = robot::kTableGravity;  ///< in O, from how the base is mounted [m/s^2]
  robot::Load ee{};                     ///< end effector as configured in Desk
  Mat4 F_T_NE = kIdentity4;
  bool locked = false;           ///< start with closed brakes
  unsigned recovery_cycles = 0;  ///< AutomaticErrorRecovery takes at least this long
};

class Unit {
 public:
  /// Of one cycle: all answers that may be outstanding, twice, and what the judge and the rest say.
  using Events = FixedVector<Event, 2 * kMaxOutstanding + 32>;

  /// What a unit built anew in place of another goes on with.
  struct Lasting {
    std::uint64_t motion_number = 0;
    judge::Counters counters;
  };

  Unit(const robot::RobotType& robot, const UnitSettings& settings) noexcept
      : Unit(robot, settings, Lasting{}) {}
  Unit(const robot::RobotType& robot, const UnitSettings& settings,
       const Lasting& lasting) noexcept;

  /// The plant was put at `world` at rest.
  void reset(const plant::Output& world) noexcept;

  // The cycle, in this order.
  void judge(Cycle published, std::span<const wire::RobotCommand> commands, Cycle fresh_from,
             bool injected_loss) noexcept;
  void request(const ClientRequest& request) noexcept;
  void side_input(const SideInput& input) noexcept;
  void client_gone() noexcept;
  /// Give every request its answer; the unit ends here.
  void let_go() noexcept;
  Lasting lasting() const noexcept { return {motion_number_, counters()}; }
  /// Something from outside moves the arm, or is about to: it is not at rest.
  void stir() noexcept { rest_cycles_ = restless_cycles_ = 0; }
  /// After all requests of the cycle: standstill, deferred requests.
  void decide() noexcept;
  /// Torques for the plant; false: nothing moves (`hold_still`), do not step.
  bool control(bool hold_still, plant::Input& out) noexcept;
  /// `measured` is what the robot's sensors say of `world`; the rest of a world is its own matter.
  void observe(const plant::Output& measured, const plant::Output& world) noexcept;
  void observe(const plant::Output& world) noexcept { observe(world, world); }
  /// Everything but message_id.
  void fill(wire::RobotState& state) const noexcept;

  /// Events since the last call to clear_events(); their `cycle` is filled by the engine.
  const Events& events() const noexcept { return events_; }
  void clear_events() noexcept { events_.clear(); }

  /// Nothing is commanded and the arm has come to rest.
  bool at_rest() const noexcept;
  /// A Move is taken up as soon as the arm is at rest.
  bool awaits_rest() const noexcept { return pending_move_ && state_ == motion::State::kIdle; }
  /// A motion runs that is owed a command every cycle, and its first one has been seen.
  bool following() const noexcept { return state_ == motion::State::kMoving && !async_; }
  /// The motion, or the one before, is owed nothing: targets come when the client likes.
  bool asynchronous() const noexcept { return async_; }
  motion::State state() const noexcept { return state_; }
  std::uint64_t motion_number() const noexcept { return motion_number_; }
  /// Over all motions.
  judge::Counters counters() const noexcept {
    judge::Counters sum = totals_;
    return sum += judge_.counters();
  }
  const judge::CommandJudge& judgement() const noexcept { return judge_; }
  const judge::CycleResult& last_result() const noexcept { return result_; }
  const robot::RobotType& type() const noexcept { return robot_; }
  const UnitSettings& settings() const noexcept { return settings_; }
  const Configuration& configuration() const noexcept { return configuration_; }

 private:
  void input(motion::Input in) noexcept;
  void act(const motion::Transition& t) noexcept;
  void start(const ClientRequest& request) noexcept;
  void follow_targets(std::span<const wire::RobotCommand> commands) noexcept;
  void begin_brake(bool from_measured) noexcept;
  void end_motion(wire::Status status) noexcept;
  void answer_deferred() noexcept;
  void refuse_pending_move(wire::Status status) noexcept;
  void reply(Token token, const wire::CommandRow& row, wire::Status status,
             EventKind kind = EventKind::kReply) noexcept;
  void note(Notice notice) noexcept;
  void report(const FixedVector<judge::Violation, 8>& violations) noexcept;
  void finish() noexcept;
  /// Latch `error` and stop for it.
  void abort(wire::Error error) noexcept;
  judge::Observation observation() const noexcept;
  judge::Start start_of_motion() const noexcept;
  bool cartesian() const noexcept { return judge::is_cartesian(spec_.generator); }
  /// Where the EE is told to be.
  Mat4 commanded_pose() const noexcept;
  judge::Violation placed(judge::Violation v) const noexcept;
  void watch() noexcept;
  void watch_deviation() noexcept;
  /// What pushes the arm, and whether it is too much.
  void watch_contact() noexcept;
  /// The brake leads q_d; what is published of a Cartesian motion follows it.
  void follow_brake() noexcept;
  void fill_commanded(wire::RobotState& state) const noexcept;
  void fill_contact(wire::RobotState& state) const noexcept;
  bool still_enough() const noexcept;
  Vec7 reference_torque() noexcept;

  const robot::RobotType& robot_;
  judge::Limits limits_;
  UnitSettings settings_;
  Configuration configuration_;
  motion::State state_ = motion::State::kIdle;

  // The running motion.
  judge::CommandJudge judge_;
  judge::Counters totals_;  ///< of the motions before
  judge::CycleResult result_;
  Cycle published_;
  judge::MotionSpec spec_;
  bool async_ = false;       ///< asynchronous generator
  Vec7 maximum_velocity_{};  ///< of its Move
  Cycle opened_;             ///< first state that shows the motion
  judge::Deviation maximum_path_deviation_;
  judge::Deviation maximum_goal_deviation_;
  wire::MotionGeneratorMode generator_mode_ = wire::MotionGeneratorMode::kIdle;
  wire::ControllerMode controller_mode_ = wire::ControllerMode::kOther;
  std::uint64_t motion_number_ = 0;
  wire::ErrorSet warned_;  ///< error classes already reported in this motion
  Token move_token_ = 0;
  const wire::CommandRow* move_row_ = nullptr;

  // Requests that wait for standstill.
  std::optional<ClientRequest> pending_move_;
  FixedVector<ClientRequest, 16> pending_stops_;
  std::optional<ClientRequest> pending_recovery_;

  // Control.
  judge::Reference reference_;
  control::Brake brake_;
  control::TargetPlanner planner_;
  control::Rejoin rejoin_;
  control::IdleHold hold_;
  control::Guiding guiding_;
  bool guiding_held_ = false;  ///< the buttons at the flange
  bool braking_ = false;
  bool holding_ = true;
  unsigned still_cycles_ = 0;     ///< below standstill speed, since the state was entered
  unsigned restless_cycles_ = 0;  ///< since something last moved the arm
  unsigned rest_cycles_ = 0;      ///< below rest speed, since something last moved the arm
  unsigned phase_cycles_ = 0;     ///< cycles since the state was entered
  Vec7 tau_J_d_{};
  Vec7 tau_applied_{};  ///< last torque without gravity

  // Observation.
  plant::Output world_;
  robot::ArmState arm_;
  Vec7 dtau_J_{};
  control::ExternalTorque external_torque_;
  control::ExternalWrench external_wrench_;
  judge::ContactJudge contact_;
  wire::ErrorSet errors_;
  wire::ErrorSet reflex_reason_;
  /// What the arm broke already when it was last stopped for it: judged again once it is over.
  wire::ErrorSet excused_;

  Events events_;
};

}  // namespace fsim::engine
