#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "results/text/printable.hpp"
#include "studies/pages/sheet/page_files.hpp"

namespace counterpoise {
namespace {

/// The characters 0x80 to 0x9f of Windows code page 1252, 0 where it has none.
constexpr std::array<std::uint32_t, 32> code_page_1252 = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

/// The byte of a character in Windows code page 1252, or 0.
std::uint32_t byte_of(std::uint32_t code) {
  if ((code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff)) return code;
  const auto* const found = std::find(code_page_1252.begin(), code_page_1252.end(), code);
  if (code < 0x80 || found == code_page_1252.end()) return 0;
  return 0x80 + static_cast<std::uint32_t>(found - code_page_1252.begin());
}

/// A text as PDF has it between parentheses, all in ASCII.
std::string pdf_string(std::string_view text) {
  std::string string;
  while (!text.empty()) {
    const Character letter = first_character(text);
    text.remove_prefix(letter.size);
    const std::uint32_t byte = byte_of(letter.code);
    if (byte > 0x7e)
      string += fmt::format("\\{:03o}", byte);
    else if (byte == '(' || byte == ')' || byte == '\\')
      string += {'\\', static_cast<char>(byte)};
    else
      string += byte == 0 ? '?' : static_cast<char>(byte);
  }
  return string;
}

void add_pdf_line(const SheetLine& line, std::string& content) {
  const auto to = std::back_inserter(content);
  if (line.filled)
    fmt::format_to(to, "{:.3g} g\n", line.grey);
  else
    fmt::format_to(to, "{:.3g} G {:.3g} w {} d\n", line.grey, line.width,
                   line.dashed ? "[2 0.8 0.5 0.8] 0" : "[] 0");
  for (std::size_t i = 0; i < line.places.size(); ++i)
    fmt::format_to(to, "{:.4f} {:.4f} {}\n", line.places[i].x(), line.places[i].y(),
                   i == 0 ? "m" : "l");
  content += line.filled ? "f\n" : "S\n";
}

void add_pdf_text(const SheetText& text, std::string& content) {
  const double width = text_width(text.text, text.size, text.bold);
  const double before = text.anchor == SheetText::Anchor::start    ? 0.0
                        : text.anchor == SheetText::Anchor::middle ? 0.5 * width
                                                                   : width;
  const SheetPlace along = text.upwards ? SheetPlace(0.0, -1.0) : SheetPlace(1.0, 0.0);
  const SheetPlace at = text.at - before * along;
  fmt::format_to(std::back_inserter(content),
                 "BT {:.3g} g /{} {:.3g} Tf {} {:.4f} {:.4f} Tm ({}) Tj ET\n", text.grey,
                 text.bold ? "F2" : "F1", text.size, text.upwards ? "0 -1 -1 0" : "1 0 0 -1",
                 at.x(), at.y(), pdf_string(text.text));
}

/// What stands on a page, in mm from its upper left corner.
std::string pdf_content(const SheetPage& page) {
  constexpr double points = 72.0 / 25.4;  // a mm
  std::string content =
      fmt::format("{0:.9f} 0 0 -{0:.9f} 0 {1:.6f} cm 1 J 1 j\n", points, points * sheet_height);
  for (const SheetLine& line : page.lines) add_pdf_line(line, content);
  for (const SheetText& text : page.texts) add_pdf_text(text, content);
  return content;
}

/// A file of numbered objects, and where each of them begins.
class PdfFile {
 public:
  /// Objects come in the order of their numbers, from 1.
  void add(const std::string& object) {
    begins_.push_back(text_.size());
    text_ += fmt::format("{} 0 obj\n{}\nendobj\n", begins_.size(), object);
  }

  [[nodiscard]] std::string finished() const {
    std::string text = text_ + fmt::format("xref\n0 {}\n0000000000 65535 f \n", begins_.size() + 1);
    for (const std::size_t begin : begins_) text += fmt::format("{:010} 00000 n \n", begin);
    return text + fmt::format("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n",
                              begins_.size() + 1, text_.size());
  }

 private:
  std::string text_ =
      "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n";  // bytes above 127, so that none takes it for text
  std::vector<std::size_t> begins_;
};

}  // namespace

std::string sheet_pdf(const std::vector<SheetPage>& pages) {
  constexpr double points = 72.0 / 25.4;
  constexpr std::size_t first = 5;  // the object of the first page
  PdfFile file;
  file.add("<< /Type /Catalog /Pages 2 0 R >>");
  std::string kids;
  for (std::size_t p = 0; p < pages.size(); ++p) kids += fmt::format(" {} 0 R", first + 2 * p);
  file.add(fmt::format("<< /Type /Pages /Count {} /Kids [{} ] >>", pages.size(), kids));
  for (const char* font : {"Helvetica", "Helvetica-Bold"})
    file.add(fmt::format(
        "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>", font));
  for (std::size_t p = 0; p < pages.size(); ++p) {
    file.add(
        fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:.3f} {:.3f}] "
                    "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents {} 0 R >>",
                    points * sheet_width, points * sheet_height, first + 2 * p + 1));
    const std::string content = pdf_content(pages[p]);
    file.add(fmt::format("<< /Length {} >>\nstream\n{}endstream", content.size(), content));
  }
  return file.finished();
}

bool has_letters_beyond_pdf(const std::vector<SheetPage>& pages) {
  for (const SheetPage& page : pages)
    for (const SheetText& line : page.texts)
      for (std::string_view rest = line.text; !rest.empty();) {
        const Character letter = first_character(rest);
        rest.remove_prefix(letter.size);
        if (byte_of(letter.code) == 0) return true;
      }
  return false;
}

}  // namespace counterpoise
