#include "studies/box_metrics.hpp"

#include "tests/studies/toleranced_arm.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

/// Which of the tolerances of a study of a changed arm are sampled, by parameter.
std::vector<std::string> sampled(const std::string& model, const std::string& of,
                                 const std::string& motions = one_motion) {
  Files files = arm_files(
      arm_study(R"("variables": {"mount": {"values": [0.3]}}, "sampling": {"method": "grid"}, )" +
                    one_objective + tolerances_of(of),
                motions));
  files["model.json"] = model;
  const Study study = study_of(files);
  const ToleranceBox box(study, *study.tolerances);
  std::vector<std::string> names;
  for (const std::size_t t : box.sampled()) {
    const auto p = static_cast<std::size_t>(study.tolerances->of[t].parameter);
    names.push_back(study.model->parameters[p].name);
  }
  return names;
}

using Names = std::vector<std::string>;
const std::string rate = R"("rate": {"percent": 10})";

}  // namespace

TEST_CASE(
    "a parameter only springs read belongs to them however it is spelled, others are sampled") {
  CHECK(sampled(shared_arm(), spring_tolerances).empty());
  CHECK(sampled(shared_arm(), R"("load": {"percent": 1}, )" + rate + R"(, "height":
{"percent": 1})") == Names{"load", "height"});
  // under another parameter's name it still belongs to the springs, in an expression it does not
  const std::string named = with(shared_arm(), R"("shortest": 0)", R"("shortest": "free")");
  CHECK(sampled(named, R"("free": {"percent": 1})").empty());
  for (const char* spelled : {"(free)", "+free", "2*free/2", "free + 0", "--free", "free/1",
                              "-(-free)", "max(free)", "free/2*2", "free + 0*rate"}) {
    CAPTURE(spelled);
    const std::string again =
        with(shared_arm(), R"("shortest": 0)", R"("shortest": ")" + std::string(spelled) + '"');
    CHECK(sampled(again, R"("free": {"percent": 1})").empty());
  }
  const std::string computed = with(shared_arm(), R"("shortest": 0)", R"("shortest": "free * 2")");
  CHECK(sampled(computed, R"("free": {"percent": 1})") == Names{"free"});
  const std::string expression =
      with(shared_arm(), R"("initial_tension": "tension")", R"("initial_tension": "tension + 1")");
  CHECK(sampled(expression, R"("tension": {"percent": 1})") == Names{"tension"});
  // as a mass, in another parameter's bound, in a motion
  CHECK(sampled(with(shared_arm(), R"("mass": 3)", R"("mass": "rate / 100")"), rate) ==
        Names{"rate"});
  CHECK(sampled(with(shared_arm(), R"("load": {"value": 2,)",
                     R"("bound": {"value": 1, "max": "rate"}, "load": {"value": 2,)"),
                rate) == Names{"rate"});
  CHECK(sampled(shared_arm(), rate, R"({"swing": {"format": "counterpoise-motion/1",
"duration": 1, "step": 0.1, "coordinates": {"shoulder": {"type": "hold", "value": "rate / 1000"}}}})") ==
        Names{"rate"});
  // a motion that sets what follows
  CHECK(sampled(named, R"("free": {"percent": 1})",
                R"({"swing": {"file": "swing.json", "parameters": {"shortest": 0.01}}})") ==
        Names{"free"});
}

TEST_CASE("numbers of springs follow their parameter with the factor of their units") {
  Files files = arm_files(
      arm_study(R"("variables": {"mount": {"values": [0.3]}}, "sampling": {"method": "grid"}, )" +
                one_objective + tolerances_of(R"("free": {"plus_minus": 5})")));
  // `shortest` in mm takes the number 100 that `free` in m is not: 0.1 becomes 0.0001 m
  files["model.json"] =
      with(shared_arm(), R"("shortest": 0)", R"("shortest": {"value": "free", "unit": "mm"})");
  files["study.json"] =
      with(files["study.json"], R"({"plus_minus": 5})", R"({"plus_minus": 5, "unit": "mm"})");
  const Study study = study_of(files);
  const ToleranceBox box(study, *study.tolerances);
  REQUIRE(box.spring_parts().size() == 2);
  const auto intervals = box.intervals(std::vector<double>{0.0}, study.model->nominal_values);
  Spring lift = study.model->nominal.springs[0];
  CHECK(lift.min_length == Approx(1e-4));
  ToleranceBox::deviate(box.spring_parts()[0], intervals[0], 1.0, lift);
  CHECK(lift.free_length == Approx(0.105));
  CHECK(lift.min_length == Approx(1.05e-4));
  CHECK(lift.rate == 300.0);
}

TEST_CASE("intervals lie around the design and are cut off where its numbers end") {
  Files files = arm_files(arm_study(
      R"("variables": {"rate": {"values": [300, 600]}, "load": {"values": [0.6, 4]},
"spring": {"catalogue": "springs.csv", "where": "rate > 200", "sets": {"free": "free_length"}}},
"sampling": {"method": "grid"}, )" +
      one_objective + tolerances_of(R"("rate": {"percent": 10},
"load": {"plus_minus": 300, "unit": "g"}, "free": {"variable": "spring", "fraction": "initial/100"},
"tension": {"plus_minus": 8}, "shortest": {"plus_minus": 0.5}, "strongest": {"percent": 0})")));
  const Study study = study_of(files);
  const ToleranceBox box(study, *study.tolerances);
  CaseDesign design(study);
  const std::vector<double> point = {1.0, 0.0, 1.0};  // 600 N/m, 0.6 kg, "hard": initial 20
  design.set_point(point);
  REQUIRE_FALSE(design.bind());
  const auto found = box.intervals(point, design.parameters());
  const auto is = [&](std::size_t t, double low, double high) {
    CHECK(found[t].low == Approx(low));
    CHECK(found[t].high == Approx(high));
    CHECK(found[t].at(0.25) == Approx(low + 0.25 * (high - low)));
  };
  is(0, 540.0, 660.0);
  is(1, 0.5, 0.9);  // its min is 0.5
  is(2, 0.12 * 0.8, 0.12 * 1.2);
  is(3, -3.0, 13.0);  // a tension may be negative
  is(4, -0.5, 0.5);   // and so may a limit
  is(5, 1000.0, 1000.0);
}

TEST_CASE("rates and free lengths end at 0") {
  const Study study = toleranced(one_objective + tolerances_of(R"("rate": {"plus_minus": 400},
"free": {"plus_minus": 0.3})"));
  const ToleranceBox box(study, *study.tolerances);
  const auto intervals = box.intervals(std::vector<double>{0.0}, study.model->nominal_values);
  CHECK(intervals[0].low == 0.0);
  CHECK(intervals[1].low == 0.0);
  const auto corners = corners_of(study.model->nominal, box, intervals);
  REQUIRE(corners.size() == 2);
  for (const SpringCorners& own : corners) {
    REQUIRE(own.springs.size() == 4);
    for (const Spring& spring : own.springs) CHECK((spring.rate >= 0.0 && spring.free_length >= 0));
    CHECK(std::count_if(own.springs.begin(), own.springs.end(),
                        [](const Spring& spring) { return spring.rate == 700.0; }) == 2);
  }
}
