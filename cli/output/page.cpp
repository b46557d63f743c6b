#include "cli/output/page.hpp"

#include <nlohmann/json.hpp>

#include "input/text/input_error.hpp"
#include "report/pages.hpp"

namespace counterpoise {

void require_pages(std::string_view command) {
  if (page_template(command).before.empty())
    throw InputError({.file = "counterpoise " + std::string(command)},
                     "this program was built without pages; build it where node and npm are "
                     "installed and the npm registry is reachable, with -DCOUNTERPOISE_REPORT=ON");
}

std::string page_with(std::string_view page, const Json& data) {
  const PageTemplate parts = page_template(page);
  const std::string json = json_text(data);  // ASCII: line separators are escaped
  std::string text;
  text.reserve(parts.before.size() + json.size() + parts.after.size());
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
