// A cycle allocates nothing and takes no lock: the memory functions and the locks of this program
// are counted while a cycle runs. Not under a sanitizer, which has its own (dev and clang run it).
#include <doctest/doctest.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FSIM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FSIM_SANITIZED 1
#endif
#endif

#ifdef FSIM_SANITIZED
TEST_CASE("a cycle allocates nothing: skipped, a sanitizer owns the memory functions") {}
#else

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>

#include <cerrno>
#include <mutex>
#include <new>

#include "engine/tool_request.hpp"
#include "support/world.hpp"

namespace {

thread_local bool in_cycle = false;
thread_local const char* caught = nullptr;  // the first forbidden call of a cycle

void seen(const char* what) noexcept {
  if (in_cycle && caught == nullptr) caught = what;
}

}  // namespace

// Exported, so that the C++ library finds them too whatever the visibility of the build.
#pragma GCC visibility push(default)
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-declarations"
void* malloc(std::size_t size) {
  seen("malloc");
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) {
  seen("calloc");
  return __libc_calloc(n, size);
}
void* realloc(void* memory, std::size_t size) {
  seen("realloc");
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  seen("memalign");
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  seen("aligned_alloc");
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  seen("posix_memalign");
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}
void free(void* memory) {
  if (memory != nullptr) seen("free");
  __libc_free(memory);
}

// The next one in line, found before the first guarded cycle.
int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  seen("pthread_mutex_lock");
  using Lock = int (*)(pthread_mutex_t*);
  static Lock next = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  return next(mutex);
}
int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  seen("pthread_rwlock_rdlock");
  using Lock = int (*)(pthread_rwlock_t*);
  static Lock next = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_rwlock_rdlock"));
  return next(lock);
}
#pragma GCC diagnostic pop
}
#pragma GCC visibility pop

using namespace fsim;
using namespace fsim::test;

namespace {

/// One engine, every cycle guarded; stops at the first forbidden call and names it.
class Guarded {
 public:
  World world;
  std::uint64_t moving = 0;  ///< guarded cycles in which a motion ran
  std::uint64_t braking = 0;
  std::uint64_t hand_commands = 0;  ///< that ended

  Guarded() : world(with_hand()) {
    world.engine.submit(engine::ToolAttach{1, world.client.address()});
  }

  static engine::Settings with_hand() {
    engine::Settings s = settings();
    s.tool.kind = engine::ToolSettings::Kind::kHand;
    return s;
  }

  void cycle() {
    in_cycle = true;
    world.engine.run_one_cycle();
    in_cycle = false;
    const char* first = caught;
    CAPTURE(first);
    CAPTURE(world.engine.counters().cycles);
    REQUIRE(first == nullptr);
    const motion::State state = world.engine.unit().state();
    moving += motion::in_motion(state) ? 1 : 0;
    braking += state == motion::State::kStopping ? 1 : 0;
    while (world.client.receive(world.state)) {
    }
    world.events.clear();
    world.poll_events();
    for (engine::ToolEvent e; world.engine.poll_tool_event(e);) ++hand_commands;
  }
  void cycle(wire::RobotCommand command) {
    command.message_id = world.state.message_id;
    world.client.send(world.engine.udp_port(), command);
    cycle();
  }
  void idle(int cycles) {
    for (int n = 0; n < cycles; ++n) cycle();
  }
};

}  // namespace

TEST_CASE("the guard sees new, malloc, free and a mutex") {
  std::mutex mutex;
  mutex.lock();  // resolves the next in line
  mutex.unlock();
  const auto caught_in = [](auto&& body) {
    caught = nullptr;
    in_cycle = true;
    body();
    in_cycle = false;
    const char* what = caught;
    caught = nullptr;
    return std::string(what == nullptr ? "" : what);
  };
  void* volatile kept = nullptr;
  CHECK(caught_in([&] { kept = ::operator new(8); }) == "malloc");
  CHECK(caught_in([&] { ::operator delete(kept); }) == "free");
  CHECK(caught_in([&] { kept = std::malloc(8); }) == "malloc");
  std::free(kept);
  CHECK(caught_in([&] { kept = std::calloc(1, 8); }) == "calloc");
  std::free(kept);
  CHECK(caught_in([&] { mutex.lock(); }) == "pthread_mutex_lock");
  mutex.unlock();
  CHECK(caught_in([] {}).empty());
}

TEST_CASE("10,000 moving cycles with requests, violations and braking never allocate or lock") {
  // issue 2, Shows 6.
  Guarded g;
  UdpClient stranger;
  const std::array<std::byte, 12> rubbish{};
  engine::Token token = 1;
  g.idle(60);
  for (int block = 0; g.moving < 10000; ++block) {
    const std::uint32_t generator = std::array{kJointVelocity, kJointPosition,
                                               kNoGenerator}[static_cast<std::size_t>(block) % 3];
    const std::uint32_t controller = generator == kNoGenerator ? kExternal
                                     : block % 2 == 0          ? kJointImpedance
                                                               : kCartesianImpedance;
    g.world.engine.submit(engine::tool_request(token++, wire::ToolKind::kHand,
                                               wire::GripperMoveRequest{block % 2 * 0.06, 0.1}));
    g.world.submit(token++, wire::SetLoadRequest{});
    g.world.submit(token++, wire::SetCollisionBehaviorRequest{});
    g.world.submit(token++, move(generator, controller));
    g.cycle();
    g.cycle();
    const Vec7 q0 = g.world.state.q_d;
    for (int n = 1; n <= 500; ++n) {
      wire::RobotCommand command;
      command.q_c = q0;
      command.q_c[3] += 0.1 * quintic(n * 1e-3, 0.5) * (block % 2 == 0 ? 1 : -1);
      command.dq_c[0] = 0.3 * std::sin(2 * M_PI * n / 500);
      command.tau_J_d[6] = 0.2 * std::sin(2 * M_PI * n / 500);
      if (n == 200) command.q_c[2] += 1e-3;                              // warned: discontinuities
      if (n == 210) command.dq_c[2] = 0.1;                               // the same for a velocity
      if (n == 220) command.tau_J_d[6] = 2.0;                            // and a torque
      if (n % 50 == 0) g.world.submit(token++, wire::SetLoadRequest{});  // refused
      if (n % 60 == 0) stranger.send_bytes(g.world.engine.udp_port(), rubbish);
      if (n % 61 == 0) g.world.client.send_bytes(g.world.engine.udp_port(), rubbish);
      if (n % 70 == 0)
        g.idle(3);  // lost
      else
        g.cycle(command);
      if (n == 300 && block % 4 == 1) break;
    }
    switch (block % 4) {
      case 0: {
        wire::RobotCommand last = position(g.world.state.q_d, true);
        last.torque_command_finished = true;
        g.cycle(last);
        break;
      }
      case 1:
        g.world.submit(token++, wire::StopMoveRequest{});
        break;
      case 2:
        g.cycle(position(all_joints(std::nan(""))));
        g.world.engine.submit(engine::SideInput{engine::SideInput::Kind::kUserStop, true});
        g.idle(50);
        g.world.engine.submit(engine::SideInput{engine::SideInput::Kind::kUserStop, false});
        break;
      default:
        g.world.engine.submit(engine::Detach{});
        g.idle(20);
        g.world.attach(g.world.client);
        break;
    }
    g.idle(400);
    g.world.submit(token++, wire::AutomaticErrorRecoveryRequest{});
    g.idle(400);
    REQUIRE(g.world.state.robot_mode == wire::RobotMode::kIdle);
  }
  // An asynchronous motion: targets on the way, one out of range (warned), a finish.
  wire::MoveRequest async = move(kJointPosition);
  async.use_async_motion_generator = true;
  async.maximum_velocity = all_joints(2.0);
  g.world.submit(token++, async);
  g.idle(3);
  for (int n = 0; n < 40; ++n) {
    Vec7 target = robot::kFr3.q_ready;
    target[static_cast<std::size_t>(n) % kJoints] += n == 20 ? 9.0 : 0.2 * std::sin(n);
    g.cycle(position(target));
    g.idle(20 + n);
  }
  CHECK(g.world.engine.unit().asynchronous());
  g.cycle(position({}, true));
  g.idle(600);
  CHECK(g.world.state.robot_mode == wire::RobotMode::kIdle);

  // Everything back to the start, out of a running motion.
  g.world.submit(token++, move(kJointVelocity));
  g.idle(3);
  g.cycle(velocity({}));
  g.world.engine.submit(engine::Restart{});
  g.cycle();

  const engine::EngineCounters counts = g.world.engine.counters();
  CHECK(counts.began > 10000);
  CHECK(g.moving >= 10000);
  CHECK(g.braking > 50);
  CHECK(g.hand_commands > 10);
  CHECK(counts.udp.foreign > 50);
  CHECK(counts.udp.malformed > 50);
}

#endif
