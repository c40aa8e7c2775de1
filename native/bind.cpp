// The door between Python and the core: check every input, release the GIL, call, convert. It knows no
// rules.
#include "bind.hpp"

// The name differs between builds (CMakeLists.txt); the extra step lets it expand.
#define CLAIMEVEN_NB_MODULE(name, variable) NB_MODULE(name, variable)

CLAIMEVEN_NB_MODULE(CLAIMEVEN_MODULE, module) {
  module.doc() = "The native core of claimeven.";
  claimeven::bind_count(module);
  claimeven::bind_solver(module);
  claimeven::bind_agents(module);
  claimeven::bind_learn(module);
}
