#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace counterpoise {

/// A folder in which the studio works, and out of which no name leads it. Names are relative to it
/// and have "/" between their parts.
class StudioFolder {
 public:
  /// What the studio can open or edit.
  enum class Kind { study, model, motion, scenario, results };
  struct File {
    std::string name;
    Kind kind;
    std::string variant = {};  // of a study that has variants, which is opened as "name#variant"
    [[nodiscard]] std::string opened_as() const {
      return variant.empty() ? name : name + '#' + variant;
    }
  };

  explicit StudioFolder(std::filesystem::path root);

  /// The path of a name, as a command takes it from where the studio was started; a study's may end
  /// in a variant, "ways.json#cable". Throws InputError where the name is absolute, or leads
  /// outside: by "..", or by a link.
  [[nodiscard]] std::filesystem::path inside(const std::string& name) const;
  /// The studies, models, motions, scenarios and results in the folder and the folders in it, by
  /// name; a study with variants is there once for each. Folders whose names begin with a dot are
  /// left out, and so are those more than four deep; no more than 5,000 entries are looked at.
  /// Cost: reads every JSON file up to 1 MB.
  [[nodiscard]] std::vector<File> files() const;
  /// What to begin with: `study.json`, or else the first study, or else the first model. Throws
  /// InputError where there is none.
  [[nodiscard]] std::string first() const;

 private:
  std::filesystem::path root_, real_;
};

/// "study", "model", "motion", "scenario" or "results".
std::string_view name_of(StudioFolder::Kind kind);

}  // namespace counterpoise
