#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "results/rows/rows.hpp"

namespace counterpoise {

/// A copy of a results file at home, for a run on a node's own disk: it is brought up to date every
/// so many seconds while the run goes on, and is never seen half written.
class HomeCopy {
 public:
  /// `results` and `home` are files; neither has to exist. Throws InputError if a file with the
  /// name of the copy is there that is not of this run, whose study entries are `made_from`, or if
  /// it is and the run is not to be continued; StoreError if it is no results file, or cannot be
  /// written.
  HomeCopy(std::filesystem::path results, std::filesystem::path home, double seconds,
           const std::vector<StudyEntry>& made_from, bool resume);

  /// Begins from the copy if it holds more cases than the results here, as after a move to another
  /// node. Throws StoreError.
  void bring_back() const;
  /// Brings the copy up to date if it is time. What goes wrong is a message, because the run can go
  /// on.
  void keep_up();
  /// Brings the copy up to date. Throws StoreError.
  void update() const;

 private:
  std::filesystem::path results_, home_;
  std::chrono::duration<double> every_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace counterpoise
