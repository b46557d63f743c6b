#include "cli/output/page.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "input/text/input_error.hpp"
#include "report/pages.hpp"

namespace counterpoise {

void require_pages(std::string_view command) {
  if (page_template(command).before.empty())
    throw InputError({.file = "counterpoise " + std::string(command)},
                     "this program was built without pages; build it where node and npm are "
                     "installed and the npm registry is reachable, with -DCOUNTERPOISE_REPORT=ON");
}

namespace {

using Renaming = std::pair<std::string, std::string>;  // a path, and its last name

/// Each file as it was named and as the system knows it, longer paths first, which others may be
/// parts of.
std::vector<Renaming> renamings(const std::vector<std::filesystem::path>& files) {
  std::vector<Renaming> found;
  for (const std::filesystem::path& file : files) {
    std::error_code ignored;
    const std::string name = file.filename().string();
    if (name.empty()) continue;
    for (const std::filesystem::path& path :
         {file, std::filesystem::absolute(file, ignored).lexically_normal(),
          std::filesystem::weakly_canonical(file, ignored)})
      if (path.has_parent_path()) found.emplace_back(path.string(), name);
  }
  std::stable_sort(found.begin(), found.end(), [](const Renaming& a, const Renaming& b) {
    return a.first.size() > b.first.size();
  });
  return found;
}

void rename_in(Json& value, const std::vector<Renaming>& renamed) {
  if (value.is_structured()) {
    for (Json& part : value) rename_in(part, renamed);
    return;
  }
  if (!value.is_string()) return;
  auto& text = value.get_ref<std::string&>();
  for (const auto& [path, name] : renamed)
    for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos; at += name.size())
      text.replace(at, path.size(), name);
}

}  // namespace

Json with_names_alone(Json data, const std::vector<std::filesystem::path>& files) {
  rename_in(data, renamings(files));
  return data;
}

std::string page_with(std::string_view page, const Json& data, const std::string& still) {
  const PageTemplate parts = page_template(page);
  const std::string json = json_text(data);  // ASCII: line separators are escaped
  std::string text;
  text.reserve(parts.head.size() + still.size() + parts.before.size() + json.size() +
               parts.after.size());
  text += parts.head;
  text += still;
  text += parts.before;
  for (const char c : json) {
    // in JSON it stands only in texts, where it could end the element or begin a comment
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  text += parts.after;
  return text;
}

}  // namespace counterpoise
