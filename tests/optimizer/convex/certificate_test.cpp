#include "optimizer/convex/certificate.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/optimizer/convex/problems.hpp"

using namespace counterpoise;
using namespace counterpoise::testing;

namespace {

struct Solved {
  ConvexProblem problem;
  ConvexSolution solution;
};

/// With active limits, and two pieces that are equal at the optimum.
Solved solved(NormKind kind) {
  std::mt19937 random(50 + static_cast<unsigned>(kind));
  for (;;) {
    Solved result{
        random_problem(
            random,
            {.unknowns = 3, .kinds = {kind, kind}, .linear_limits = 2, .in_limits = {kind}}),
        {}};
    result.solution = solve(result.problem);
    const Certificate& proof = result.solution.certificate;
    double most = 0.0;
    for (const double limit : proof.limits) most = std::max(most, limit);
    if (most > 0.0 && proof.pieces[0] > 0.1 && proof.pieces[1] > 0.1) return result;
  }
}

std::size_t active_limit(const Certificate& certificate) {
  std::size_t l = 0;
  while (!(certificate.limits[l] > 0.0)) ++l;
  return l;
}

/// The witness with the largest weight.
Certificate::Witness& main_witness(Certificate& certificate) {
  Certificate::Witness* most = &certificate.witnesses.front();
  for (Certificate::Witness& witness : certificate.witnesses) {
    if (std::abs(witness.weight) > std::abs(most->weight)) most = &witness;
  }
  return *most;
}

}  // namespace

TEST_CASE("multipliers alone are refused for the same reasons as their certificate") {
  const Solved s = solved(NormKind::max);
  const auto fault_of = [&](const std::function<void(Certificate&)>& change) {
    Certificate changed = s.solution.certificate;
    change(changed);
    return fault_of_multipliers(s.problem, changed);
  };
  CHECK(fault_of([](Certificate&) {}).empty());
  CHECK(fault_of([](Certificate& c) { c.bound += 1.0; }).empty());  // not theirs to say
  CHECK_FALSE(fault_of([](Certificate& c) { c.pieces[0] += 0.1; }).empty());
  CHECK_FALSE(fault_of([](Certificate& c) { c.pieces[0] = -c.pieces[0]; }).empty());
  CHECK_FALSE(fault_of([](Certificate& c) { c.pieces.pop_back(); }).empty());
  CHECK_FALSE(fault_of([](Certificate& c) { c.limits[active_limit(c)] *= -1.0; }).empty());
  CHECK_FALSE(fault_of([](Certificate& c) { main_witness(c).weight *= 1.01; }).empty());
  CHECK_FALSE(fault_of([](Certificate& c) { main_witness(c).sample = 1000; }).empty());
  // without pieces they may prove no more than that limits exclude each other
  CHECK_FALSE(fault_of([](Certificate& c) { c.pieces.assign(2, 0.0); }).empty());
  CHECK(fault_of([](Certificate& c) {
          c.pieces.assign(2, 0.0);
          c.witnesses.clear();
        }).empty());
}

TEST_CASE("certificates of optima hold, with a gap of 1e-9 at most") {
  for (const NormKind kind : all_kinds) {
    const Solved s = solved(kind);
    CHECK(judged(s.problem, s.solution, 1e-9 * s.solution.value) == "optimal");
  }
}

TEST_CASE("a certificate with any part changed is refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using Change = std::function<void(Certificate&)>;
  const std::vector<Change> changes = {
      [](Certificate& c) { c.pieces[0] *= 1.0 + 1e-6; },
      [](Certificate& c) { c.pieces[1] -= 1e-6; },
      [](Certificate& c) { c.pieces[0] = -c.pieces[0]; },
      [&](Certificate& c) { c.pieces[0] = nan; },
      [](Certificate& c) { c.pieces.pop_back(); },
      [](Certificate& c) { c.limits[active_limit(c)] *= 1.0 + 1e-6; },
      [](Certificate& c) { c.limits[active_limit(c)] *= -1.0; },
      [](Certificate& c) { c.limits[active_limit(c)] = 0.0; },
      [&](Certificate& c) { c.limits[active_limit(c)] = nan; },
      [](Certificate& c) { c.limits.push_back(0.0); },
      [](Certificate& c) { main_witness(c).weight *= 1.0 + 1e-6; },
      [](Certificate& c) { main_witness(c).weight *= -1.0; },
      [](Certificate& c) { main_witness(c).weight *= 0.999; },
      [&](Certificate& c) { main_witness(c).weight = nan; },
      [](Certificate& c) { main_witness(c).sample += main_witness(c).sample > 0 ? -1 : 1; },
      [](Certificate& c) { main_witness(c).sample = -1; },
      [](Certificate& c) { main_witness(c).sample = 1000; },
      [](Certificate& c) { main_witness(c).part = 7; },
      [](Certificate& c) { main_witness(c).norm = -1; },
      [](Certificate& c) { main_witness(c).norm = 1000; },
      [](Certificate& c) { main_witness(c).norm = main_witness(c).norm == 0 ? 1 : 0; },
      [](Certificate& c) { c.witnesses.push_back(main_witness(c)); },
      [](Certificate& c) {
        main_witness(c) = c.witnesses.back();
        c.witnesses.pop_back();
      },
      [](Certificate& c) { c.bound *= 1.0 + 1e-6; },
      [](Certificate& c) { c.bound *= 1.0 - 1e-6; },
      [&](Certificate& c) { c.bound = nan; },
      [](Certificate& c) { c.slopes[0] += 1e-3 * (1.0 + std::abs(c.slopes[0])); },
      [&](Certificate& c) { c.slopes[1] = nan; },
      [](Certificate& c) { c.slopes.pop_back(); },
  };
  for (const NormKind kind : all_kinds) {
    const Solved s = solved(kind);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      CAPTURE(static_cast<int>(kind), i);
      Certificate changed = s.solution.certificate;
      changes[i](changed);
      const CertificateCheck result = check_certificate(s.problem, changed, s.solution.x);
      CHECK(!result.valid);
      CHECK(!result.fault.empty());
    }
  }
}

TEST_CASE("multipliers that are wrong but added up again are refused, or prove less") {
  using Change = std::function<void(Certificate&)>;
  const std::vector<Change> changes = {
      [](Certificate& c) { main_witness(c).weight *= 1.1; },
      [](Certificate& c) { main_witness(c).weight *= 0.9; },
      [](Certificate& c) { main_witness(c).weight *= -1.0; },
      [](Certificate& c) { main_witness(c).sample += main_witness(c).sample > 0 ? -1 : 1; },
      [](Certificate& c) { c.limits[active_limit(c)] *= 1.1; },
      [](Certificate& c) { c.limits[active_limit(c)] *= 0.5; },
      [](Certificate& c) { std::swap(c.pieces[0], c.pieces[1]); },
      [](Certificate& c) {
        c.pieces = {1.0, 0.0};
      },
      [](Certificate& c) { c.witnesses.clear(); },
  };
  for (const NormKind kind : all_kinds) {
    const Solved s = solved(kind);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      CAPTURE(static_cast<int>(kind), i);
      Certificate changed = s.solution.certificate;
      changes[i](changed);
      add_up(s.problem, changed);
      const CertificateCheck result = check_certificate(s.problem, changed, s.solution.x);
      CHECK((!result.valid || result.gap > s.solution.gap));
      if (result.valid) CHECK(result.bound <= s.solution.value * (1.0 + 1e-9));
    }
  }
}

TEST_CASE("negative multipliers are refused, whatever they add up to") {
  ConvexProblem problem = small_problem({3.0, 4.0}, {{1.0, -1.0}}, NormKind::max);
  problem.objective = {{0.0, {}, {{0, 1.0}}}, {1.0, {}, {{0, 2.0}}}};
  problem.limits = {{{0.0, {}, {{0, -1.0}}}, 20.0}};
  Certificate certificate;
  for (const double negative : {-0.5, 0.0}) {
    CAPTURE(negative);
    certificate.pieces = {1.0 - negative, negative};
    certificate.limits = {0.0};
    add_up(problem, certificate);
    CHECK(check_certificate(problem, certificate, {0.0}).valid == (negative == 0.0));
    certificate.pieces = {1.0, 0.0};
    certificate.limits = {negative};
    add_up(problem, certificate);
    CHECK(check_certificate(problem, certificate, {0.0}).valid == (negative == 0.0));
  }
  certificate.pieces = {0.0, 0.0};
  certificate.limits = {-1.0};
  add_up(problem, certificate);
  CHECK(certificate.bound > 0.0);
  CHECK(!check_conflict(problem, certificate).valid);
}

TEST_CASE("witnesses beyond the dual ball of their norm are refused, whatever they add up to") {
  // One sample each way, so that every ball is filled: largest shares 1, sum has 1 each, length 1.
  for (const NormKind kind : all_kinds) {
    const ConvexProblem problem = small_problem({3.0, 4.0}, {{1.0, -1.0}}, kind);
    const double half = kind == NormKind::max ? 0.5 : kind == NormKind::l1 ? 1.0 : std::sqrt(0.5);
    for (const double factor : {1.0, 1.0 + 1e-6}) {
      Certificate certificate;
      certificate.pieces = {1.0};
      certificate.witnesses = {{0, 0, 0, half * factor}, {0, 0, 1, half * factor}};
      add_up(problem, certificate);
      CAPTURE(static_cast<int>(kind), factor);
      CHECK(check_certificate(problem, certificate, {0.5}).valid == (factor == 1.0));
    }
    ConvexProblem weightless = problem;
    weightless.norms[0].parts[0].weights = {1.0, 0.0};
    Certificate certificate;
    certificate.pieces = {1.0};
    certificate.witnesses = {{0, 0, 1, 1e-12}};
    add_up(weightless, certificate);
    CHECK(!check_certificate(weightless, certificate, {0.5}).valid);
  }
}

TEST_CASE("an x beyond bounds or limits is refused, another one has its own gap") {
  for (const NormKind kind : all_kinds) {
    const Solved s = solved(kind);
    const Certificate& proof = s.solution.certificate;
    std::vector<double> x = s.solution.x;
    x.pop_back();
    CHECK(!check_certificate(s.problem, proof, x).valid);
    for (std::size_t j = 0; j < s.solution.x.size(); ++j) {
      CAPTURE(static_cast<int>(kind), j);
      x = s.solution.x;
      x[j] = std::nan("");
      CHECK(!check_certificate(s.problem, proof, x).valid);
      x[j] = s.problem.upper[j] + 1e-6;
      CHECK(!check_certificate(s.problem, proof, x).valid);
      x[j] = s.problem.lower[j] - 1e-6;
      CHECK(!check_certificate(s.problem, proof, x).valid);
      for (const double step : {-1e-3, 1e-3}) {
        x[j] = s.solution.x[j] + step * (s.problem.upper[j] - s.problem.lower[j]);
        const CertificateCheck result = check_certificate(s.problem, proof, x);
        CHECK(result.gap == objective_of(s.problem, x) - result.bound);
        const bool is_inside = x[j] >= s.problem.lower[j] && x[j] <= s.problem.upper[j];
        const bool breaks_limit = excess_of(s.problem, x) > 1e-6;
        CHECK(result.valid == (is_inside && !breaks_limit));
        if (result.valid) CHECK(result.gap >= s.solution.gap);
      }
    }
  }
}

TEST_CASE("a proof of infeasibility with any part changed is refused") {
  for (const NormKind kind : all_kinds) {
    ConvexProblem problem = small_problem({1.0, 1.0, 0.2}, {{1.0, -1.0, 0.1}}, kind);
    problem.limits = {{{0.0, {{0, 1.0}}, {{0, 0.1}}}, 0.5}};
    const ConvexSolution solution = solve(problem);
    REQUIRE(solution.status == ConvexSolution::Status::infeasible);
    CHECK(check_conflict(problem, solution.certificate).valid);
    CHECK(!check_certificate(problem, solution.certificate, {0.0}).valid);
    using Change = std::function<void(Certificate&)>;
    const std::vector<Change> changes = {
        [](Certificate& c) { c.pieces[0] = 1e-3; },
        [](Certificate& c) { c.limits[0] *= 1.0 + 1e-6; },
        [](Certificate& c) { c.limits[0] = -c.limits[0]; },
        [](Certificate& c) { main_witness(c).weight *= 1.0 + 1e-6; },
        [](Certificate& c) { main_witness(c).sample = (main_witness(c).sample + 1) % 3; },
        [](Certificate& c) { c.bound *= 1.0 + 1e-6; },
        [](Certificate& c) { c.bound = -c.bound; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
      CAPTURE(static_cast<int>(kind), i);
      Certificate changed = solution.certificate;
      changes[i](changed);
      CHECK(!check_conflict(problem, changed).valid);
    }
    Certificate nothing;
    nothing.pieces = {0.0};
    nothing.limits = {0.0};
    add_up(problem, nothing);
    CHECK(!check_conflict(problem, nothing).valid);
  }
}
