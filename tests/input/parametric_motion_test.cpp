#include "input/reading/read.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "tests/support/reading.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

ParametricMotion motion_of(const std::string& coordinates, const Model& model,
                           const std::string& table = "") {
  return read_motion("in/motion.json", model,
                     texts({{"in/motion.json", R"({"format": "counterpoise-motion/1",
      "duration": "2*pi", "step": "pi/10", "coordinates": )" +
                                                   coordinates + "}"},
                            {"in/table.csv", table}}));
}

}  // namespace

TEST_CASE("the motions of CHARMIE are read") {
  const Model model = charmie();
  for (const std::string name : {"squat", "reach", "published"}) {
    const std::string path =
        std::string(COUNTERPOISE_SOURCE_DIR) + "/examples/charmie24/motion_" + name + ".json";
    const ParametricMotion motion = read_motion(path, model, read_text_file);
    CHECK(motion.nominal.name == name);
    CHECK(motion.nominal.sample_count() == (name == "published" ? 501 : 601));
    CHECK(motion.expressions.empty());
    for (const Drive& drive : motion.nominal.drives) CHECK(drive.actuator >= 0);
    CHECK(check_motion(path, read_text_file).nominal.sample_count() ==
          motion.nominal.sample_count());
  }
  const ParametricMotion published = read_motion(
      std::string(COUNTERPOISE_SOURCE_DIR) + "/examples/charmie24/motion_published.json", model,
      read_text_file);
  REQUIRE(published.nominal.drives.size() == 19);
  CHECK(published.nominal.drives[3].profile == Profile(BangBang{0.48, -0.0032}));
  CHECK(published.nominal.drives[2].profile ==
        Profile(BangBang{0.0, -2.0 * std::numbers::pi / 9.0}));
}

TEST_CASE("every profile is read with its defaults") {
  const Model model = model_of(arm);
  const auto profile = [&](const std::string& text) {
    return motion_of("{\"shoulder\": " + text + "}", model, "t [ms],u [deg]\n0,0\n7000,180\n")
        .nominal.drives.at(0)
        .profile;
  };
  const double pi = std::numbers::pi;
  CHECK(profile(R"({"type": "hold"})") == Profile(Hold{0.0}));
  CHECK(profile(R"({"type": "sine", "period": 2, "amplitude": "half"})") ==
        Profile(Sine{0.0, 0.15, 2.0, 0.0}));
  CHECK(profile(R"({"type": "point-to-point", "to": 1})") ==
        Profile(PointToPoint{0.0, 1.0, 0.0, 2.0 * pi, MoveShape::quintic, 1.0 / 3.0}));
  CHECK(profile(R"({"type": "point-to-point", "profile": "trapezoid", "ramp": 0.5, "from": 1,
                    "start_time": 1, "end_time": 2})") ==
        Profile(PointToPoint{1.0, 0.0, 1.0, 2.0, MoveShape::trapezoid, 0.5}));
  CHECK(profile(R"({"type": "spline", "times": [0, 3, 7], "values": [0, 1, "length"]})") ==
        Profile(clamped_spline({0.0, 3.0, 7.0}, {0.0, 1.0, 0.3})));
  CHECK(profile(R"({"type": "table", "file": "table.csv", "time": "t", "column": "u"})") ==
        Profile(natural_spline({0.0, 7.0}, {0.0, pi})));
}

TEST_CASE("positions of a profile are in its unit, and times are not") {
  const Model model = model_of(arm);
  const auto profile = [&](const std::string& text) {
    return motion_of("{\"shoulder\": " + text + "}", model).nominal.drives.at(0).profile;
  };
  const double pi = std::numbers::pi;
  CHECK(profile(R"({"type": "hold", "value": 90, "unit": "deg"})") == Profile(Hold{pi / 2.0}));
  CHECK(profile(R"({"type": "bang-bang", "start": 180, "acceleration": -90, "unit": "deg"})") ==
        Profile(BangBang{pi, -pi / 2.0}));
  CHECK(profile(R"({"type": "sine", "mean": 90, "amplitude": 45, "period": 2, "phase": 1,
                    "unit": "deg"})") == Profile(Sine{pi / 2.0, pi / 4.0, 2.0, 1.0}));
  CHECK(profile(R"({"type": "point-to-point", "from": "45*2", "to": 180, "start_time": 1,
                    "profile": "trapezoid", "ramp": 0.25, "unit": "deg"})") ==
        Profile(PointToPoint{pi / 2.0, pi, 1.0, 2.0 * pi, MoveShape::trapezoid, 0.25}));
  CHECK(profile(R"({"type": "spline", "times": [0, 3, 7], "values": [0, 45, 90],
                    "unit": "deg"})") ==
        Profile(clamped_spline({0.0, 3.0, 7.0}, {0.0, pi / 4.0, pi / 2.0})));
}

TEST_CASE("expressions of a profile are in its unit at every binding") {
  const Model model = model_of(arm);
  const ParametricMotion motion =
      motion_of(R"({"shoulder": {"type": "hold", "value": "45 * load", "unit": "deg"}})", model);
  CHECK(motion.nominal.drives[0].profile == Profile(Hold{std::numbers::pi / 2.0}));
  ModelBinder design(model);
  MotionBinder binder(motion);
  const std::vector<ParameterSetting> twice = {{model.find_parameter("load"), 4.0}};
  REQUIRE_FALSE(design.bind(twice));
  REQUIRE_FALSE(binder.bind(design.values()));
  CHECK(binder.motion().drives[0].profile == Profile(Hold{std::numbers::pi}));
}

TEST_CASE("coordinates are actuators first, then joints") {
  Model model = model_of(arm);
  const ParametricMotion motion =
      motion_of(R"({"elbow": {"type": "hold"}, "upper": {"type": "hold"}})", model);
  CHECK(motion.nominal.drives[0].actuator == 1);
  CHECK(motion.nominal.drives[1].actuator == -1);
  CHECK(motion.nominal.drives[1].joint == 0);
}

TEST_CASE("a motion follows the parameters of a design") {
  const Model model = model_of(arm);
  const ParametricMotion motion = motion_of(
      R"({"shoulder": {"type": "sine", "amplitude": "half", "period": "load"},
          "elbow": {"type": "hold", "value": 1}})",
      model);
  CHECK_FALSE(motion.expressions.empty());
  ModelBinder design(model);
  MotionBinder binder(motion);
  const Motion& bound = binder.motion();
  const std::vector<ParameterSetting> settings = {{model.find_parameter("length"), 0.5}};
  REQUIRE_FALSE(design.bind(settings));
  REQUIRE_FALSE(binder.bind(design.values()));
  CHECK(bound.drives[0].profile == Profile(Sine{0.0, 0.25, 2.0, 0.0}));
  CHECK(bound.drives[1].profile == Profile(Hold{1.0}));

  const std::vector<ParameterSetting> still = {{model.find_parameter("load"), 0.0}};
  REQUIRE_FALSE(design.bind(still));
  CHECK(binder.bind(design.values()).value() ==
        "motion motion at /coordinates/shoulder: the period is zero or not given");
}
