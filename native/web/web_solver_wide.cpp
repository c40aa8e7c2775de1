// The solver on boards that few people play, built for size (build.sh); web_solver.cpp has the rest, built
// for speed.
#include "solver/solver.hpp"

namespace claimeven {

template class Solver<FourShape<Word128>>;
template class Solver<AnyShape<Word128>>;

}  // namespace claimeven
