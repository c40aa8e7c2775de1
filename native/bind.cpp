// The door between Python and the core: check every input, release the GIL, call, convert. It knows no
// rules.
#include "bind.hpp"

NB_MODULE(_core, module) {
  module.doc() = "The native core of claimeven.";
  claimeven::bind_count(module);
  claimeven::bind_solver(module);
  claimeven::bind_agents(module);
}
