#include "optimizer/search/algorithm.hpp"

#include <array>
#include <stdexcept>

#include "optimizer/search/nlopt_algorithm.hpp"

namespace counterpoise {
namespace {

constexpr std::array algorithms{
    NloptAlgorithm{"LN_COBYLA", nlopt::LN_COBYLA, true, false, 1},
    NloptAlgorithm{"LN_BOBYQA", nlopt::LN_BOBYQA, true, false, 2},
    NloptAlgorithm{"LN_NEWUOA_BOUND", nlopt::LN_NEWUOA_BOUND, true, false, 2},
    NloptAlgorithm{"LN_SBPLX", nlopt::LN_SBPLX, true, false, 1},
    NloptAlgorithm{"LN_NELDERMEAD", nlopt::LN_NELDERMEAD, true, false, 1},
    NloptAlgorithm{"LN_PRAXIS", nlopt::LN_PRAXIS, true, false, 2},
    NloptAlgorithm{"GN_DIRECT", nlopt::GN_DIRECT, false, false, 1},
    NloptAlgorithm{"GN_DIRECT_L", nlopt::GN_DIRECT_L, false, false, 1},
    NloptAlgorithm{"GN_DIRECT_L_RAND", nlopt::GN_DIRECT_L_RAND, false, false, 1},
    NloptAlgorithm{"GN_DIRECT_NOSCAL", nlopt::GN_DIRECT_NOSCAL, false, false, 1},
    NloptAlgorithm{"GN_DIRECT_L_NOSCAL", nlopt::GN_DIRECT_L_NOSCAL, false, false, 1},
    NloptAlgorithm{"GN_DIRECT_L_RAND_NOSCAL", nlopt::GN_DIRECT_L_RAND_NOSCAL, false, false, 1},
    NloptAlgorithm{"GN_ORIG_DIRECT", nlopt::GN_ORIG_DIRECT, false, false, 1},
    NloptAlgorithm{"GN_ORIG_DIRECT_L", nlopt::GN_ORIG_DIRECT_L, false, false, 1},
    NloptAlgorithm{"GN_CRS2_LM", nlopt::GN_CRS2_LM, false, false, 1},
    NloptAlgorithm{"GN_ISRES", nlopt::GN_ISRES, false, false, 1},
    NloptAlgorithm{"GN_ESCH", nlopt::GN_ESCH, false, false, 1},
    NloptAlgorithm{"GN_MLSL", nlopt::GN_MLSL, false, true, 1},
    NloptAlgorithm{"GN_MLSL_LDS", nlopt::GN_MLSL_LDS, false, true, 1},
};

}  // namespace

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for (const NloptAlgorithm& algorithm : algorithms) names.emplace_back(algorithm.name);
  return names;
}

const NloptAlgorithm& find_algorithm(const std::string& name) {
  constexpr std::string_view prefix = "NLOPT_";
  const std::string bare = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
  std::string valid;
  for (const NloptAlgorithm& algorithm : algorithms) {
    if (bare == algorithm.name) return algorithm;
    valid += (valid.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  throw std::invalid_argument(
      '"' + name + "\" is not a derivative-free algorithm of NLopt; use one of " + valid);
}

void check_algorithm(const std::string& name, std::size_t dimensions) {
  const NloptAlgorithm& algorithm = find_algorithm(name);
  if (dimensions >= algorithm.dimensions) return;
  throw std::invalid_argument(name + " needs at least " + std::to_string(algorithm.dimensions) +
                              " variables to move; LN_SBPLX works with " +
                              std::to_string(dimensions));
}

}  // namespace counterpoise
