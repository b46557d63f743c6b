#include "optimizer/convex/solver/witnesses.hpp"

namespace counterpoise {

void add_witnesses(const ConvexProblem& problem, std::size_t norm, const Eigen::VectorXd& y,
                   Certificate& certificate) {
  const std::vector<SeriesNorm::Part>& parts = problem.norms[norm].parts;
  Eigen::Index row = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto series = static_cast<std::size_t>(parts[p].series);
    const std::size_t samples = problem.series[series].constant.size();
    for (std::size_t k = 0; k < samples; ++k, ++row) {
      const double weight = y[row] * (parts[p].weights.empty() ? 1.0 : parts[p].weights[k]);
      if (weight == 0.0) continue;
      certificate.witnesses.push_back(
          {static_cast<int>(norm), static_cast<int>(p), static_cast<int>(k), weight});
    }
  }
}

}  // namespace counterpoise
