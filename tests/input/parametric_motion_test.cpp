#include "input/reading/read.hpp"

#include <catch2/catch.hpp>
#include <numbers>

#include "engine/mechanism/moves.hpp"
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
  CHECK(profile(R"({"type": "spline", "times": [0, 3, 7], "values": [0, 1, "length * 1"]})") ==
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

TEST_CASE("moves are read in the unit of their profile, with limits and defaults") {
  const Model model = model_of(arm);
  const auto moves = [&](const std::string& text) {
    return std::get<Moves>(motion_of(R"({"shoulder": {"type": "moves", )" + text + "}}", model)
                               .nominal.drives.at(0)
                               .profile);
  };
  const double pi = std::numbers::pi;
  MoveList expected(pi / 2.0);
  expected.quintic(0.0, pi, 1.5);
  expected.rest(2.0);
  expected.move(2.0, 0.0, move_of_duration(MoveShape::trapezoid, 1.0, 0.25));
  expected.rest(3.0);
  CHECK(moves(R"("unit": "deg", "start": 90, "moves": [{"to": 180, "duration": 1.5},
                 {"hold": 0.5}, {"to": 0, "duration": 1, "profile": "trapezoid", "ramp": 0.25}])") ==
        expected.moves());
  const MoveTimes limited = fastest_move(pi, {pi / 4.0, pi / 2.0, 2.0 * pi});
  MoveList fastest(0.0);
  fastest.move(0.0, pi, limited);
  fastest.rest(limited.duration());
  CHECK(moves(R"("unit": "deg", "moves": [{"to": 180, "max_speed": 45, "max_acceleration": 90,
                 "max_jerk": 360}])") == fastest.moves());
  MoveList smooth(0.0);
  smooth.move(0.0, 0.3, move_of_duration(MoveShape::s_curve, 1.0, 1.0 / 3.0));
  smooth.rest(1.0);
  CHECK(moves(R"("moves": [{"to": "length * 1", "duration": 1, "profile": "s-curve"}])") ==
        smooth.moves());
}

TEST_CASE("synchronised moves follow the parameters of the slowest one") {
  const Model model = model_of(arm);
  const FileProvider files = texts({{"in/motion.json", R"({"format": "counterpoise-motion/1",
    "duration": 4, "step": 1, "synchronised": true, "coordinates": {
    "shoulder": {"type": "moves", "moves": [{"to": 1, "duration": "load"}, {"hold": 0.5}]},
    "elbow": {"type": "moves", "moves": [{"to": 0.5, "duration": 1}, {"to": 0, "duration": 1}]}}})"}});
  const ParametricMotion motion = read_motion("in/motion.json", model, files);
  ModelBinder design(model);
  MotionBinder binder(motion);
  for (const double load : {2.0, 3.0, 0.5}) {
    const std::vector<ParameterSetting> settings = {{model.find_parameter("load"), load}};
    REQUIRE_FALSE(design.bind(settings));
    REQUIRE_FALSE(binder.bind(design.values()));
    const double first = std::max(load, 1.0);
    const Profile elbow = PointToPoint{0.0, 0.5, 0.0, first};
    const Profile back = PointToPoint{0.5, 0.0, first, first + 1.0};
    for (double t = 0.05; t < 4.0; t += 0.1) {
      const Profile& expected = t < first ? elbow : back;
      CHECK(evaluate(binder.motion().drives[1].profile, t, 4.0).position ==
            Approx(evaluate(expected, t, 4.0).position).margin(1e-14));
    }
  }
  const std::vector<ParameterSetting> slow = {{model.find_parameter("load"), 3.5}};
  REQUIRE_FALSE(design.bind(slow));
  CHECK(binder.bind(design.values()).value() ==
        "motion motion at /coordinates/shoulder/moves/1: the move ends at 4.5 s, expected at most "
        "the "
        "motion's 4 s; make the moves faster or \"duration\" longer");
}

TEST_CASE("a motion without a duration ends with its last move, rounded up to a step") {
  const Model model = model_of(arm);
  const auto samples = [&](const std::string& moves) {
    const FileProvider files = texts({{"in/motion.json", R"({"format": "counterpoise-motion/1",
      "step": 0.1, "coordinates": {"elbow": {"type": "hold"}, "shoulder": {"type": "moves",
      "moves": [)" + moves + "]}}}"}});
    const ParametricMotion read = read_motion("in/motion.json", model, files);
    const ParametricMotion checked = check_motion("in/motion.json", files);
    CHECK(checked.nominal.duration == read.nominal.duration);
    return read.nominal.sample_count();
  };
  CHECK(samples(R"({"to": 1, "duration": 1})") == 11);
  CHECK(samples(R"({"to": 1, "duration": 0.7}, {"hold": 0.3})") == 11);
  CHECK(samples(R"({"to": 1, "duration": 1.01})") == 12);
  CHECK(samples(R"({"to": "length * 1", "duration": 0.5})") == 6);
  CHECK(samples(R"({"hold": 0})") == 2);
}

TEST_CASE("splines have the ends that they name") {
  const Model model = model_of(arm);
  const auto spline = [&](const std::string& more) {
    return motion_of(R"({"shoulder": {"type": "spline", "times": [0, 3, 7], "values": [1, 2, 1])" +
                         more + "}}",
                     model)
        .nominal.drives.at(0)
        .profile;
  };
  const std::vector<double> times = {0.0, 3.0, 7.0}, values = {1.0, 2.0, 1.0};
  CHECK(spline("") == Profile(clamped_spline(times, values)));
  CHECK(spline(R"(, "ends": "clamped")") == Profile(clamped_spline(times, values)));
  CHECK(spline(R"(, "ends": "natural")") == Profile(natural_spline(times, values)));
  CHECK(spline(R"(, "ends": "periodic")") == Profile(periodic_spline(times, values)));
}
