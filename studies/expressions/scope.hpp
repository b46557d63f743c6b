#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace counterpoise {

/// The names an expression may use, each bound to an index of a vector of values. Names may contain
/// dots ("lift.max"). Texts are represented in the vector by numbers: equal texts have equal
/// numbers.
class Scope {
 public:
  /// `what` says in messages what a name should have been: "a parameter", "a column of x.csv".
  explicit Scope(std::string what = "a parameter") : what_(std::move(what)) {}

  /// Appends a name and returns its index in the vector of values. Of two equal names the first is
  /// found.
  int add(std::string name, bool text = false);
  /// From now on every unknown name in an expression counts as index 0. This is for checking an
  /// expression whose names are not available.
  void accept_any_name() { accepts_any_ = true; }
  /// Index of a name, or -1. Its cost does not depend on the number of names.
  [[nodiscard]] int find(std::string_view name) const;
  [[nodiscard]] bool is_text(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return i < text_.size() && text_[i];
  }
  [[nodiscard]] std::span<const std::string> names() const { return names_; }
  [[nodiscard]] const std::string& what() const { return what_; }

  /// The number that stands for a text, in this scope and its copies. Not for several threads.
  [[nodiscard]] double number_of(std::string_view text) const;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  using Indices = std::unordered_map<std::string, int, Hash, std::equal_to<>>;

  std::string what_;
  bool accepts_any_ = false;
  std::vector<std::string> names_;
  Indices indices_;
  std::vector<bool> text_;
  std::shared_ptr<Indices> texts_ = std::make_shared<Indices>();
};

}  // namespace counterpoise
