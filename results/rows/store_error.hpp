#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace counterpoise {

/// Thrown if a results file, or a table written beside it, cannot be used.
class StoreError : public std::runtime_error {
 public:
  enum class Kind {
    unusable,  // cannot be created or opened, locked, foreign, not what was asked: nothing written
    write_failed,  // the disk failed or is full, a file size limit was met: what was finished stays
  };

  StoreError(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

/// The error for a results file in which another program, or a failing disk, has changed something.
inline StoreError damaged(const std::filesystem::path& results, const std::string& what) {
  return {StoreError::Kind::unusable,
          results.string() + ": is damaged: " + what +
              "; take an undamaged copy, or make the results again with run --force"};
}

}  // namespace counterpoise
