#pragma once

#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace counterpoise {

/// A place in a file that a user wrote. Lines and columns count from 1, columns in characters; 0
/// and an empty pointer mean that this part is not known (or that the whole file is meant).
struct Location {
  std::string file{};
  int line = 0;
  int column = 0;
  std::string pointer{};  // JSON pointer
};

/// The message behind its place: "study.json:12:9: /variables/lift_spring: " and so on.
std::string located(const Location& where, std::string_view message);

/// Thrown for a mistake in what a user wrote. what() is one line, whose control characters are not
/// escaped yet:
///   study.json:12:9: /variables/lift_spring/where: found "ratee", expected a column of the
///   catalogue; did you mean "rate"?
class InputError : public std::runtime_error {
 public:
  InputError(Location where, const std::string& message);

  [[nodiscard]] const Location& where() const { return where_; }
  [[nodiscard]] const std::string& message() const { return message_; }

  /// Further mistakes that were found, each as what() would say it.
  [[nodiscard]] const std::vector<std::string>& others() const { return others_; }
  void add(const InputError& other);

 private:
  Location where_;
  std::string message_;
  std::vector<std::string> others_;
};

/// Collects mistakes that do not depend on each other, so that a user sees all of them at once.
class Mistakes {
 public:
  /// Does a piece of work; an InputError is kept for later.
  template <class Work>
  void attempt(const Work& work) {
    try {
      work();
    } catch (const InputError& error) {
      found_.push_back(error);
    }
  }
  [[nodiscard]] bool any() const { return !found_.empty(); }
  /// Whether there are so many that nobody looks at more.
  [[nodiscard]] bool enough() const { return found_.size() >= 1000; }
  /// Throws the first mistake with the others behind it, each once, if there is any.
  void raise() const;

 private:
  std::vector<InputError> found_;
};

/// Calls read(item) for each of these and throws all mistakes together.
template <class Items, class Read>
void read_each(const Items& items, const Read& read) {
  Mistakes mistakes;
  for (const auto& item : items)
    if (!mistakes.enough()) mistakes.attempt([&] { read(item); });
  mistakes.raise();
}

/// The candidate that a user probably meant by `name`: the nearest by edit distance (insert,
/// delete, replace, swap of neighbours), or empty when none is close. Case counts less than a
/// letter.
std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates);

/// The words `; did you mean "rate"?`, or nothing when no candidate is close.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// The text in quotation marks, cut to a readable length.
std::string in_quotes(std::string_view text);
/// A path in quotation marks. A long one loses its beginning, as its end has the file's name.
std::string path_in_quotes(const std::filesystem::path& path);

/// Whether a text can be the name of a body, parameter, ...: [A-Za-z_][A-Za-z0-9_]*.
bool is_name(std::string_view text);

/// "a, b, c".
std::string listed(std::span<const std::string_view> words);

}  // namespace counterpoise
