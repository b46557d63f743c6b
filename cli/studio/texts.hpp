#pragma once

#include <string>

#include "cli/studio/folder.hpp"
#include "input/text/json_document.hpp"
#include "results/text/cells.hpp"

namespace counterpoise {

/// Texts of models, motions, scenarios and studies in the studio's folder, which a page edits.
class StudioTexts {
 public:
  explicit StudioTexts(const StudioFolder& folder) : folder_(&folder) {}

  /// The text of a "file" as it is on the disk: type `TextAnswer` of
  /// report/src/studio/studio_data.ts. Throws InputError where it is not a JSON file of the folder,
  /// or has more than half a megabyte.
  [[nodiscard]] Json read(const Json& request) const;
  /// Writes the "text" of a "file" whose text on the disk still has the "hash" that the page was
  /// given. Returns the new hash, or {"changed": true} where another has changed the file; nothing
  /// is written then. Throws InputError and StoreError.
  [[nodiscard]] Json save(const Json& request) const;
  /// What reads files of the disk, but those that the request has under "texts", by their names, as
  /// they are there. Throws InputError for a name that leads out of the folder.
  [[nodiscard]] FileProvider over(const Json& request) const;
  /// The JSON Schemas of all kinds of files, by kind.
  [[nodiscard]] static Json schemas();

 private:
  [[nodiscard]] std::filesystem::path path_of(const Json& request) const;

  const StudioFolder* folder_;
};

}  // namespace counterpoise
