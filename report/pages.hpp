#pragma once

#include <string_view>

namespace counterpoise {

/// A page as HTML without what it shows: a still picture as HTML belongs between the first two
/// parts, and data as JSON, with every `<` escaped, between the last two.
struct PageTemplate {
  std::string_view head, before, after;
};

/// The page of this name, that of its folder in report/src; all parts are empty where the program
/// was built without pages.
PageTemplate page_template(std::string_view name);

}  // namespace counterpoise
