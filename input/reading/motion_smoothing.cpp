#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "engine/mechanism/smoothing.hpp"
#include "input/reading/motion_reading.hpp"
#include "input/reading/study_reading.hpp"

namespace counterpoise {

void read_smoothing(const JsonValue& smoothing, std::string_view coordinate, std::string_view si,
                    ProfileNumbers& table) {
  const ObjectReader object(smoothing, "how a table is smoothed", {"method", "cutoff"});
  constexpr std::array<std::string_view, 1> methods = {"smoothing-spline"};
  static_cast<void>(choice_of(object.required("method"), methods));
  const JsonValue& given = object.required("cutoff");
  const double cutoff = fixed_number(given, "a frequency in Hz, which depends on no parameter");

  const std::size_t count = table.numbers.size() / 2;
  std::vector<double> times, values;
  for (std::size_t i = 0; i < count; ++i) {
    times.push_back(table.numbers[i].value);
    values.push_back(table.numbers[count + i].value);
  }
  // make_profile() refuses these
  if (count < 2 ||
      std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) != times.end())
    return;

  constexpr double most_rows = 1e4;  // in a period of the cut-off; beyond them rounding grows
  const double length = times.back() - times.front();
  const double rate = static_cast<double>(count - 1) / length;
  const double lowest = std::max(1.0 / length, rate / most_rows), highest = rate / 2.0;
  if (!(cutoff > lowest && cutoff < highest))
    throw InputError(
        given.location(),
        fmt::format("found {} Hz, expected more than {:.6g} Hz and less than {:.6g} Hz, half the "
                    "rate of the table's {} rows in {:.6g} s",
                    cutoff, lowest, highest, count, length));
  const std::vector<double> smooth = smoothed(times, values, cutoff);
  Smoothing& out = table.smoothing.emplace();
  out.coordinate = coordinate;
  out.si = si;
  out.cutoff = cutoff;
  double squares = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const double difference = std::abs(smooth[i] - values[i]);
    squares += difference * difference;
    if (difference > out.largest) {
      out.largest = difference;
      out.time = times[i];
    }
    table.numbers[count + i].value = smooth[i];
  }
  out.rms = std::sqrt(squares / static_cast<double>(count));
}

}  // namespace counterpoise
