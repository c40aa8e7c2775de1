// The door between Python and the core: check every input, release the GIL, call, convert. It knows no
// rules.
#include "python/bind.hpp"

// The name differs between builds (CMakeLists.txt); the extra step lets it expand.
#define CLAIMEVEN_NB_MODULE(name, variable) NB_MODULE(name, variable)

namespace nb = nanobind;

CLAIMEVEN_NB_MODULE(CLAIMEVEN_MODULE, module) {
  module.doc() = "The native core of claimeven.";
  nb::set_leak_warnings(false);  // values that caches of the package hold until the end are not leaks
  module.def("close", &claimeven::Interpreter::close, "Called once, when the interpreter is about to end.");
  nb::module_::import_("atexit").attr("register")(module.attr("close"));
  claimeven::bind_board(module);
  claimeven::bind_count(module);
  claimeven::bind_book(module);
  claimeven::bind_solver(module);
  claimeven::bind_agents(module);
  claimeven::bind_learn(module);
  claimeven::bind_network(module);
  claimeven::bind_forest(module);
  claimeven::bind_ntuple(module);
}
