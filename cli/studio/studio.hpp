#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cli/studio/folder.hpp"
#include "cli/studio/jobs.hpp"
#include "cli/studio/server.hpp"
#include "cli/studio/texts.hpp"
#include "cli/studio/what_if.hpp"

namespace counterpoise {

/// What the studio's page can ask about a folder: which files there are, any design of those that
/// it has opened, what is ranked in results, and commands to be run. Of pages that open many files
/// the last eight opened can still be asked about.
class Studio {
 public:
  explicit Studio(StudioFolder folder)
      : folder_(std::move(folder)), texts_(folder_), jobs_(folder_) {}

  /// Opens a study, a model with the motions beside it, or results with one of their designs: what
  /// the page begins with, type `StudioData` of report/src/studio/studio_data.ts. `request` has the
  /// name of the "file" and of results the "case", by default the best. Throws InputError and
  /// StoreError.
  Json open(const Json& request);
  /// The questions of the page, by name. This object has to outlive them.
  [[nodiscard]] std::map<std::string, StudioQuestion> questions();
  /// The page that a job has written, by the number of the job; nothing where it wrote none.
  [[nodiscard]] std::optional<std::string> written_page(const std::string& job) const;

 private:
  struct Opened {
    std::int64_t id = 0;
    std::unique_ptr<WhatIf> what_if = {};
  };
  /// Reads what a request names into a place that is kept. Leaves the place as it is where that
  /// throws.
  Json read(const Json& request, const FileProvider& files, Opened& into) const;
  /// Reads again what was opened, with texts that are not saved yet: as open(), or {"errors":
  /// lines}.
  Json edit(const Json& request);
  Opened& entry_of(const Json& request);
  WhatIf& opened_as(const Json& request);
  [[nodiscard]] std::string name_in(const Json& request, const char* key) const;
  [[nodiscard]] Json files() const;
  [[nodiscard]] Json ranks(const Json& request) const;
  Json values_of_case(const Json& request);

  StudioFolder folder_;
  StudioTexts texts_;
  StudioJobs jobs_;
  std::deque<Opened> opened_;
  std::int64_t count_ = 0;
};

}  // namespace counterpoise
