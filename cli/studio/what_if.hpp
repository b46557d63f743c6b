#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "engine/evaluation/evaluator.hpp"
#include "input/definition/study.hpp"
#include "results/text/cells.hpp"
#include "springs/exact.hpp"
#include "studies/pages/design_view.hpp"

namespace counterpoise {

/// Something of a design that the studio's page lets a user change: a variable of the study, or a
/// parameter of the model that no variable sets.
struct Slider {
  std::string name;
  int variable = -1;   // of the study; -1: a parameter
  int parameter = -1;  // of the model, where it is one
  double begin = 0.0;  // its value, or its level, where the user begins
  double low = 0.0, high = 0.0;
};

/// What the studio shows of a study: any design, for values of the study's variables and of further
/// parameters, in one of the study's motions. Its loads are those of `simulate` bit by bit. Not to
/// be used by two threads at a time.
class WhatIf {
 public:
  /// `point` is the design to begin with, by default that of the model's own numbers as near as the
  /// variables have them. Throws InputError where drives are mounted, whose mass the studio would
  /// leave out, and where there is no motion.
  explicit WhatIf(Study study, std::optional<std::vector<double>> point = std::nullopt);

  [[nodiscard]] const Study& study() const { return study_; }
  /// The values of sliders, by name, at a point of the study.
  [[nodiscard]] Json values_at(std::span<const double> point) const;

  /// What the page needs once: a part of type `StudioData` of report/src/studio/studio_data.ts.
  [[nodiscard]] Json page_data() const;

  /// What the page shows of a design: type `Answer` there. `request` has the values that differ
  /// from where the user began by the names of sliders, in SI or as levels, and the name of a
  /// motion; with `size`, the best springs of an exact search take the place of those in the
  /// request. The answer has the design as it is drawn, or with `"scene": false` its loads alone,
  /// of the "actuators" in the request, or of all. Throws InputError where the request is wrong;
  /// that a design cannot be is part of the answer. Cost: two simulations, and the evaluation of a
  /// case.
  Json design(const Json& request);

  /// What the baseline bears in a motion: type `BaselineAnswer` there.
  Json baseline(const Json& request);

  /// The first objective over two variables of the study, with those of the request elsewhere: type
  /// `MapAnswer` there. Besides what design() reads, `request` has the names of the variables,
  /// "across" and "up", the numbers of "columns" and "rows", and the numbers of the "cells" that
  /// are asked for. Answers as many of these, in their order, as it can in a short time, at least
  /// one. With `size`, a cell has the best value that springs reach in its geometry.
  Json map(const Json& request);

 private:
  /// A design as a request asks for it.
  struct Asked {
    std::vector<double> point;              // of the study
    std::vector<ParameterSetting> besides;  // parameters that no variable sets
    std::size_t motion = 0;
    bool same_parameters = true;  // whether `besides` is empty, so that the study knows the design
    bool size = false;            // whether the best springs are asked for
    bool scene = true;            // whether the design is drawn
    Json actuators = {};          // whose loads are asked for; null: all
  };
  [[nodiscard]] Asked asked(const Json& request) const;
  [[nodiscard]] std::size_t motion_named(const Json& request) const;
  [[nodiscard]] double value_of(const Slider& slider, const Json& value) const;
  [[nodiscard]] Json slider_json(const Slider& slider) const;
  [[nodiscard]] bool is_sized(std::size_t variable) const;
  std::optional<std::string> size(Asked& asked, Json& answer);
  Json optimum();
  Json map_cell(const Asked& asked);
  std::optional<std::string> bind(const Asked& asked);
  void add_scene(const Asked& asked, Json& answer);
  void add_loads(const Asked& asked, Json& answer);
  Json metrics(std::size_t m, const Mechanism& mechanism, const Motion& motion, bool springs);
  Json verdict(const Asked& asked);
  Json handles(const Asked& asked);
  [[nodiscard]] std::string command(const Asked& asked) const;

  Study study_;
  std::vector<Slider> sliders_;
  std::vector<double> begin_;  // the point that the user begins with
  CaseDesign design_;
  CaseEvaluator cases_;
  std::vector<std::optional<Evaluator>> evaluators_;  // of each motion, once it was asked for
  std::optional<GeometrySizer> sizer_;                // of a study with exact springs
  CaseOutcome of_cell_;                               // of a map, the last
};

}  // namespace counterpoise
