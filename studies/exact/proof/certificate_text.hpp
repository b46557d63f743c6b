#pragma once

#include "input/text/json_document.hpp"
#include "optimizer/convex/choice/choice_witnesses.hpp"
#include "optimizer/convex/solve.hpp"
#include "studies/exact/problem/stock_price.hpp"

namespace counterpoise {

/// A certificate as JSON, complete enough to be added up again from the study's files alone: the
/// goal, the unknowns, the multipliers of pieces and limits, and the samples that carry weight.
///
/// Means and root mean squares give weight to every sample, but mostly the weight that follows from
/// the loads at the optimum: of a mean its own weight with the sign of the load, of a root mean
/// square in proportion to the load. Only samples with another weight are listed.
/// `solution` becomes what the text says: weights that are listed nowhere are those that follow
/// from the loads, and bound, slopes and gap are of these.
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

/// What of it is needed to write its problem again.
SizingGoal goal_in(const JsonValue& certificate, const Study& study);

struct StoredCertificate {
  Certificate certificate;
  std::vector<double> x;
  std::vector<Certificate> witnesses;  // of a choice beside sized springs; bounds not stated
};

/// The rest, for the problem of that goal and geometry. Throws InputError where it does not fit.
StoredCertificate certificate_in(const JsonValue& certificate, const WrittenProblem& written);

/// What of a certificate is for who reads it (names of unknowns and limits; metrics, motions and
/// times of instants; those of its witnesses) and is not what the rest of it says, in words; empty
/// if all is. `certificate` must have been read by certificate_in() before.
std::string fault_of_words(const JsonValue& certificate, const Study& study,
                           const WrittenProblem& written);

}  // namespace counterpoise
