#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cases/case_evaluator.hpp"
#include "results/text/cells.hpp"
#include "studies/pages/design_view.hpp"

namespace counterpoise {

class SharedColumns;

/// Chosen designs of a study in the motions that they run, each beside the baseline, as the page of
/// a report shows them.
class DesignMotions {
 public:
  /// `study` must outlive this object.
  explicit DesignMotions(const Study& study);
  ~DesignMotions();
  DesignMotions(const DesignMotions&) = delete;
  DesignMotions& operator=(const DesignMotions&) = delete;

  /// Adds a design: its poses, the loads of its actuators as `simulate` gives them, and the parts
  /// of these loads. A design that cannot follow a motion is shown as near to it as it gets,
  /// without loads. `evaluator` is that of the study; its design is changed. `outcome` is that of
  /// the point and `beside` the robots that it is compared with. Cost: some simulations a motion.
  void add(std::int64_t id, std::span<const double> point, CaseEvaluator& evaluator,
           const CaseOutcome& outcome, const Baselines::Pair& beside);

  /// Type `MotionsData` of report/src/report/data.ts. {"column": 3} stands for a column of numbers,
  /// which is in the block once, however many designs have it, and {"mechanism": 3} for a
  /// mechanism.
  [[nodiscard]] Json json() const;
  /// Still pictures of the designs in the order in which they were added, as HTML: each beside the
  /// baseline, when its load is largest. The key of each is the index of its motion in json(), a
  /// blank, and its case.
  [[nodiscard]] std::vector<std::string> stills() const;
  /// The picture of the first design in the motion in which its load is largest; empty where no
  /// design was added.
  [[nodiscard]] std::string first_still() const;

 private:
  struct Still {
    std::size_t motion;
    std::int64_t id;
    std::vector<StillDesign> designs;
    std::string caption;
    double load;  // the largest of the motion [N or N*m]
  };
  [[nodiscard]] std::string html_of(const Still& still) const;
  Json shafts(std::size_t motion, const std::string& name, const MotionDesign& design,
              CaseEvaluator& evaluator, const CaseOutcome& outcome, const Baselines::Pair& beside);
  Json springless_loads(std::size_t motion, CaseEvaluator& evaluator);
  Json loads_json(const std::string& key, const MotionDesign& design, bool springs);
  Json& motion_json(std::size_t motion, CaseEvaluator& evaluator);
  void add_still(std::size_t motion, std::int64_t id, DesignView view);

  const Study* study_;
  std::unique_ptr<SharedColumns> columns_;
  std::map<std::size_t, Json> motions_;
  std::map<std::size_t, DesignView> baselines_;  // of motions
  std::list<DesignView> views_;                  // that stills draw
  std::vector<Still> stills_;
};

}  // namespace counterpoise
