#include "studies/expressions/scope.hpp"

namespace counterpoise {

int Scope::add(std::string name, bool text) {
  const int index = static_cast<int>(names_.size());
  indices_.emplace(name, index);
  names_.push_back(std::move(name));
  text_.push_back(text);
  return index;
}

int Scope::find(std::string_view name) const {
  const auto found = indices_.find(name);
  if (found == indices_.end()) return accepts_any_ ? 0 : -1;
  return found->second;
}

double Scope::number_of(std::string_view text) const {
  const auto found = texts_->find(text);
  if (found != texts_->end()) return found->second;
  const int number = static_cast<int>(texts_->size());
  texts_->emplace(text, number);
  return number;
}

}  // namespace counterpoise
