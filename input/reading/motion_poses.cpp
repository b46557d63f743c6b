#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "input/reading/motion_reading.hpp"
#include "input/reading/read.hpp"
#include "input/reading/study_reading.hpp"
#include "input/text/csv.hpp"
#include "optimizer/sampling/sobol_sequence.hpp"

namespace counterpoise {
namespace {

constexpr std::int64_t most_poses = 10'000'000;

/// An axis of poses: "range" and "count", or "values", in SI or in "unit".
struct AxisReader {
  const NumberReader& numbers;
  const MeasuredBy& measured_by;

  /// Starts the profile of a coordinate. The texts of its numbers may have units only if the axis
  /// has no "unit".
  PoseAxis begin(const JsonValue& axis) const {
    PoseAxis out{&axis, {}};
    out.profile.type = ProfileType::poses;
    out.profile.where = axis.location();
    if (const JsonValue* unit = axis.find("unit")) {
      out.profile.unit = unit_in(*unit);
      require_measure(out.profile.unit, measured_by(axis), axis.key, unit->location());
    }
    return out;
  }
  void read_numbers(const JsonValue& axis, const JsonValue& given, std::size_t count,
                    std::string_view what, PoseAxis& out) const {
    out.profile.numbers.resize(count);
    const TextUnit own = axis.find("unit") != nullptr
                             ? TextUnit::none()
                             : TextUnit::of(measured_by(axis).si, axis.key);
    numbers.read(given, out.profile.numbers, what, own);
  }
  void read_range(const JsonValue& axis, const ObjectReader& object, PoseAxis& out) const {
    read_numbers(axis, object.required("range"), 2, "a range [from, to]", out);
  }
};

/// Weights above 0, as many as there are values.
std::vector<double> read_weights(const JsonValue& weights, std::size_t count) {
  std::vector<double> out;
  for (const JsonValue& weight : array_of(weights, "an array of weights")) {
    out.push_back(fixed_number(weight, "a weight"));
    if (!(out.back() > 0.0) || !std::isfinite(out.back())) refuse(weight, "a weight above 0");
  }
  if (out.size() != count) refuse(weights, fmt::format("a weight for each value: {}", count));
  return out;
}

PoseAxis read_axis(const JsonValue& axis, const AxisReader& reader) {
  const ObjectReader object(axis, "an axis of poses",
                            {"range", "count", "values", "unit", "weights"});
  PoseAxis out = reader.begin(axis);
  const auto read_weights_of = [&](std::size_t count) {
    if (const JsonValue* weights = object.find("weights"))
      out.profile.weights = read_weights(*weights, count);
  };
  const JsonValue* values = object.find("values");
  if (values == nullptr) {
    reader.read_range(axis, object, out);
    const std::int64_t count =
        integer_of(object.required("count"), "how many positions", 2, most_poses);
    for (std::int64_t i = 0; i < count; ++i)
      out.profile.shares.push_back(static_cast<double>(i) / static_cast<double>(count - 1));
    read_weights_of(out.profile.shares.size());
    return out;
  }
  for (const std::string_view other : {"range", "count"})
    if (const JsonValue* given = object.find(other))
      throw InputError(given->key_location(),
                       fmt::format("\"{}\" does not go with \"values\", which are all positions of "
                                   "the axis",
                                   other));
  const std::size_t count = array_of(*values, "an array of positions").size();
  if (count == 0) refuse(*values, "at least one position");
  reader.read_numbers(axis, *values, count, "an array of positions", out);
  read_weights_of(count);
  return out;
}

/// All combinations of the positions of axes; the last axis changes with every pose.
PoseSet read_grid(const JsonValue& poses, const AxisReader& reader) {
  PoseSet set;
  std::vector<std::size_t> counts;
  std::vector<std::string_view> names;
  double product = 1.0;
  for (const JsonValue& axis : object_of(poses, "coordinate -> axis")) {
    set.axes.push_back(read_axis(axis, reader));
    const ProfileNumbers& profile = set.axes.back().profile;
    counts.push_back(profile.shares.empty() ? profile.numbers.size() : profile.shares.size());
    names.push_back(axis.key);
    product *= static_cast<double>(counts.back());
  }
  if (set.axes.empty()) refuse(poses, "at least one coordinate with its positions");
  if (product > static_cast<double>(most_poses))
    throw InputError(poses.location(),
                     fmt::format("found {} = {:.6g} poses, expected at most {}; \"sobol\" takes a "
                                 "sample of the workspace",
                                 fmt::join(counts, " x "), product, most_poses));
  int repeat = 1;
  for (std::size_t i = counts.size(); i-- > 0;) {
    set.axes[i].profile.repeat = repeat;
    repeat *= static_cast<int>(counts[i]);
  }
  set.count = repeat;
  set.words = counts.size() == 1 ? fmt::format("positions of {}", names.front())
                                 : fmt::format("all combinations of {} positions of {}",
                                               fmt::join(counts, " x "), fmt::join(names, ", "));
  return set;
}

/// Orders points of a cube along a path through neighbouring cells: cuts the cube into slabs along
/// `dimension`, orders each slab alike by the next dimensions, and reverses every second slab.
void order_as_path(const std::vector<std::vector<double>>& shares, std::size_t dimension,
                   std::span<std::size_t> points) {
  std::sort(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
    return shares[dimension][a] < shares[dimension][b];
  });
  const std::size_t left = shares.size() - dimension;
  if (left == 1) return;
  const double root = std::pow(static_cast<double>(points.size()), 1.0 / static_cast<double>(left));
  const auto slabs = static_cast<std::size_t>(std::ceil(root));
  for (std::size_t slab = 0; slab < slabs; ++slab) {
    const std::size_t begin = points.size() * slab / slabs;
    const std::size_t end = points.size() * (slab + 1) / slabs;
    const std::span<std::size_t> inside = points.subspan(begin, end - begin);
    order_as_path(shares, dimension + 1, inside);
    if (slab % 2 == 1) std::reverse(inside.begin(), inside.end());
  }
}

/// The first points of Sobol's sequence in the box of ranges.
PoseSet read_samples(const JsonValue& poses, const AxisReader& reader) {
  const ObjectReader object(poses, "samples of poses", {"sobol", "ranges"});
  PoseSet set;
  set.count =
      static_cast<int>(integer_of(object.required("sobol"), "how many poses", 1, most_poses));
  const auto count = static_cast<std::size_t>(set.count);
  std::vector<std::string_view> names;
  for (const JsonValue& axis : object_of(object.required("ranges"), "coordinate -> range")) {
    const ObjectReader range(axis, "a range of positions", {"range", "unit"});
    PoseAxis& out = set.axes.emplace_back(reader.begin(axis));
    reader.read_range(axis, range, out);
    names.push_back(axis.key);
  }
  if (set.axes.empty()) refuse(object.required("ranges"), "at least one coordinate with its range");
  std::vector<std::vector<double>> shares(set.axes.size(), std::vector<double>(count));
  SobolSequence sequence(set.axes.size());
  std::vector<double> point(set.axes.size());
  for (std::size_t i = 0; i < count; ++i) {
    sequence.point(static_cast<std::int64_t>(i), point);
    for (std::size_t axis = 0; axis < point.size(); ++axis) shares[axis][i] = point[axis];
  }
  std::vector<std::size_t> path(count);
  std::iota(path.begin(), path.end(), std::size_t{0});
  order_as_path(shares, 0, path);
  for (std::size_t axis = 0; axis < point.size(); ++axis)
    for (const std::size_t i : path) set.axes[axis].profile.shares.push_back(shares[axis][i]);
  set.words =
      fmt::format("samples of a Sobol sequence in the ranges of {}", fmt::join(names, ", "));
  return set;
}

/// The rows of a CSV file, in their order.
PoseSet read_rows(const JsonValue& poses, const MeasuredBy& measured_by,
                  const std::filesystem::path& folder, const FileProvider& files) {
  const ObjectReader object(poses, "poses of a file", {"file", "columns"});
  const JsonValue& file = object.required("file");
  const std::filesystem::path path = folder / string_of(file, "a CSV file");
  const CsvTable table =
      reading_file(file, path, [&] { return parse_csv(files(path), path.string()); });
  if (table.row_count() == 0 || table.row_count() > most_poses)
    throw InputError(file.location(),
                     fmt::format("found {} rows, expected 1 to {}", table.row_count(), most_poses));
  PoseSet set;
  set.count = static_cast<int>(table.row_count());
  for (const JsonValue& name : object_of(object.required("columns"), "coordinate -> column")) {
    const CsvColumn& column = column_of(table, name);
    const Measured measured = measured_by(name);
    if (column.has_unit) require_measure(column.unit, measured, name.key, table.header(column));
    PoseAxis& axis = set.axes.emplace_back(PoseAxis{&name, {}});
    axis.profile.type = ProfileType::poses;
    axis.profile.where = name.location();
    for (const double position : numbers_of(column))
      axis.profile.numbers.push_back({.value = position});
  }
  if (set.axes.empty()) refuse(object.required("columns"), "at least one coordinate");
  set.words = fmt::format("rows of {}", file.text);
  return set;
}

}  // namespace

PoseSet read_poses(const JsonValue& poses, const MeasuredBy& measured_by,
                   const NumberReader& numbers, const std::filesystem::path& folder,
                   const FileProvider& files) {
  object_of(poses, "poses");
  const AxisReader reader{numbers, measured_by};
  const auto given = [&](std::string_view key) {
    const JsonValue* value = poses.find(key);
    return value != nullptr && value->kind != JsonValue::Kind::object;  // else a coordinate's name
  };
  if (given("sobol")) return read_samples(poses, reader);
  if (given("file")) return read_rows(poses, measured_by, folder, files);
  return read_grid(poses, reader);
}

namespace {

constexpr std::int64_t most_combinations = 1000;

/// The values of one parameter, or the weights of these values.
struct AxisValues {
  const JsonValue& axis;
  const Model* model;
  ParameterAxis& out;

  /// The unit of numbers without a unit in their text.
  [[nodiscard]] Unit unit(const ObjectReader& object) const {
    const JsonValue* name = object.find("unit");
    if (name == nullptr) {
      const std::string_view si = model == nullptr ? "1" : si_unit(parameter().unit);
      return find_unit(si).value_or(Unit());
    }
    const Unit unit = unit_in(*name);
    if (model != nullptr) require_fit(unit, parameter().unit, out.name, name->location());
    return unit;
  }
  [[nodiscard]] const Parameter& parameter() const { return model->parameters[out.parameter]; }

  void add(const JsonValue& number, double value) const {
    if (model != nullptr) require_in_bounds(*model, out.parameter, value, number.location());
    if (std::find(out.values.begin(), out.values.end(), value) != out.values.end())
      throw InputError(number.location(),
                       fmt::format("{} is a value of {} already", value, out.name));
    out.values.push_back(value);
  }
  void read(const ObjectReader& object) const {
    const Unit given = unit(object);
    const TextUnit own = object.find("unit") != nullptr ? TextUnit::none()
                         : model == nullptr             ? TextUnit::any()
                                                        : TextUnit{parameter().unit, out.name};
    const auto number_of = [&](const JsonValue& value) {
      return fixed_quantity(value, "a number", given, own);
    };
    const JsonValue* values = object.find("values");
    if (values == nullptr) {
      const JsonValue& range = object.required("range");
      const std::span<const JsonValue> ends = array_of(range, 2, "a range [from, to]");
      const double from = number_of(ends.front()), to = number_of(ends.back());
      if (!(from < to)) refuse(range, "a range with the lower end first");
      const std::int64_t count =
          integer_of(object.required("count"), "how many values", 2, most_combinations);
      for (std::int64_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        add(i + 1 < count ? ends.front() : ends.back(), from * (1.0 - share) + to * share);
      }
      return;
    }
    for (const std::string_view other : {"range", "count"})
      if (const JsonValue* extra = object.find(other))
        throw InputError(extra->key_location(),
                         fmt::format("\"{}\" does not go with \"values\", which are all values of "
                                     "the parameter",
                                     other));
    for (const JsonValue& value : array_of(*values, "an array of numbers"))
      add(value, number_of(value));
    if (out.values.empty()) refuse(*values, "at least one value");
  }
};

}  // namespace

std::size_t ParametricMotion::combinations() const {
  std::size_t product = 1;
  for (const ParameterAxis& axis : axes) product *= axis.values.size();
  return product;
}

void require_values(const ParametricMotion& motion, std::span<const ParameterSetting> settings) {
  for (const ParameterAxis& axis : motion.axes)
    if (std::none_of(settings.begin(), settings.end(), [&](const ParameterSetting& setting) {
          return setting.parameter == axis.parameter;
        }))
      throw InputError(
          motion.where,
          fmt::format("motion {} is gone through with {} values of {}; choose one with "
                      "--set {}=VALUE",
                      motion.nominal.name, axis.values.size(), axis.name, axis.name));
}

std::vector<ParameterAxis> read_axes(const JsonValue& parameters, const Model* model, int samples) {
  std::vector<ParameterAxis> axes;
  double product = 1.0;
  for (const JsonValue& axis : object_of(parameters, "parameter -> values")) {
    const ObjectReader object(axis, "values of a parameter",
                              {"values", "range", "count", "unit", "weights"});
    ParameterAxis& out = axes.emplace_back();
    out.name = axis.key;
    if (model != nullptr) out.parameter = parameter_of(*model, axis.key, axis.key_location());
    const AxisValues values{axis, model, out};
    values.read(object);
    if (const JsonValue* weights = object.find("weights"))
      out.weights = read_weights(*weights, out.values.size());
    product *= static_cast<double>(out.values.size());
  }
  if (axes.empty()) refuse(parameters, "at least one parameter with its values");
  if (product > static_cast<double>(most_combinations))
    throw InputError(parameters.location(),
                     fmt::format("found {:.6g} combinations of values, expected at most {}",
                                 product, most_combinations));
  if (product * samples > static_cast<double>(most_poses))
    throw InputError(
        parameters.location(),
        fmt::format("found {:.6g} combinations of values times {} samples, expected at "
                    "most {} in all",
                    product, samples, most_poses));
  return axes;
}

}  // namespace counterpoise
