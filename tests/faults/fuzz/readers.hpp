#pragma once

#include <span>
#include <string>
#include <string_view>

namespace counterpoise::test {

/// One of the program's readers, which takes any bytes. It returns if they can be read or if the
/// reader refuses them by the error that says why; anything else that it throws is a fault of the
/// program.
struct Reader {
  std::string_view name;
  void (*read)(std::string_view bytes);
};

/// Readers of texts: JSON, models, motions, studies, scenarios, tables, expressions, robots.
std::span<const Reader> text_readers();

/// Random robots as URDF and MJCF, in files seed*.xml of the folder.
void write_robots(const std::string& folder);

/// Readers of results, of certificates, and of what users write behind commands that read results.
/// The bytes of results are changes to valid files, some of them made in `folder`: SQLite's pages
/// leave nothing to be found to changes at random of a whole file.
std::span<const Reader> results_readers();
void prepare_results(const std::string& folder);

/// To be called before any reader reads; they write into `folder` what they need.
void prepare_readers(const std::string& folder);

/// The reader of this name, or null.
const Reader* find_reader(std::string_view name);

}  // namespace counterpoise::test
