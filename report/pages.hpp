#pragma once

#include <string_view>

namespace counterpoise {

/// A page as HTML without its data: JSON belongs between the two parts, with every `<` escaped.
struct PageTemplate {
  std::string_view before, after;
};

/// The page of this name, that of its folder in report/src; both parts are empty where the program
/// was built without pages.
PageTemplate page_template(std::string_view name);

}  // namespace counterpoise
