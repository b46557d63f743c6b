// Trees of rods as in paper 002: the equations of motion by three formulations and by the engine.
// Prints the operations of each, counted, beside the formulas of Table 1, and measures what the
// accelerations of the paper's tree take.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

#include "bench/formulations/tree_operations.hpp"

namespace counterpoise::bench {
namespace {

using namespace rod_tree;

void print_row(const char* name, int rods, int branches, const TreeOperations& found,
               const PrintedOperations* printed) {
  std::printf("%-13s %8d %5d %9lld %9lld %9lld %9lld", name, branches, rods, found.dense.products,
              found.dense.sums, found.sparse.products, found.sparse.sums);
  if (printed)
    std::printf(" %9.0f %9.0f", branches * PrintedOperations::of(printed->products, rods),
                branches * PrintedOperations::of(printed->sums, rods));
  std::printf("\n");
}

void print_operations() {
  std::printf("%-13s %8s %5s %9s %9s %9s %9s %9s %9s\n", "operations", "branches", "rods", "dense*",
              "dense+", "sparse*", "sparse+", "table1*", "table1+");
  for (const auto& [branches, rods] :
       {std::pair{1, 2}, {1, 10}, {1, 50}, {1, 200}, {4, 4}, {4, 10}, {4, 50}}) {
    const RodTree tree = star(branches, rods);
    print_row("lagrangian", rods, branches, formulation_operations<Lagrangian>(tree),
              &printed_lagrangian);
    print_row("gibbs_appell", rods, branches, formulation_operations<GibbsAppell>(tree),
              &printed_gibbs_appell);
    print_row("rotations", rods, branches, formulation_operations<GibbsAppellByRotations>(tree),
              &printed_rotations);
    print_row("engine", rods, branches, engine_operations(tree), nullptr);
  }
}

State<double> state_of(const RodTree& tree) {
  return some_state<double>(tree, [](double value) { return value; });
}

/// One evaluation of the tree's accelerations with workspaces of its own.
template <class Formulation>
class Evaluation {
 public:
  explicit Evaluation(const RodTree& tree) : tree_(tree), branches_(divide_into_branches(tree)) {}

  const Eigen::VectorXd& operator()(const State<double>& state) {
    derive_equations<double>(tree_, branches_, state, formulation_, of_branch_, of_tree_);
    return accelerations_ = accelerations(of_tree_);
  }

 private:
  const RodTree& tree_;
  std::vector<Branch> branches_;
  Formulation formulation_;
  Equations<double> of_branch_, of_tree_;
  Eigen::VectorXd accelerations_;
};

template <>
class Evaluation<EngineEquations<double>> {
 public:
  explicit Evaluation(const RodTree& tree) : engine_(tree) {}

  const Eigen::VectorXd& operator()(const State<double>& state) {
    engine_(state, equations_);
    return accelerations_ = accelerations(equations_);
  }

 private:
  EngineEquations<double> engine_;
  Equations<double> equations_;
  Eigen::VectorXd accelerations_;
};

/// Ends the program unless the formulation's accelerations are the engine's to 1e-11 of their size.
template <class Formulation>
void compare(const RodTree& tree, const char* name) {
  const State<double> state = state_of(tree);
  Evaluation<EngineEquations<double>> engine(tree);
  Evaluation<Formulation> other(tree);
  const Eigen::VectorXd expected = engine(state);
  const double off = (other(state) - expected).norm() / expected.norm();
  if (off <= 1e-11) return;
  std::fprintf(stderr, "%s differs by %g; nothing is timed\n", name, off);
  std::exit(1);
}

template <class Formulation>
void add(const RodTree& tree, const char* name) {
  compare<Formulation>(tree, name);
  benchmark::RegisterBenchmark(name, [&tree](benchmark::State& run) {
    const State<double> state = state_of(tree);
    Evaluation<Formulation> evaluation(tree);
    for (auto _ : run) {
      benchmark::DoNotOptimize(evaluation(state).data());
      benchmark::ClobberMemory();
    }
  });
}

/// What all of them spend on solving the twelve equations.
void add_solution(const RodTree& tree) {
  benchmark::RegisterBenchmark("accelerations/of_these_solution", [&tree](benchmark::State& run) {
    EngineEquations<double> engine(tree);
    Equations<double> equations;
    engine(state_of(tree), equations);
    Eigen::VectorXd solution;
    for (auto _ : run) {
      solution = accelerations(equations);
      benchmark::DoNotOptimize(solution.data());
      benchmark::ClobberMemory();
    }
  });
}

}  // namespace
}  // namespace counterpoise::bench

int main(int argc, char** argv) {
  using namespace counterpoise::bench;
  const RodTree tree = paper_tree();
  print_operations();
  std::fflush(stdout);
  add<Lagrangian<double>>(tree, "accelerations/lagrangian");
  add<GibbsAppell<double>>(tree, "accelerations/gibbs_appell");
  add<GibbsAppellByRotations<double>>(tree, "accelerations/rotations");
  add<EngineEquations<double>>(tree, "accelerations/engine");
  add_solution(tree);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
