#include "studies/io/expression.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>

#include "studies/io/expressions/expression_grammar.hpp"

namespace counterpoise {
namespace {

double smallest(const double* values, int count) {
  return *std::min_element(values, values + count);
}
double largest(const double* values, int count) {
  return *std::max_element(values, values + count);
}

template <double (*f)(double)>
double unary(double x) {
  return f(x);
}

void define_functions(mu::Parser& parser) {
  parser.ClearFun();
  parser.ClearConst();
  parser.DefineFun("sqrt", unary<std::sqrt>);
  parser.DefineFun("sin", unary<std::sin>);
  parser.DefineFun("cos", unary<std::cos>);
  parser.DefineFun("tan", unary<std::tan>);
  parser.DefineFun("asin", unary<std::asin>);
  parser.DefineFun("acos", unary<std::acos>);
  parser.DefineFun("atan", unary<std::atan>);
  parser.DefineFun("abs", unary<std::fabs>);
  parser.DefineFun(
      "atan2", +[](double y, double x) { return std::atan2(y, x); });
  parser.DefineFun("min", smallest);
  parser.DefineFun("max", largest);
}

}  // namespace

int Scope::add(std::string name, bool text) {
  names_.push_back(std::move(name));
  text_.push_back(text);
  return static_cast<int>(names_.size()) - 1;
}

int Scope::find(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return accepts_any_ ? 0 : -1;
  return static_cast<int>(found - names_.begin());
}

double Scope::number_of(std::string_view text) const {
  const auto found = std::find(texts_->begin(), texts_->end(), text);
  const auto index = found - texts_->begin();
  if (found == texts_->end()) texts_->emplace_back(text);
  return static_cast<double>(index);
}

struct Expression::Impl {
  Impl(std::string_view given, CheckedExpression checked_expression)
      : text(given), checked(std::move(checked_expression)), values(checked.used.size(), 0.0) {
    define_functions(parser);
    for (std::size_t i = 0; i < checked.constants.size(); ++i)
      parser.DefineConst(fmt::format("c{}", i), checked.constants[i]);
    for (std::size_t i = 0; i < values.size(); ++i)
      parser.DefineVar(fmt::format("v{}", i), &values[i]);
    parser.SetExpr(checked.spelling);
    parser.Eval();  // compiles
  }

  std::string text;
  CheckedExpression checked;
  std::vector<double> values;
  mu::Parser parser;
};

Expression::Expression(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::Expression(const Expression& other)
    : impl_(std::make_unique<Impl>(other.impl_->text, other.impl_->checked)) {}
Expression& Expression::operator=(const Expression& other) {
  if (this != &other) *this = Expression(other);
  return *this;
}

Expression Expression::parse(std::string_view text, const Scope& scope, const Location& where,
                             ExpressionKind kind) {
  CheckedExpression checked = check_expression(text, scope, where, kind);
  try {
    return Expression(std::make_unique<Impl>(text, std::move(checked)));
  } catch (const mu::ParserError& error) {
    throw InputError(where, fmt::format("the expression {} cannot be read: {}", in_quotes(text),
                                        error.GetMsg()));
  }
}

double Expression::evaluate(const double* values) const {
  for (std::size_t i = 0; i < impl_->values.size(); ++i)
    impl_->values[i] = values[impl_->checked.used[i]];
  return impl_->parser.Eval();
}

std::span<const int> Expression::used() const {
  return impl_->checked.used;
}
const std::string& Expression::text() const {
  return impl_->text;
}

}  // namespace counterpoise
