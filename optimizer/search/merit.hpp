#pragma once

#include "optimizer/search/search.hpp"

namespace counterpoise {

/// One finite number for any evaluation. The order of evaluations stays the same until the merit is
/// tuned again.
///
/// A computable point has objective + weight * violation; above a ceiling this value is compressed
/// into one `scale`. A point that is not computable lies above that, within another `scale`, and
/// the higher the larger its violation.
class Merit {
 public:
  /// Sets scale and ceiling from a typical value of the objective.
  void tune(double typical);
  void raise_weight();

  double operator()(const Evaluation& evaluation) const;

  /// A number above every value of operator().
  double worst() const { return ceiling_ + 3.0 * scale_; }

 private:
  double weight_ = 10.0;
  double scale_ = 1.0;
  double ceiling_ = 0.0;
};

bool has_value(const Evaluation& evaluation);
bool is_feasible(const Evaluation& evaluation);

}  // namespace counterpoise
