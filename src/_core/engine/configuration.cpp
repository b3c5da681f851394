// One overload a setter.
#include "engine/configuration.hpp"

namespace fsim::engine {
namespace {

struct Apply {
  Configuration& c;
  void operator()(const wire::SetCollisionBehaviorRequest& m) const noexcept { c.collision = m; }
  void operator()(const wire::SetJointImpedanceRequest& m) const noexcept { c.K_theta = m.K_theta; }
  void operator()(const wire::SetCartesianImpedanceRequest& m) const noexcept { c.K_x = m.K_x; }
  void operator()(const wire::SetGuidingModeRequest& m) const noexcept {
    c.guiding = {m.guiding_mode, m.nullspace};
  }
  void operator()(const wire::SetEEToKRequest& m) const noexcept { c.EE_T_K = m.EE_T_K; }
  void operator()(const wire::SetNEToEERequest& m) const noexcept {
    c.NE_T_EE = m.NE_T_EE;
    c.F_T_EE = compose(c.F_T_NE, c.NE_T_EE);
  }
  void operator()(const wire::SetLoadRequest& m) const noexcept {
    c.load = {m.m_load, m.F_x_Cload, m.I_load};
  }
  void operator()(const wire::MoveRequest&) const noexcept {}
  void operator()(const wire::StopMoveRequest&) const noexcept {}
  void operator()(const wire::AutomaticErrorRecoveryRequest&) const noexcept {}
};

}  // namespace

void Configuration::apply(const wire::Request& request) noexcept {
  std::visit(Apply{*this}, request);
}

}  // namespace fsim::engine
