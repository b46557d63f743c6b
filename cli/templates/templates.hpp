#pragma once

#include <span>
#include <string_view>

namespace counterpoise {

/// One file of a small project that `counterpoise new` writes.
struct TemplateFile {
  std::string_view kind;  // "arm", "four-bar" ...
  std::string_view name;  // of the file: "model.json"
  std::string_view text;
};

/// The files of all templates, grouped by template.
std::span<const TemplateFile> template_files();

}  // namespace counterpoise
