#pragma once

#include "results/rows/rows.hpp"
#include "studies/exact/problem/spring_sizer.hpp"

namespace counterpoise {

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
