#pragma once

#include "optimizer/search/search.hpp"

namespace counterpoise {

/// One number for any evaluation: finite, and ordered the same way for as long as the merit is not
/// tuned anew.
///
/// A computable point has objective + weight * violation, as it is up to a ceiling and squeezed
/// into one `scale` above it; a point that is not computable lies above that, within another
/// `scale`, the higher the larger its violation.
class Merit {
 public:
  /// Sets scale and ceiling from a typical value of the objective.
  void tune(double typical);
  void raise_weight();

  double operator()(const Evaluation& evaluation) const;

  /// Above every value of operator().
  double worst() const { return ceiling_ + 3.0 * scale_; }

 private:
  double weight_ = 10.0;
  double scale_ = 1.0;
  double ceiling_ = 0.0;
};

bool has_value(const Evaluation& evaluation);
bool is_feasible(const Evaluation& evaluation);

}  // namespace counterpoise
