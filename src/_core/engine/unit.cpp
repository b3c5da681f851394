// Requests, transitions and their actions. Torques are in unit_control.cpp, the published state in
// unit_state.cpp.
#include "engine/unit.hpp"

#include "engine/unit_cartesian.hpp"
#include "motion/arguments.hpp"

namespace fsim::engine {

using motion::Input;
using motion::State;
using wire::Status;

namespace {

judge::Generator generator_of(std::uint32_t move_number) noexcept {
  switch (move_number) {  // Move request numbers, wire.md 1.3
    case 0:
      return judge::Generator::kJointPosition;
    case 1:
      return judge::Generator::kJointVelocity;
    case 2:
      return judge::Generator::kCartesianPosition;
    case 3:
      return judge::Generator::kCartesianVelocity;
    default:
      return judge::Generator::kNone;
  }
}

/// What the machine sees of a request.
struct InputOf {
  Input operator()(const wire::MoveRequest&) const noexcept { return Input::kMove; }
  Input operator()(const wire::StopMoveRequest&) const noexcept { return Input::kStopMove; }
  Input operator()(const wire::SetGuidingModeRequest&) const noexcept {
    return Input::kSetGuidingMode;
  }
  Input operator()(const wire::AutomaticErrorRecoveryRequest&) const noexcept {
    return Input::kRecover;
  }
  template <class Setter>
  Input operator()(const Setter&) const noexcept {
    return Input::kSetter;
  }
};

}  // namespace

Unit::Unit(const robot::RobotType& robot, const UnitSettings& settings,
           const Lasting& lasting) noexcept
    : robot_(robot),
      limits_{robot.limits, robot.cartesian},
      settings_(settings),
      totals_(lasting.counters),
      motion_number_(lasting.motion_number) {
  configuration_.ee = settings.ee;
  configuration_.F_T_NE = settings.F_T_NE;
  configuration_.F_T_EE = compose(settings.F_T_NE, configuration_.NE_T_EE);
}

void Unit::judge(Cycle published, std::span<const wire::RobotCommand> commands, Cycle fresh_from,
                 bool injected_loss) noexcept {
  result_ = {};
  published_ = published;
  if (state_ != State::kStarting && state_ != State::kMoving) return;
  if (async_) {
    follow_targets(commands);
    return;
  }
  if (injected_loss) commands = {};
  judge_.observe(observation());
  result_ = judge_.close(published, commands, fresh_from);
  if (result_.started) input(Input::kFirstCommand);
  report(result_.violations);
  if (result_.unsolved) note(Notice::kUnsolvedPose);
  if (result_.abort.any()) {
    errors_ |= result_.abort;
    reflex_reason_ = errors_;
    input(Input::kViolation);
    return;
  }
  if (state_ != State::kMoving) return;
  reference_ = cartesian() ? rejoin_.follow(result_.reference, result_.joint_path, robot_.limits)
                           : result_.reference;
  if (result_.finished) finish();
}

void Unit::finish() noexcept {
  const auto violations = judge_.judge_hold(published_);
  report(violations);
  // The first tick that fails ends the motion; what a second one would break never happens.
  if (!violations.empty() && violations[0].enforced) {
    abort(violations[0].error);
    return;
  }
  input(Input::kFinish);
}

void Unit::abort(wire::Error error) noexcept {
  errors_.set(error);
  reflex_reason_ = errors_;
  input(Input::kViolation);
}

void Unit::report(const FixedVector<judge::Violation, 8>& violations) noexcept {
  for (const judge::Violation& v : violations) {
    // Warned once per error class and motion; what aborts is always told.
    if (!v.enforced && warned_.has(v.error)) continue;
    warned_.set(v.error);
    Event event;
    event.kind = EventKind::kViolation;
    event.violation = v;
    event.motion = motion_number_;
    events_.push(event);
  }
}

void Unit::note(Notice notice) noexcept {
  Event event;
  event.kind = EventKind::kNotice;
  event.notice = notice;
  event.motion = motion_number_;
  events_.push(event);
}

void Unit::reply(Token token, const wire::CommandRow& row, Status status, EventKind kind) noexcept {
  Event event;
  event.kind = kind;
  event.token = token;
  event.status = wire::number(row, status);
  event.errors = reflex_reason_;
  event.motion = motion_number_;
  events_.push(event);
}

void Unit::request(const ClientRequest& request) noexcept {
  const Input in = std::visit(InputOf{}, request.request);
  // A Move that waits for standstill is replaced by a newer one and ended by a stop.
  if (in == Input::kMove || in == Input::kStopMove) refuse_pending_move(Status::kPreempted);
  if (in == Input::kMove && state_ == State::kIdle) {
    start(request);
    return;
  }
  const motion::Transition& t = motion::transition(state_, in);
  // What is refused for its arguments changes nothing: no setting, and no motion is stopped for it.
  if (t.answer != motion::Answer::kNotPossible && !motion::acceptable(request.request)) {
    reply(request.token, *request.row, Status::kInvalidArgumentRejected);
    return;
  }
  if ((t.actions & motion::kApply) != 0) {
    const robot::Load carried = configuration_.total();
    configuration_.apply(request.request);
    // Only another load moves an arm at rest; the rest must not wake the world, or what a motion
    // starts from would depend on when the setter came.
    const robot::Load now = configuration_.total();
    if (now.mass != carried.mass || now.F_x_C != carried.F_x_C || now.I != carried.I) stir();
  }
  switch (t.answer) {
    case motion::Answer::kNotPossible:
      reply(request.token, *request.row, Status::kCommandNotPossibleRejected);
      break;
    case motion::Answer::kAtRest:
      if (in == Input::kMove)
        pending_move_ = request;
      else if (in == Input::kRecover)
        pending_recovery_ = request;
      else if (!pending_stops_.push(request))
        reply(request.token, *request.row, Status::kSuccess);
      break;
    default:
      reply(request.token, *request.row, Status::kSuccess);
      break;
  }
  input(in);
}

void Unit::start(const ClientRequest& request) noexcept {
  const auto& move = std::get<wire::MoveRequest>(request.request);
  if (!motion::acceptable(request.request)) {
    reply(request.token, *request.row, Status::kInvalidArgumentRejected);
    return;
  }
  // The same stream of commands must meet the same world: lockstep starts from rest.
  if (settings_.rest_before_move && !at_rest()) {
    pending_move_ = request;
    return;
  }
  const judge::MotionSpec spec{generator_of(move.motion_generator_mode), move.controller_mode == 2};
  if (judge::is_cartesian(spec.generator) && singular(arm_)) {
    reply(request.token, *request.row, Status::kStartAtSingularPoseRejected);
    return;
  }
  spec_ = spec;
  async_ = move.use_async_motion_generator;
  maximum_velocity_ = move.maximum_velocity;
  opened_ = published_.next();
  generator_mode_ = static_cast<wire::MotionGeneratorMode>(move.motion_generator_mode + 1);
  controller_mode_ = static_cast<wire::ControllerMode>(move.controller_mode);
  const Vec3& path = move.maximum_path_deviation;
  const Vec3& goal = move.maximum_goal_pose_deviation;
  maximum_path_deviation_ = {path[0], path[1], path[2]};
  maximum_goal_deviation_ = {goal[0], goal[1], goal[2]};
  move_token_ = request.token;
  move_row_ = request.row;
  ++motion_number_;
  warned_.clear();
  reflex_reason_.clear();
  totals_ += judge_.counters();
  judge_.begin(spec_, limits_, settings_.rules, start_of_motion(), {this, &solve_joints}, opened_);
  rejoin_.begin(reference_.q_d);
  reply(request.token, *request.row, Status::kMotionStarted, EventKind::kMotionStarted);
  input(Input::kMove);
}

void Unit::side_input(const SideInput& in) noexcept {
  switch (in.kind) {
    case SideInput::Kind::kUserStop:
      input(in.on ? Input::kUserStopPressed : Input::kUserStopReleased);
      break;
    case SideInput::Kind::kGuiding:
      guiding_held_ = in.on;
      input(in.on ? Input::kGuidingStarted : Input::kGuidingEnded);
      break;
    case SideInput::Kind::kBrakes:
      input(in.on ? Input::kBrakesClosed : Input::kBrakesOpened);
      break;
  }
}

void Unit::client_gone() noexcept {
  // Nobody is left to read it, but each request gives its slot back with its answer.
  refuse_pending_move(Status::kAborted);
  for (const ClientRequest& stop : pending_stops_) reply(stop.token, *stop.row, Status::kSuccess);
  pending_stops_.clear();
  if (pending_recovery_) {
    reply(pending_recovery_->token, *pending_recovery_->row, Status::kAborted);
    pending_recovery_.reset();
  }
  input(Input::kClientGone);
}

void Unit::let_go() noexcept {
  client_gone();
  end_motion(Status::kAborted);
}

void Unit::input(Input in) noexcept {
  const motion::Transition& t = motion::transition(state_, in);
  const bool changed = t.to != state_;
  state_ = t.to;
  if (changed) {
    phase_cycles_ = 0;
    still_cycles_ = 0;
    // A Move starts from the rest that was reached before it; the world must not stir until its
    // first command, however long that takes.
    if (state_ != State::kStarting) stir();
    if (state_ == State::kGuiding)
      guiding_.begin(compose(arm_.O_T_F, configuration_.F_T_EE), world_.q);
  }
  act(t);
}

void Unit::act(const motion::Transition& t) noexcept {
  const auto has = [&t](motion::Action a) { return (t.actions & a) != 0; };
  if (has(motion::kEndSuccess)) end_motion(Status::kSuccess);
  if (has(motion::kEndPreempted)) end_motion(Status::kPreempted);
  if (has(motion::kEndReflex)) end_motion(Status::kReflexAborted);
  if (has(motion::kEndEmergency)) end_motion(Status::kEmergencyAborted);
  if (has(motion::kEndAborted)) end_motion(Status::kAborted);
  if (has(motion::kAbortRecovery) && pending_recovery_) {
    reply(pending_recovery_->token, *pending_recovery_->row, Status::kEmergencyAborted);
    pending_recovery_.reset();
  }
  if (has(motion::kLatch) && pending_recovery_) {
    reply(pending_recovery_->token, *pending_recovery_->row, Status::kReflexAborted);
    pending_recovery_.reset();
  }
  if (has(motion::kClear)) {
    errors_.clear();
    contact_.recovered();
  }
  // Under torques of the client the arm need not be near the reference: it settles where it is.
  if (has(motion::kSettle)) begin_brake(spec_.external_torque);
  if (has(motion::kBrake))
    // A stop asked for follows the reference down; a fault brakes the arm from where it is.
    begin_brake(state_ != State::kStopping || spec_.external_torque);
  if (has(motion::kResume) && errors_.any()) state_ = State::kReflex;
  // Closed brakes hold the arm where it is.
  if (state_ == State::kOther) {
    reference_ = {world_.q, {}, {}, {}};
    braking_ = false;
    holding_ = false;
  }
  // A stop or a Move that waited for standstill is overtaken by what happened.
  if (state_ == State::kReflex || state_ == State::kUserStopped || state_ == State::kOther ||
      state_ == State::kGuiding) {
    for (const ClientRequest& stop : pending_stops_) reply(stop.token, *stop.row, Status::kSuccess);
    pending_stops_.clear();
    refuse_pending_move(Status::kCommandNotPossibleRejected);
  }
}

void Unit::end_motion(Status status) noexcept {
  generator_mode_ = wire::MotionGeneratorMode::kIdle;
  controller_mode_ = wire::ControllerMode::kOther;
  tau_J_d_ = {};
  if (move_row_ == nullptr) return;
  reply(move_token_, *move_row_, status, EventKind::kMotionEnded);
  move_row_ = nullptr;
  move_token_ = 0;
}

void Unit::refuse_pending_move(Status status) noexcept {
  if (!pending_move_) return;
  reply(pending_move_->token, *pending_move_->row, status);
  pending_move_.reset();
}

void Unit::answer_deferred() noexcept {
  for (const ClientRequest& stop : pending_stops_) reply(stop.token, *stop.row, Status::kSuccess);
  pending_stops_.clear();
  if (pending_recovery_) {
    reply(pending_recovery_->token, *pending_recovery_->row, Status::kSuccess);
    pending_recovery_.reset();
  }
}

void Unit::decide() noexcept {
  ++phase_cycles_;
  // A motion that ended was shown for one cycle; now the Move that waited begins.
  if (state_ == State::kIdle && pending_move_ && phase_cycles_ > 1 &&
      (!settings_.rest_before_move || at_rest())) {
    const ClientRequest next = *pending_move_;
    pending_move_.reset();
    start(next);
    return;
  }
  // The buttons are held: the arm is guided as soon as nothing else moves it.
  if (state_ == State::kIdle && guiding_held_ && !pending_move_ && phase_cycles_ > 1) {
    input(Input::kGuidingStarted);
    return;
  }
  if (!still_enough()) return;
  input(Input::kAtRest);
  answer_deferred();
}

}  // namespace fsim::engine
