#include "tests/springs/mounts/grid_oracle.hpp"
#include "tests/springs/sized_pendulum.hpp"

using namespace counterpoise;
using namespace counterpoise::test;

namespace {

using Box = GridOracle::Box;

/// A study of the pendulum with its post where these expressions put it.
struct Valley {
  std::string parameters;  // of the model, besides the pendulum's
  std::string post;
  std::string variables;
  std::string objective = pendulum::mean;
  double gap = 1e-5;
};

const std::string light_spring = R"("rate": {"range": [0, 150]}, "free": {"range": [0.02, 0.1]})";

Study study_of_valley(const Valley& valley) {
  const std::string with_post = with(pendulum::model, R"("post": [0, 0, "post"], "side": [0.3)",
                                     "\"post\": " + valley.post + R"(, "side": ["aside")");
  return study_of(
      {{"study.json", fmt::format(R"({{"format": "counterpoise-study/1", "model": "pendulum.json",
"motions": {{"slow": "slow.json"}}, "variables": {{{}}},
"search": {{"method": "exact-springs", "geometry": "prove", "gap": {}, "max_simplices": 20000}},
"objectives": [{}]}})",
                                  valley.variables, valley.gap, valley.objective)},
       {"pendulum.json", with(with_post, R"("other_rate": 0,)",
                              R"("other_rate": 0, "aside": 0.3, )" + valley.parameters + ",")},
       {"slow.json", pendulum::slow}});
}

/// The best geometry of a study whose mounts are all in one part.
std::vector<double> best_mounts(const StoredMounts& mounts, const GridOracle& oracle) {
  std::vector<double> at;
  for (std::size_t i = 0; i < oracle.whole().size(); ++i) {
    const auto [low, high] = oracle.whole()[i];
    at.push_back(low + (high - low) * mounts.parts.at(0).best_at.at(i));
  }
  return at;
}

/// A proof that is true of the least objective that is known, as near to it as was asked for, and
/// adds up again.
StoredMounts sound_proof(const Study& study, double least) {
  const auto path = fresh("valley.db");
  const StoredMounts mounts = proved(study, path);
  REQUIRE(mounts.ended == MountEnd::proved);
  REQUIRE(mounts.best);
  CHECK(mounts.gap <= study.search()->proof->gap * *mounts.best * (1.0 + 1e-12));
  CHECK(*mounts.bound <= least * (1.0 + 1e-9));
  CHECK(*mounts.best <= least * (1.0 + 1e-9) + mounts.gap);
  const ResultsFile results(path);
  const MountVerdict verdict = verify_mounts(results, stored_study(results), mounts, 1);
  CHECK(verdict.fault.empty());
  return mounts;
}

/// A spring beside the pendulum is as good on the left as on the right, but its post stands on a
/// rail that falls by 1 in 20,000 to one side.
Valley twins(double tilt) {
  Valley valley;
  valley.parameters = fmt::format(R"("side": 0, "ahead": 0, "tilt": {})", tilt);
  valley.post = R"(["ahead", "side", "post + tilt*side"])";
  valley.variables = R"("rate": {"range": [200, 202]}, "free": {"range": [0.22, 0.22001]},
"side": {"range": [-0.6, 0.5]})";
  return valley;
}

}  // namespace

TEST_CASE(
    "of two valleys far apart whose depths differ by less than a thousandth the deeper is "
    "proved") {
  int left_ones = 0;
  for (const double tilt : {5e-5, -5e-5})
    for (const std::string& objective : {pendulum::mean, pendulum::peak})
      for (const bool ahead : {false, true}) {
        Valley valley = twins(tilt);
        valley.objective = objective;
        if (ahead) valley.variables += R"(, "ahead": {"range": [-0.1, 0.1]})";
        const Study study = study_of_valley(valley);
        GridOracle oracle(study);
        Box left = oracle.whole(), right = oracle.whole();
        left[0][1] = right[0][0] = 0.0;
        const int each = ahead ? 15 : 61;
        const double depth_left = oracle.best(left, each, 5);
        const double depth_right = oracle.best(right, each, 5);
        const double least = std::min(depth_left, depth_right);
        const double difference = std::abs(depth_left - depth_right);
        CAPTURE(tilt, objective, ahead, depth_left, depth_right);
        CHECK(difference < 1e-3 * least);
        REQUIRE(difference > 20.0 * valley.gap * least);  // the oracle cannot mistake them
        const StoredMounts mounts = sound_proof(study, least);
        const double side = best_mounts(mounts, oracle)[0];
        CHECK(std::abs(side) > 0.15);
        CHECK((side < 0.0) == (depth_left < depth_right));
        // the other valley alone does not come as low as what is proved of the best
        CHECK(std::max(depth_left, depth_right) > *mounts.best + mounts.gap);
        left_ones += side < 0.0 ? 1 : 0;
      }
  CHECK(left_ones == 4);
}

TEST_CASE("a deep valley that is a thousandth of the range wide is found and proved") {
  struct Narrow {
    Valley valley;
    Box about;      // the valley
    double beside;  // where it is over, in its first variable
  };
  const std::string place = R"(, "place": {"range": [0, 1]})";
  const std::string lift = R"(, "lift": {"range": [0, 1]})";
  const std::string stiff = R"("rate": {"range": [100, 150]}, "free": {"range": [0.02, 0.1]})";
  // a post on a rail that rises within a thousandth, one that may stand far away, and one that may
  // stand far away and high
  const std::vector<Narrow> all = {
      {{R"("place": 0)",
        R"x([0, 0, "0.2 + 0.15*(atan((place - 0.3707)/0.0001) - atan((place - 0.3717)/0.0001))/2"])x",
        light_spring + place},
       {{0.370, 0.373}},
       0.003},
      {{R"("place": 0)", R"x(["300*(place - 0.37123)", 0, 0.45])x", light_spring + place},
       {{0.370, 0.373}},
       0.003},
      {{R"("place": 0, "lift": 0)", R"x(["300*(place - 0.37123)", 0, "0.45 + 300*(lift - 0.62)"])x",
        stiff + place + lift, pendulum::mean, 1e-3},
       {{0.370, 0.373}, {0.618, 0.622}},
       0.003}};
  for (const Narrow& narrow : all) {
    const Study study = study_of_valley(narrow.valley);
    GridOracle oracle(study);
    const bool two = narrow.about.size() == 2;
    const double least = oracle.best(narrow.about, two ? 31 : 201, 6);
    CAPTURE(narrow.valley.post, least);
    const StoredMounts mounts = sound_proof(study, least);
    std::vector<double> at = best_mounts(mounts, oracle);
    for (std::size_t i = 0; i < at.size(); ++i) {
      CHECK(at[i] > narrow.about[i][0]);
      CHECK(at[i] < narrow.about[i][1]);
    }
    const double best_place = at[0];
    for (const double beside : {-narrow.beside, narrow.beside}) {
      at[0] = best_place + beside;
      CHECK(oracle.at(at) > 2.0 * least);
    }
  }
}

TEST_CASE("an optimum in a corner of the box is found exactly") {
  // a high post, a far one, and a mount near the pivot
  const std::string variables = R"("rate": {"range": [0, 150]}, "free": {"range": [0.1, 0.15]},
"side": {"range": [-0.1, 0.2]}, "post": {"range": [0.3, 0.6]}, "mount": {"range": [0.25, 0.45]})";
  for (const std::string& objective : {pendulum::mean, pendulum::peak, pendulum::rms}) {
    const Study study =
        study_of_valley({R"("side": 0)", R"([0, "side", "post"])", variables, objective, 1e-6});
    GridOracle oracle(study);
    const double least = oracle.best(7, 3);
    CAPTURE(objective, least);
    const StoredMounts mounts = sound_proof(study, least);
    // to rounding: processors differ in the last bit
    const std::vector<double> corner{1.0, 1.0, 0.0};
    for (std::size_t i = 0; i < corner.size(); ++i)
      CHECK(mounts.parts.at(0).best_at.at(i) == Approx(corner[i]).margin(1e-12));
  }
}

TEST_CASE("a variable that the optimum does not feel changes nothing but the work") {
  // the best spring has no free length, and then what is aside of the link's plane has no moment;
  // the idle spring pulls at the pivot wherever its other end is
  const std::string free = R"("rate": {"range": [0, 100]}, "free": {"range": [0, 0.15]})";
  const std::string ahead = R"(, "ahead": {"range": [-0.2, 0.3]})";
  const Valley alone = {R"("side": 0, "ahead": 0)", R"(["ahead", "side", 0.45])", free + ahead,
                        pendulum::mean, 1e-3};
  const Study study = study_of_valley(alone);
  const double least = GridOracle(study).best(41, 6);
  const StoredMounts mounts = sound_proof(study, least);
  for (const char* more :
       {R"(, "side": {"range": [-0.3, 0.2]})",
        R"(, "aside": {"range": [0.1, 0.5]}, "other_rate": {"range": [0, 300]})"}) {
    Valley valley = alone;
    valley.variables += more;
    CAPTURE(more);
    const Study wider = study_of_valley(valley);
    GridOracle oracle(wider);
    CHECK(oracle.best(15, 5) == Approx(least).epsilon(1e-6));
    const StoredMounts also = sound_proof(wider, least);
    CHECK(*also.best == Approx(*mounts.best).epsilon(1e-3));
    CHECK(also.parts.at(0).simplices > mounts.parts.at(0).simplices);
  }
}
