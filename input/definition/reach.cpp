#include <algorithm>

#include "input/definition/study.hpp"

namespace counterpoise {
namespace {

void sort_once(std::vector<int>& indices) {
  std::sort(indices.begin(), indices.end());
  indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
}

void append(std::vector<int>& to, const std::vector<int>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// What a variable changes in one load case.
Reach reach_in(const Study& study, const LoadCase& load_case, std::vector<int> from,
               std::vector<bool> replaced) {
  for (const ParameterSetting& setting : load_case.settings) {
    replaced[setting.parameter] = true;
    std::erase(from, setting.parameter);
  }
  Reach reach = reach_of(*study.model, from, replaced);
  const auto& expressions = load_case.motion.expressions;
  reach.motion = std::any_of(expressions.begin(), expressions.end(),
                             [&](const Expression& e) { return reach.changes(e); });
  return reach;
}

}  // namespace

std::vector<ParameterReaders> find_readers(const Model& model) {
  std::vector<ParameterReaders> readers(model.parameters.size());
  const auto add_used = [&](const Expression& expression, auto list, std::size_t reader) {
    for (const int used : expression.used()) {
      if (static_cast<std::size_t>(used) >= readers.size()) continue;  // the angle of a profile
      std::vector<int>& all = readers[used].*list;
      if (all.empty() || all.back() != static_cast<int>(reader))
        all.push_back(static_cast<int>(reader));
    }
  };
  const auto add = [&](const Number& number, auto list, std::size_t reader) {
    if (!number.fixed()) add_used(model.expressions[number.expression], list, reader);
  };
  for (std::size_t k = 0; k < model.evaluation_order.size(); ++k) {
    const auto p = static_cast<std::size_t>(model.evaluation_order[k]);
    add(model.parameters[p].value, &ParameterReaders::parameters, k);
  }
  for (std::size_t p = 0; p < readers.size(); ++p)
    for (const auto* bound : {&model.parameters[p].min, &model.parameters[p].max})
      if (*bound) add(**bound, &ParameterReaders::bounds, p);
  for (std::size_t f = 0; f < model.varying.size(); ++f) {
    for (const Number& number : model.varying[f].numbers) add(number, &ParameterReaders::fields, f);
    if (model.varying[f].field != Field::cam_profile) continue;
    const CamShape& shape = *model.find_cam_shape(model.varying[f].element);
    if (shape.curve) add_used(*shape.curve, &ParameterReaders::fields, f);
  }
  return readers;
}

bool Reach::changes(const Expression& expression) const {
  const auto used = expression.used();
  return std::any_of(used.begin(), used.end(), [&](int value) {
    return static_cast<std::size_t>(value) < parameters.size() && parameters[value];
  });
}

bool Reach::changes_parameter_or_bounds(std::size_t parameter) const {
  return parameters[parameter] ||
         std::binary_search(bounds.begin(), bounds.end(), static_cast<int>(parameter));
}

Reach reach_of(const Model& model, std::span<const int> from, const std::vector<bool>& replaced) {
  Reach reach;
  reach.parameters.assign(model.parameters.size(), false);
  std::vector<int> open(from.begin(), from.end());
  for (const int p : open) reach.parameters[p] = true;
  while (!open.empty()) {
    const ParameterReaders& readers = model.readers[open.back()];
    open.pop_back();
    append(reach.bounds, readers.bounds);
    append(reach.fields, readers.fields);
    for (const int place : readers.parameters) {
      const int p = model.evaluation_order[place];
      const auto at = static_cast<std::size_t>(p);
      if (replaced[at] || reach.parameters[at]) continue;
      reach.parameters[at] = true;
      open.push_back(p);
    }
  }
  sort_once(reach.bounds);
  sort_once(reach.fields);
  return reach;
}

std::vector<int> VariableReach::fields() const {
  std::vector<int> all;
  for (const Reach& reach : load_cases) append(all, reach.fields);
  sort_once(all);
  return all;
}

bool VariableReach::moves() const {
  return std::any_of(load_cases.begin(), load_cases.end(), [](const Reach& r) { return r.motion; });
}

std::vector<bool> set_by_variables(const Study& study) {
  std::vector<bool> set(study.model->parameters.size(), false);
  for (const Variable& variable : study.variables)
    for (const VariableTarget& target : variable.targets) set[target.parameter] = true;
  return set;
}

std::vector<VariableReach> find_reach(const Study& study) {
  const std::vector<bool> set = set_by_variables(study);
  std::vector<VariableReach> found;
  for (const Variable& variable : study.variables) {
    std::vector<int> from;
    for (const VariableTarget& target : variable.targets) from.push_back(target.parameter);
    VariableReach& reach = found.emplace_back();
    reach.design = reach_of(*study.model, from, set);
    for (const LoadCase& load_case : study.motions)
      reach.load_cases.push_back(reach_in(study, load_case, from, set));
  }
  return found;
}

}  // namespace counterpoise
