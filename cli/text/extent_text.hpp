#pragma once

#include <string>

#include "input/definition/study.hpp"
#include "results/results_file.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// "192,720 of 3,000,000 cases; not finished"; empty for a file that holds its whole study.
std::string why_incomplete(const Extent& extent);

/// {"done": 192720, "of": 3000000}; `of` is null where it is not known.
Json json_of(const Extent& extent);

/// "3,040 of 47,570 cases are kept: the best 100, a sample of 2000"; empty where all are.
std::string what_is_kept(const ResultsFile& results);

/// With which values of parameters a motion is gone through: ", each with 3 values of payload (0,
/// 2, 5 kg)"; empty if with none. Without a model (null) values are in SI.
std::string combinations_text(const ParametricMotion& motion, const Model* model);
/// How many poses a motion has and which, and with which values of parameters it is gone through:
/// "2697 poses at rest in motion workspace: all combinations of 31 x 29 positions of shoulder,
/// elbow, each with 3 values of payload (0, 2, 5 kg)". Empty for a motion in time without such
/// values. Without a model (null) values are in SI.
std::string poses_text(const ParametricMotion& motion, const Model* model);
/// The same, a line for each motion of a study.
std::string poses_text(const Study& study, const char* indent = "");

/// How much of its study a file holds; prints a note on standard error if cases are missing, or
/// only some are kept.
Extent noted_extent(const ResultsFile& results);

}  // namespace counterpoise
