// The exoskeleton of paper 003: gravity forces and mass matrix in minimal coordinates by three
// formulations, side by side as in its Table 1. Prints what each computes, counted on expressions,
// and measures what it takes in numbers.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>

#include "bench/counters.hpp"
#include "bench/formulations/elimination_operations.hpp"
#include "formulations/minimal/elimination.hpp"
#include "formulations/minimal/implicit_constraints.hpp"
#include "formulations/minimal/lagrangian.hpp"
#include "input/reading/read.hpp"
#include "input/text/json_document.hpp"

namespace counterpoise::bench {
namespace {

constexpr std::size_t poses = 256;

struct Pose {
  std::vector<double> q1;
  std::vector<double> q;  // of all joints
};

struct Setting {
  MinimalPlan plan;
  std::vector<Pose> poses;
};

Setting prepare() {
  const Model model =
      read_model(std::string(COUNTERPOISE_EXAMPLES) + "/exoskeleton/model.json", read_text_file);
  Setting setting{plan_minimal(model.nominal), {}};
  MinimalState<double> state(setting.plan);
  std::mt19937_64 engine(20260501);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  for (std::size_t i = 0; i < poses; ++i) {
    Pose pose{{uniform(-1.5, 1.5), uniform(-1.2, 1.2), uniform(-0.3, 1.2), uniform(-0.4, 1.4),
               uniform(-1.5, 1.5)},
              {}};
    close_directly<double>(setting.plan, pose.q1, state);
    for (std::size_t b = 0; b < setting.plan.bodies(); ++b) pose.q.push_back(state.joints().q[b]);
    setting.poses.push_back(pose);
  }
  return setting;
}

/// One pose in any scalar, and what is computed of it.
template <class S>
struct Workspace {
  const MinimalPlan& plan;
  MinimalState<S> state;
  std::vector<S> q1, q;
  Vector<S> g1;
  Matrix<S> M1;

  explicit Workspace(const MinimalPlan& p)
      : plan(p), state(p), g1(p.freedoms()), M1(p.freedoms(), p.freedoms()) {}

  void place_known() {
    for (std::size_t b = 0; b < plan.bodies(); ++b)
      if (plan.mechanism.moves(static_cast<int>(b)))
        elimination::set_joint<S>(plan, static_cast<int>(b), q[b], state.joints());
  }
  std::vector<S> slopes() const {
    std::vector<S> results;
    for (std::size_t b = 0; b < plan.bodies(); ++b)
      for (int k : plan.depends_on[b])
        results.push_back(state.slopes(static_cast<Eigen::Index>(b), k));
    return results;
  }
  std::vector<S> forces() const { return {g1.data(), g1.data() + g1.size()}; }
  std::vector<S> masses() const {
    std::vector<S> results;
    for (int k = 0; k < M1.cols(); ++k)
      for (int l = 0; l <= k; ++l) results.push_back(M1(k, l));
    return results;
  }
  std::vector<S> tree_masses() const {
    return {state.mass.data(), state.mass.data() + state.mass.size()};
  }
};

/// A row of the table: what runs, and which numbers come out.
struct Row {
  const char* name;
  std::function<void(Workspace<double>&)> run;
  std::function<void(Workspace<Counted>&)> record;
  std::function<std::vector<Counted>(const Workspace<Counted>&)> results;
  std::function<std::vector<double>(const Workspace<double>&)> answers;
};

template <class Kernel, class Results>
Row row(const char* name, Kernel kernel, Results results) {
  return {name, kernel, kernel, results, results};
}

std::vector<Row> rows() {
  const auto trigonometric = [](auto& w) {
    eliminate_trigonometrically(w.plan, std::span(std::as_const(w.q1)), w.state);
  };
  const auto direct = [](auto& w) {
    eliminate_directly(w.plan, std::span(std::as_const(w.q1)), w.state);
  };
  const auto known = [](auto& w) {
    w.place_known();
    constrain(w.plan, w.state);
  };
  const auto closed = [](auto& w) {
    close_directly(w.plan, std::span(std::as_const(w.q1)), w.state);
    constrain(w.plan, w.state);
  };
  const auto lagrange_g = [](auto& w) { lagrangian_gravity(w.plan, w.state, w.g1); };
  const auto lagrange_M = [](auto& w) { lagrangian_mass_matrix(w.plan, w.state, w.M1); };
  const auto project_g = [](auto& w) { projected_gravity(w.plan, w.state, w.g1); };
  const auto project_M = [](auto& w) { projected_mass_matrix(w.plan, w.state, w.M1); };
  const auto both = [](auto first, auto second) {
    return [first, second](auto& w) {
      first(w);
      second(w);
    };
  };
  const auto g1 = [](const auto& w) { return w.forces(); };
  const auto M1 = [](const auto& w) { return w.masses(); };
  return {
      row("g1/trigonometric_elimination", both(trigonometric, lagrange_g), g1),
      row("g1/direct_elimination", both(direct, lagrange_g), g1),
      row("g1/implicit_constraints", both(closed, project_g), g1),
      row("g1/implicit_constraints_q2_given", both(known, project_g), g1),
      row(
          "g1/of_these_tree",
          [](auto& w) {
            w.place_known();
            gravity_forces(w.plan.tree, w.state.joints(), w.state.tree, std::span(w.state.gravity));
          },
          [](const auto& w) { return w.state.gravity; }),
      row("M1/trigonometric_elimination", both(trigonometric, lagrange_M), M1),
      row("M1/direct_elimination", both(direct, lagrange_M), M1),
      row("M1/implicit_constraints", both(closed, project_M), M1),
      row("M1/implicit_constraints_q2_given", both(known, project_M), M1),
      row(
          "M1/of_these_tree",
          [](auto& w) {
            w.place_known();
            mass_matrix(w.plan.tree, w.state.joints(), w.state.tree, w.state.mass);
          },
          [](const auto& w) { return w.tree_masses(); }),
      row("W/given_q2", known, [](const auto& w) { return w.slopes(); }),
  };
}

void place(const Pose& pose, Workspace<double>& workspace) {
  workspace.q1 = pose.q1;
  workspace.q = pose.q;
}

/// Ends the program unless both are equal to 1e-10 of the largest.
void require_equal(const std::vector<double>& a, const std::vector<double>& b, const char* name) {
  double largest = 0.0, off = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i]));
    off = std::max(off, std::abs(a[i] - b[i]));
  }
  if (a.size() == b.size() && off <= 1e-10 * largest) return;
  std::fprintf(stderr, "%s differs by %g of %g; nothing is timed\n", name, off, largest);
  std::exit(1);
}

/// Every way to g1 and to M1 gives the same as the first one.
void compare(const Setting& setting, const std::vector<Row>& all) {
  Workspace<double> workspace(setting.plan);
  for (const Pose& pose : setting.poses)
    for (std::size_t first : {0u, 5u}) {
      place(pose, workspace);
      all[first].run(workspace);
      const std::vector<double> expected = all[first].answers(workspace);
      for (std::size_t other = first + 1; other < first + 4; ++other) {
        all[other].run(workspace);
        require_equal(expected, all[other].answers(workspace), all[other].name);
      }
    }
}

Operations count(const Setting& setting, const Row& row) {
  const Pose& pose = setting.poses.front();
  Workspace<double> numbers(setting.plan);
  place(pose, numbers);
  row.run(numbers);

  Counted::start();
  Workspace<Counted> expressions(setting.plan);
  for (double q : pose.q1) expressions.q1.push_back(Counted::input(q));
  for (double q : pose.q) expressions.q.push_back(Counted::input(q));
  row.record(expressions);
  const std::vector<Counted> results = row.results(expressions);
  std::vector<double> values;
  for (const Counted& result : results) values.push_back(result.value());
  require_equal(row.answers(numbers), values, row.name);
  return Counted::operations(results);
}

void time(benchmark::State& state, const Setting& setting, const Row& row) {
  std::vector<Workspace<double>> workspaces(setting.poses.size(), Workspace<double>(setting.plan));
  for (std::size_t i = 0; i < workspaces.size(); ++i) place(setting.poses[i], workspaces[i]);
  for (auto _ : state)
    for (Workspace<double>& workspace : workspaces) {
      row.run(workspace);
      benchmark::DoNotOptimize(workspace.g1.data());
      benchmark::DoNotOptimize(workspace.M1.data());
      benchmark::ClobberMemory();
    }
  state.counters["pose"] = time_of_each(state, static_cast<int>(setting.poses.size()));
}

}  // namespace
}  // namespace counterpoise::bench

int main(int argc, char** argv) {
  using namespace counterpoise::bench;
  const Setting setting = prepare();
  const std::vector<Row> all = rows();
  compare(setting, all);
  std::printf("%-34s %6s %6s %4s %5s %4s %5s %5s %9s\n", "operations", "+-", "*", "/", "sqrt",
              "sin", "atan", ":=", "weighted");
  for (const Row& row : all) {
    const Operations n = count(setting, row);
    std::printf("%-34s %6d %6d %4d %5d %4d %5d %5d %9d\n", row.name, n.sums, n.products,
                n.quotients, n.roots, n.sines, n.arctangents, n.assignments, n.weighted());
    benchmark::RegisterBenchmark(
        row.name, [&setting, &row](benchmark::State& state) { time(state, setting, row); });
  }
  std::fflush(stdout);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
