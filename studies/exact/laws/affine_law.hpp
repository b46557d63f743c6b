#pragma once

#include <array>
#include <string>
#include <vector>

#include "cases/case_evaluator.hpp"
#include "engine/mechanism/elements.hpp"
#include "input/expressions/affine.hpp"
#include "studies/exact/laws/spring_roles.hpp"

namespace counterpoise {

/// A spring's numbers as affine functions of the sized variables, in one motion.
struct AffineSpring {
  AffineNumber rate, free_length, initial_tension;
  AffineNumber min_length, max_length, max_load;  // constant infinite where there is no such limit
};

/// Springs' numbers as affine functions of a study's sized variables, derived from the expressions
/// of its variables and its model by the rules of algebra.
class SpringLaws {
 public:
  /// Throws InputError at the expression and the character where a number of a spring is no affine
  /// function of the sized variables over their whole ranges, whatever the other variables are.
  /// `study` and `roles` must outlive it.
  SpringLaws(const Study& study, const SpringRoles& roles);

  /// Tells which coefficients may be nonzero for some value of the other variables: such a
  /// coefficient is 1 here, or its own value if it is fixed. One AffineSpring per motion and
  /// spring.
  [[nodiscard]] const std::vector<std::vector<AffineSpring>>& structure() const {
    return structure_;
  }

  /// The laws of one design, one AffineSpring per motion and spring. `design` is bound, with every
  /// motion, at a point whose variables are those of the case, except for the sized ones, which may
  /// have any value.
  [[nodiscard]] std::vector<std::vector<AffineSpring>> of(const CaseDesign& design);

 private:
  /// A field that depends on sized variables in one motion.
  struct Law {
    std::size_t spring;
    std::size_t number;  // of AffineSpring, in its order
    int expression;      // index into Model::expressions
  };

  [[nodiscard]] AffineValue set_value(const Variable& variable, std::size_t index,
                                      const VariableTarget& target) const;
  void follow_parameters(std::size_t motion);
  [[nodiscard]] AffineValue computed(std::size_t motion, int parameter) const;
  void find_laws(std::size_t motion);
  static void refuse(const AffineRefusal& refusal, const std::string& number,
                     const std::string& spring);
  void take_present(std::size_t motion, std::span<const double> parameters);

  const Study& study_;
  const SpringRoles& roles_;
  AffineAnalysis analysis_;
  std::vector<std::vector<AffineValue>> parameters_;  // per motion and parameter of the model
  std::vector<std::vector<int>> computed_;  // per motion: parameters that depend on sized variables
  std::vector<std::vector<Law>> laws_;      // per motion
  std::vector<std::vector<AffineSpring>> structure_;
};

}  // namespace counterpoise
