#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "input/definition/study.hpp"
#include "results/ranking.hpp"

namespace counterpoise {

/// A filter from a condition over the columns case, variables, metrics and objectives, for example
/// `lift.max < 60 N && lean_spring == "X16-128-032"`. `unit_of` gives the SI unit of a column,
/// empty where it is not known. Throws InputError for a wrong condition.
RowFilter parse_row_filter(const std::string& condition, const StoreLayout& layout,
                           const std::function<std::string(const std::string&)>& unit_of);

/// Opens a results file for a command, whose reading ends where a host asks it to stop.
ResultsFile opened(const std::string& path);

/// The case that a user names: an id, or "best" for the first of the ranking (of the first motion,
/// if a variable selects it). Throws StoreError or InputError if there is none.
CaseRow case_of(const ResultsFile& results, const std::string& name);

/// The motion of a study that a user names, for itself alone; -1 for no name. Throws InputError.
int motion_of(const Study& study, const std::string& name);

/// The settings `before`, and in place of those or behind them what `--set` gives; of a parameter
/// that is set twice the last counts. Throws InputError.
std::vector<ParameterSetting> with_settings(std::vector<ParameterSetting> before,
                                            const std::vector<std::string>& set,
                                            const Model& model);

/// Throws InputError when `output` is one of the input files: writing it would destroy its own
/// source.
void require_other_output(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace counterpoise
