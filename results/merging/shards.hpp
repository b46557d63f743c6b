#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "results/results_file.hpp"

namespace counterpoise {

/// Which parts of the study some files are.
class Shards {
 public:
  /// Throws StoreError (unusable) for a file that is a part of another number of parts.
  void add(const ResultsFile& file);

  /// Whether the files are the whole study, each finished.
  [[nodiscard]] bool whole() const;
  /// Throws StoreError (unusable) that names the parts that are missing or not finished.
  void require_whole(const std::filesystem::path& output) const;
  /// The first missing parts ("2/3"), and files that are not finished.
  [[nodiscard]] std::vector<std::string> missing() const;
  [[nodiscard]] const std::vector<std::string>& not_finished() const { return not_finished_; }
  /// The finished parts: "1/3 3/3".
  [[nodiscard]] std::string finished() const;

 private:
  [[nodiscard]] std::string name_of(int index) const;
  int index_of(const std::string& shard, const ResultsFile& file);

  int count_ = 0;  // of all shards; 0: the parts are none
  std::set<int> there_, finished_;
  std::vector<std::string> not_finished_;
  bool whole_ = false;
};

}  // namespace counterpoise
