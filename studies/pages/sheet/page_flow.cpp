#include "studies/pages/sheet/page_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "results/text/printable.hpp"

namespace counterpoise {
namespace {

constexpr double top = 15.0, bottom = 280.0;  // of what is written [mm]
constexpr double letter_size = 3.1, line_height = 4.3, cell_gap = 3.5;

}  // namespace

PageFlow::PageFlow(std::string title, std::string under)
    : title_(std::move(title)), under_(std::move(under)) {
  begin_page();
}

void PageFlow::begin_page() {
  pages_.emplace_back();
  y_ = top;
  write(left, title_, 5.0, true);
  y_ += 6.4;
  for (const std::string& line : broken_lines(printable(under_), right - left, letter_size)) {
    write(left, line, letter_size, false, 0.3);
    y_ += line_height;
  }
  rule(y_ + 0.6, 0.0);
  y_ += 4.0;
}

void PageFlow::need(double height) {
  if (y_ + height > bottom) begin_page();
}

void PageFlow::write(double x, const std::string& text, double size, bool bold, double grey,
                     SheetText::Anchor anchor) {
  pages_.back().texts.push_back({.at = {x, y_ + 0.8 * size},
                                 .text = printable(text),
                                 .size = size,
                                 .anchor = anchor,
                                 .bold = bold,
                                 .grey = grey});
}

void PageFlow::rule(double y, double grey) {
  pages_.back().lines.push_back(
      {.places = {{left, y}, {right, y}}, .width = grey > 0.0 ? 0.15 : 0.3, .grey = grey});
}

void PageFlow::heading(const std::string& text, double following) {
  y_ += 2.5;
  need(7.0 + following);
  write(left, text, 4.2, true);
  y_ += 6.5;
}

void PageFlow::name(const std::string& text, const std::string& behind, double following) {
  y_ += 1.0;
  need(line_height + following);
  write(left, text, 3.5, true);
  const double x = left + text_width(printable(text), 3.5, true) + 2.5;
  const std::vector<std::string> lines = broken_lines(printable(behind), right - x, letter_size);
  for (const std::string& line : lines) {
    y_ += line_height * (&line == lines.data() ? 0.0 : 1.0);
    write(x, line, letter_size);
  }
  y_ += line_height + 0.8;
}

void PageFlow::paragraph(const std::string& text) {
  for (const std::string& line : broken_lines(printable(text), right - left, letter_size)) {
    need(line_height);
    write(left, line, letter_size);
    y_ += line_height;
  }
}

void PageFlow::facts(const std::vector<std::pair<std::string, std::string>>& rows) {
  double words = 0.0;
  for (const auto& [what, value] : rows) words = std::max(words, text_width(what, letter_size));
  const double x = left + 3.0 + words + cell_gap;
  for (const auto& [what, value] : rows) {
    const std::vector<std::string> lines = broken_lines(printable(value), right - x, letter_size);
    need(line_height * static_cast<double>(lines.size()));
    write(left + 3.0, what, letter_size, false, 0.3);
    for (const std::string& line : lines) {
      write(x, line, letter_size);
      y_ += line_height;
    }
  }
}

void PageFlow::table(const SheetTable& table) {
  const std::size_t count = table.columns.size();
  std::vector<double> widths(count, 0.0);
  const auto take = [&](const std::vector<std::string>& cells, bool bold) {
    for (std::size_t c = 0; c < count; ++c)
      widths[c] = std::max(widths[c], text_width(printable(cells[c]), letter_size, bold));
  };
  take(table.columns, true);
  for (const std::vector<std::string>& row : table.rows) take(row, false);
  // the widest column of words gives way
  const double all = right - left - 3.0 - cell_gap * static_cast<double>(count - 1);
  for (double over = std::accumulate(widths.begin(), widths.end(), 0.0) - all; over > 0.0;) {
    const auto end = widths.begin() + static_cast<std::ptrdiff_t>(table.words);
    const auto widest = std::max_element(widths.begin(), end);
    constexpr double step = 1.0, narrowest = 8.0;
    if (*widest <= narrowest) break;
    *widest -= step;
    over -= step;
  }
  const auto add = [&](const std::vector<std::string>& cells, bool bold) {
    std::vector<std::vector<std::string>> lines;
    std::size_t most = 1;
    for (std::size_t c = 0; c < count; ++c) {
      const double slack = bold ? 0.08 * widths[c] + 0.1 : 0.01;  // bold letters are wider
      lines.push_back(broken_lines(printable(cells[c]), widths[c] + slack, letter_size));
      most = std::max(most, lines.back().size());
    }
    need(line_height * static_cast<double>(most) + 0.6);
    for (std::size_t k = 0; k < most; ++k) {
      double x = left + 3.0;
      for (std::size_t c = 0; c < count; ++c) {
        const bool word = c < table.words;
        if (k < lines[c].size())
          write(word ? x : x + widths[c], lines[c][k], letter_size, bold, 0.0,
                word ? SheetText::Anchor::start : SheetText::Anchor::end);
        x += widths[c] + cell_gap;
      }
      y_ += line_height;
    }
  };
  need(2.0 * line_height + 1.0);
  add(table.columns, true);
  rule(y_ - 0.2, 0.4);
  y_ += 0.7;
  for (const std::vector<std::string>& row : table.rows) add(row, false);
  y_ += 1.5;
}

void PageFlow::drawing(const SheetPage& part, double height) {
  need(height);
  add_moved(part, {left, y_}, pages_.back());
  y_ += height;
}

std::vector<SheetPage> PageFlow::finished() {
  for (std::size_t p = 0; p < pages_.size(); ++p)
    pages_[p].texts.push_back({.at = {right, 288.0},
                               .text = fmt::format("page {} of {}", p + 1, pages_.size()),
                               .size = 2.8,
                               .anchor = SheetText::Anchor::end,
                               .grey = 0.3});
  return std::move(pages_);
}

}  // namespace counterpoise
