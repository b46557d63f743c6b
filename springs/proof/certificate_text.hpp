#pragma once

#include <optional>

#include "input/text/json_document.hpp"
#include "optimizer/convex/choice/choice_check.hpp"
#include "optimizer/convex/solve.hpp"
#include "results/rows/rows.hpp"
#include "springs/problem/problem_writer.hpp"
#include "springs/problem/spring_sizer.hpp"

namespace counterpoise {

/// The gain of springs made to order over the best ones from stock.
struct StockPrice {
  /// The optimum with one variable's springs made to order (see CustomSpring) and the others as
  /// chosen; one per StockGroup. It has no value where a variable sets several laws at once.
  std::vector<std::optional<double>> one;
  std::optional<double> all;  // with all of them made to order
};

/// `best`: the combination chosen at the geometry of `written`. A spring made to order is never
/// worse than the row it stands for.
StockPrice price_of_stock(const WrittenProblem& written, const Combination& best,
                          const Interruption& interrupted = {});

/// A certificate as JSON, complete enough to be added up again from the study's files alone: the
/// goal, the unknowns, the multipliers of pieces and limits, and the samples that carry weight.
///
/// Means and root mean squares give weight to every sample, but mostly the weight that follows from
/// the loads at the optimum: of a mean its own weight with the sign of the load, of a root mean
/// square in proportion to the load. Only samples with another weight are listed. `solution` is
/// changed to agree with the text: unlisted weights follow from the loads, and bound, slopes and
/// gap are computed from them.
std::string certificate_text(const Study& study, const WrittenProblem& written,
                             const SizingGoal& goal, ConvexSolution& solution);

/// The same of a choice from catalogues: the multipliers of the relaxed choice, which give every
/// combination a bound, how many were left out for their bound, and the multipliers of witnesses.
std::string choice_text(const Study& study, const WrittenProblem& written, const SizingGoal& goal,
                        ConvexSolution& relaxed, const ChoiceSolution& choice,
                        const ChoiceWitnesses& witnesses);

/// What a choice came to, as JSON for the study table: all combinations of the catalogues' rows,
/// how many were left out and why, how many are near the best, and what springs made to order would
/// gain.
std::string choice_summary(const Study& study, const WrittenProblem& written,
                           const ChoiceSolution& choice, const StockPrice& price);

/// The goal in a certificate, from which its problem can be written again.
SizingGoal goal_in(const JsonValue& certificate, const Study& study);

struct StoredCertificate {
  Certificate certificate;
  std::vector<double> x;
  std::vector<Certificate> witnesses;  // of a choice beside sized springs; bounds not stated
};

/// The rest, for the problem of that goal and geometry. Throws InputError where it does not fit.
StoredCertificate certificate_in(const JsonValue& certificate, const WrittenProblem& written);

/// Describes the first of a certificate's descriptive entries (names of unknowns and limits;
/// metrics, motions and times of instants, also in its witnesses) that contradicts its numbers;
/// empty if all agree. `certificate` must have been read by certificate_in() before.
std::string fault_of_words(const JsonValue& certificate, const Study& study,
                           const WrittenProblem& written);

/// The certificate of a case for the problem that was written last. It gets the id of the row when
/// the row has one.
CertificateRow certificate_row(const Study& study, const WrittenProblem& written,
                               const SizingGoal& goal, const SizedCase& sized,
                               const Interruption& interrupted);

/// The result of a choice and the gain of springs made to order, for the study table.
std::vector<StudyEntry> choice_entries(const Study& study, const SpringSizer& sizer,
                                       const SizedCase& sized, int start,
                                       const Interruption& interrupted);

}  // namespace counterpoise
