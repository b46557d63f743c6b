#pragma once

#include "tests/cases/stored_rows.hpp"
#include "tests/support/arm_study.hpp"

namespace counterpoise::test {

/// A link of 4 kg, 0.35 m from its pivot, and a spring from a post 0.45 m above the pivot to a
/// mount at 0.25 m. With q from the horizontal, weight has the moment m g l cos q, and a spring of
/// rate k and no free length takes off k h r cos q: one rate balances it everywhere.
namespace pendulum {

inline constexpr double mass = 4.0, gravity = 9.81, length = 0.35, post = 0.45, mount = 0.25;
inline constexpr double weight = mass * gravity * length;
inline constexpr double balancing_rate = weight / (post * mount);

inline const std::string model = R"({"format": "counterpoise-model/1",
"parameters": {"rate": 100, "free": 0, "tension": 0, "mount": 0.25, "post": 0.45, "strongest": 1e6,
"shortest": "free", "other_rate": 0, "other_free": 0},
"world": {"points": {"post": [0, 0, "post"], "side": [0.3, 0.2, 0]}},
"bodies": [{"name": "link", "parent": "world", "joint": {"type": "revolute", "axis": "y"},
 "mass": 4, "com": [0.35, 0, 0], "inertia": [0.1, 0.1, 0.1, 0, 0, 0],
 "points": {"mount": ["mount", 0, 0], "root": [0, 0, 0]}}],
"springs": [{"name": "spring", "connect": ["world.post", "link.mount"], "rate": "rate",
 "free_length": "free", "initial_tension": "tension", "min_length": "shortest",
 "max_load": "strongest"},
{"name": "idle", "connect": ["world.side", "link.root"], "rate": "other_rate",
 "free_length": "other_free"}],
"actuators": [{"name": "pivot", "joint": "link"}]})";

inline const std::string slow = R"({"format": "counterpoise-motion/1", "duration": 2, "step": 0.02,
"inertia": false, "coordinates": {
"pivot": {"type": "point-to-point", "from": -1.2, "to": 1.5, "profile": "trapezoid"}}})";

inline const std::string quick = R"({"format": "counterpoise-motion/1", "duration": 1, "step": 0.01,
"coordinates": {
"pivot": {"type": "point-to-point", "from": 0.9, "to": -0.8, "profile": "quintic"}}})";

inline const std::string springs =
    "part,rate [N/m],free_length [mm],initial\n"
    "a,150,20,1\nb,80,90,4\nc,122,1,0\nd,400,150,9\ne,118,3,2\nf,60,40,12\n";

inline const std::string peak = R"({"name": "peak", "minimize": "max", "of": ["pivot"]})";
inline const std::string mean = R"({"name": "mean", "minimize": "mean", "of": ["pivot"]})";
inline const std::string rms = R"({"name": "rms", "minimize": "rms", "of": ["pivot"]})";

inline Study study(const std::string& variables, const std::string& objectives = peak,
                   const std::string& search = "", const std::string& rest = "",
                   const std::string& motions = R"("slow": "slow.json")") {
  const std::string text = R"({"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {)" + motions + R"(}, "variables": {)" +
                           variables + R"(}, "search": {"method": "exact-springs")" + search +
                           R"(}, "objectives": [)" + objectives + "]" + rest + "}";
  return study_of({{"study.json", text},
                   {"pendulum.json", model},
                   {"slow.json", slow},
                   {"quick.json", quick},
                   {"springs.csv", springs}});
}

inline const std::string rate = R"("rate": {"range": [0, 2000]})";
inline const std::string free_length = R"("free": {"range": [0, 0.3]})";
inline const std::string tension = R"("tension": {"range": [0, 50]})";
inline const std::string whole_spring = rate + ", " + free_length + ", " + tension;

}  // namespace pendulum

/// The rows of a study that was run.
inline std::vector<CaseRow> rows_when_run(const Study& study, const std::string& file,
                                          int threads = 1) {
  const auto path = fresh(file);
  run_to(study, path, threads);
  return rows_of(path);
}

inline double number(const CaseRow& row, std::size_t variable) {
  return std::get<double>(row.variables.at(variable));
}

}  // namespace counterpoise::test
