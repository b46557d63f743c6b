#pragma once

#include <string>
#include <utility>
#include <vector>

#include "studies/pages/sheet/drawing.hpp"

namespace counterpoise {

/// A table of texts; numbers stand at the right of their columns.
struct SheetTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::size_t words = 1;  // so many columns from the left are words
};

/// Fills pages from top to bottom; begins a new one where the next part does not fit.
class PageFlow {
 public:
  /// `title` and `under` stand on top of each page.
  PageFlow(std::string title, std::string under);

  static constexpr double left = 20.0, right = 195.0;  // of what is written [mm]

  /// The heading of a section, which stays with so much of what follows [mm].
  void heading(const std::string& text, double following);
  /// The name of a part within a section, with words behind it.
  void name(const std::string& text, const std::string& behind, double following);
  void paragraph(const std::string& text);
  /// A row for each pair of words and their value.
  void facts(const std::vector<std::pair<std::string, std::string>>& rows);
  void table(const SheetTable& table);
  void drawing(const SheetPage& part, double height);
  void space(double height) { y_ += height; }

  /// The pages, numbered.
  std::vector<SheetPage> finished();

 private:
  void begin_page();
  void need(double height);
  void write(double x, const std::string& text, double size, bool bold = false, double grey = 0.0,
             SheetText::Anchor anchor = SheetText::Anchor::start);
  void rule(double y, double grey);

  std::string title_, under_;
  std::vector<SheetPage> pages_;
  double y_ = 0.0;  // of the next line's upper edge
};

}  // namespace counterpoise
