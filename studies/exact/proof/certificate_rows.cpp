#include "studies/exact/proof/certificate_rows.hpp"

#include "cases/searches.hpp"
#include "studies/exact/proof/certificate_text.hpp"

namespace counterpoise {

CertificateRow certificate_row(const Study& study, const WrittenProblem& written,
                               const SizingGoal& goal, const SizedCase& sized,
                               const Interruption& interrupted) {
  if (written.stock.groups.empty()) {
    ConvexSolution solution = sized.solution;
    const std::string text = certificate_text(study, written, goal, solution);
    return {0, solution.certificate.bound, solution.gap, text};
  }
  // of the relaxed choice, without the limits that stand for the convex hulls of the stock
  ConvexSolution relaxed = sized.solution;
  relaxed.certificate.limits.resize(written.problem.limits.size());
  add_up(written.problem, relaxed.certificate);
  const ChoiceWitnesses witnesses =
      choice_witnesses(written.problem, written.stock.options, relaxed.certificate, sized.choice,
                       study.search()->within, study.search()->max_cases, interrupted);
  return {0, witnesses.bound, sized.choice.best.front().value - witnesses.bound,
          choice_text(study, written, goal, relaxed, sized.choice, witnesses)};
}

std::vector<StudyEntry> choice_entries(const Study& study, const SpringSizer& sizer,
                                       const SizedCase& sized, int start,
                                       const Interruption& interrupted) {
  if (!sized.solved || sized.choice.best.empty()) return {};
  const StockPrice price = price_of_stock(sizer.written(), sized.choice.best.front(), interrupted);
  return {{choice_key(start), choice_summary(study, sizer.written(), sized.choice, price)}};
}

}  // namespace counterpoise
