#pragma once

#include "results/keeping/kept_cases.hpp"
#include "results/keeping/totals.hpp"
#include "results/rows/id_set.hpp"

namespace counterpoise {

/// The state of a results file that keeps some of the cases only: which were evaluated, which are
/// kept, and what all come to.
class Selection {
 public:
  /// Of a file that holds no rows yet; see restore(). Throws std::invalid_argument as KeptCases.
  Selection(const KeepRule& rule, const Birth& birth, Totals totals, IdSet evaluated)
      : kept_(rule, birth), totals_(std::move(totals)), evaluated_(std::move(evaluated)) {}

  /// Takes a row that the file holds; returns whether it is one that was to be kept.
  bool restore(const RowBatch& batch, std::size_t row);
  /// Takes a case that has just been evaluated. Throws std::logic_error if it was before.
  void take(const RowBatch& batch, std::size_t row);
  /// Takes what another file says about cases that this one has not, and one of its rows.
  void take_totals(const Totals& totals, const IdSet& evaluated);
  void take_kept(const RowBatch& batch, std::size_t row) { kept_.offer(batch, row); }

  [[nodiscard]] KeptCases& kept() { return kept_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  [[nodiscard]] const IdSet& evaluated() const { return evaluated_; }

 private:
  KeptCases kept_;
  Totals totals_;
  IdSet evaluated_;
};

}  // namespace counterpoise
