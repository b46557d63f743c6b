#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>

#include "input/definition/parametric_motion.hpp"
#include "input/definition/study.hpp"
#include "input/reading/read.hpp"
#include "tests/cases/stored_rows.hpp"
#include "tests/support/simulation.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

const std::filesystem::path example = COUNTERPOISE_SOURCE_DIR "/examples/four_bar";

enum class Pin { parallel, point };

/// The example's files; with Pin::point its loop keeps two points together and nothing else.
FileProvider files_with(Pin pin) {
  return [pin](const std::filesystem::path& path) {
    std::string text = read_text_file(path);
    if (pin == Pin::parallel || path.filename() != "model.json") return text;
    const std::string kept = R"("keep": "parallel")", axes = R"("axes": )";
    const auto from = text.rfind(',', text.find(kept));
    const auto to = text.find("]]", text.find(axes, from));
    REQUIRE(from != std::string::npos);
    REQUIRE(to != std::string::npos);
    return text.erase(from, to + 2 - from);
  };
}

/// The example with parameters set, as a mechanism and the numbers the closed form needs.
class FourBar {
 public:
  explicit FourBar(Pin pin)
      : model_(read_model(example / "model.json", files_with(pin))), binder_(model_) {}

  [[nodiscard]] double value(const std::string& name) const {
    return binder_.values()[model_.find_parameter(name)];
  }
  const Mechanism& set(std::vector<std::pair<std::string, double>> values) {
    std::vector<ParameterSetting> settings;
    for (const auto& [name, number] : values) {
      REQUIRE(model_.find_parameter(name) >= 0);
      settings.push_back({model_.find_parameter(name), number});
    }
    REQUIRE_FALSE(binder_.bind(settings));
    return binder_.mechanism();
  }
  [[nodiscard]] Motion motion() const {
    return read_motion(example / "motion.json", model_, read_text_file).nominal;
  }

  /// The moment of all weights about the lower pivot is this times cos q  [N m].
  [[nodiscard]] double weight_moment() const {
    return value("gravity") * value("arm_length") *
           (value("head_mass") + (value("lower_arm_mass") + value("upper_arm_mass")) / 2.0);
  }
  /// The load that accelerates the lower arm, per its acceleration  [kg m^2].
  [[nodiscard]] double inertia() const {
    const double arms = (value("lower_arm_mass") + value("upper_arm_mass")) / 3.0;
    return (arms + value("head_mass")) * value("arm_length") * value("arm_length");
  }

 private:
  Model model_;
  ModelBinder binder_;
};

/// The spring that balances, for a place of its ends.
std::vector<std::pair<std::string, double>> balanced(FourBar& four_bar, double height,
                                                     double radius) {
  four_bar.set({});
  const double rate = four_bar.weight_moment() / (height * radius);
  return {{"anchor_height", height},
          {"mount_radius", radius},
          {"mount_offset", 0.0},
          {"spring_rate", rate},
          {"spring_initial_tension", rate * four_bar.value("spring_free_length")}};
}

}  // namespace

TEST_CASE("the closed-form spring balances the parallelogram in every pose") {
  for (const Pin pin : {Pin::parallel, Pin::point}) {
    FourBar four_bar(pin);
    const Motion motion = four_bar.motion();
    REQUIRE_FALSE(motion.inertia);
    for (const auto& [height, radius] : {std::pair{0.2, 0.1}, {0.35, 0.22}, {0.1, 0.4}}) {
      const Mechanism& mechanism = four_bar.set(balanced(four_bar, height, radius));
      const Simulation bare = run(mechanism, motion, {.springs = false});
      const auto& q = column(bare, "lower_arm.q");
      const auto& load = column(bare, "lift.load");
      const double moment = four_bar.weight_moment();
      for (std::size_t k = 0; k < q.size(); ++k)
        CHECK(load[k] == Approx(moment * std::cos(q[k])).epsilon(1e-12));
      CAPTURE(height, radius);
      CHECK(peak(column(run(mechanism, motion), "lift.load")) < 1e-9 * peak(load));
    }
  }
}

TEST_CASE("with inertia the balanced parallelogram's motor only accelerates it") {
  FourBar four_bar(Pin::parallel);
  const Mechanism& mechanism = four_bar.set(balanced(four_bar, 0.2, 0.1));
  Motion motion = four_bar.motion();
  motion.inertia = true;
  const Simulation simulation = run(mechanism, motion);
  const auto& a = column(simulation, "lower_arm.qdd");
  const auto& load = column(simulation, "lift.load");
  REQUIRE(peak(load) > 1.0);
  for (std::size_t k = 0; k < a.size(); ++k)
    CHECK(load[k] == Approx(four_bar.inertia() * a[k]).margin(1e-12 * four_bar.weight_moment()));
}

TEST_CASE("every start of the shipped search finds a spring that leaves nothing to the motor") {
  for (const Pin pin : {Pin::parallel, Pin::point}) {
    const Study study = read_study(example / "study.json", files_with(pin));
    const auto path = fresh(pin == Pin::parallel ? "parallel.db" : "point.db");
    run_to(study, path, 2);
    const ResultsFile results(path);
    const BaselineRow* baseline = results.baseline("without_springs", "");
    REQUIRE(baseline);
    FourBar four_bar(pin);
    four_bar.set({});
    // the motion passes the horizontal between two samples
    const double unbalanced = baseline->objectives.at(1);
    CHECK(unbalanced == Approx(four_bar.weight_moment()).epsilon(1e-3));

    constexpr std::size_t starts = 4;
    constexpr std::int64_t each = 5000;  // as in the file
    std::array<CaseRow, starts> first, best;
    for (const CaseRow& row : rows_of(path)) {
      const auto start = static_cast<std::size_t>((row.id - 1) / each);
      if (row.id % each == 1) first.at(start) = row;
      if (row.status != Status::feasible) continue;
      if (best.at(start).id == 0 || row.objectives[1] < best.at(start).objectives[1])
        best.at(start) = row;
    }
    for (std::size_t start = 0; start < starts; ++start) {
      CAPTURE(start, best[start].id);
      // none begins where it ends
      CHECK((first[start].status == Status::infeasible ||
             first[start].objectives[1] > 0.1 * unbalanced));
      REQUIRE(best[start].id != 0);
      CHECK(best[start].objectives[1] < 1e-9 * unbalanced);
      const auto variable = [&](std::size_t i) {
        return std::get<double>(best[start].variables.at(i));
      };
      const double rate = variable(0), tension = variable(1), radius = variable(2);
      // a load within 1e-9 of the unbalanced one leaves each of these within some 1e-8
      CHECK(rate * four_bar.value("anchor_height") * radius ==
            Approx(four_bar.weight_moment()).epsilon(1e-7));
      CHECK(tension == Approx(rate * four_bar.value("spring_free_length")).epsilon(1e-7));
      CHECK(std::abs(variable(3)) < 1e-7 * radius);
    }
  }
}
