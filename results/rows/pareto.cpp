#include "results/rows/pareto.hpp"

#include <algorithm>

namespace counterpoise {
namespace {

using Objectives = std::span<const double>;

constexpr std::size_t most_in_leaf = 20;

}  // namespace

struct ParetoFront::Place {
  std::vector<double> objectives;
  std::vector<std::int64_t> ids;  // ascending where few may be equal
};

struct ParetoFront::Node {
  explicit Node(Objectives point)
      : least(point.begin(), point.end()), most(point.begin(), point.end()) {}

  void stretch(Objectives point) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      least[i] = std::min(least[i], point[i]);
      most[i] = std::max(most[i], point[i]);
    }
  }
  /// How far a point is from the middle, with each objective scaled by the front's range.
  [[nodiscard]] double distance(Objectives point, const Node& front) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < point.size(); ++i) {
      const double range = front.most[i] - front.least[i];
      if (!(range > 0.0)) continue;
      const double part = (point[i] - 0.5 * (least[i] + most[i])) / range;
      sum += part * part;
    }
    return sum;
  }
  /// The least values of a child.
  [[nodiscard]] Objectives least_of(std::size_t child) const {
    return Objectives(leasts).subspan(child * least.size(), least.size());
  }
  /// Notes how the children's bounds are now, after some of them have changed.
  void note_children() {
    leasts.clear();
    for (const auto& child : children)
      leasts.insert(leasts.end(), child->least.begin(), child->least.end());
  }
  [[nodiscard]] bool empty() const { return children.empty() && places.empty(); }

  std::vector<double> least, most;  // bounds of all points below, not always the narrowest
  std::vector<std::unique_ptr<Node>> children;
  std::vector<double> leasts;  // of the children side by side, where a search passes most by
  std::vector<Place> places;   // of a leaf
};

ParetoFront::ParetoFront(std::size_t most_equal) : most_equal_(most_equal) {}
ParetoFront::ParetoFront(ParetoFront&&) noexcept = default;
ParetoFront::~ParetoFront() = default;

bool ParetoFront::add(std::int64_t id, Objectives objectives, std::vector<std::int64_t>* left) {
  if (!last_winner_.empty() && covers(last_winner_, objectives) && !same(last_winner_, objectives))
    return false;
  if (root_ != nullptr) {
    if (dominated_in(*root_, objectives)) return false;
    const Fate fate = fate_in(*root_, objectives, left);
    if (root_->empty()) root_.reset();
    if (fate == Fate::dominated) return false;
    if (fate == Fate::equal) return join_equal(id, left);
  }
  insert({{objectives.begin(), objectives.end()}, {id}});
  ++size_;
  return true;
}

bool ParetoFront::join_equal(std::int64_t id, std::vector<std::int64_t>* left) {
  std::vector<std::int64_t>& ids = equal_->ids;
  if (ids.size() < most_equal_) {
    ids.push_back(id);
    ++size_;
    return true;
  }
  const auto last = std::max_element(ids.begin(), ids.end());
  if (id > *last) return false;
  if (left != nullptr) left->push_back(*last);
  *last = id;
  return true;
}

/// Whether a point below the node dominates this one, as most points of a study are: a search that
/// looks at fewer bounds than that of fate_in(), because it does not ask what this one dominates.
bool ParetoFront::dominated_in(const Node& node, Objectives objectives) {
  if (covers(node.most, objectives) && !same(node.most, objectives)) {
    last_winner_.assign(node.most.begin(), node.most.end());
    return true;
  }
  for (const Place& place : node.places)
    if (covers(place.objectives, objectives) && !same(place.objectives, objectives)) {
      last_winner_ = place.objectives;
      return true;
    }
  for (std::size_t child = 0; child < node.children.size(); ++child)
    if (covers(node.least_of(child), objectives) && dominated_in(*node.children[child], objectives))
      return true;
  return false;
}

/// What becomes of a point as far as one subtree is concerned. Removes what it dominates there.
ParetoFront::Fate ParetoFront::fate_in(Node& node, Objectives objectives,
                                       std::vector<std::int64_t>* left) {
  if (covers(node.most, objectives) && !same(node.most, objectives)) {
    last_winner_.assign(node.most.begin(), node.most.end());  // a point below is no worse
    return Fate::dominated;
  }
  if (covers(objectives, node.least) && !same(objectives, node.least)) {
    forget(node, left);
    node.children.clear();
    node.places.clear();
    return Fate::joins;
  }
  if (!covers(node.least, objectives) && !covers(objectives, node.most)) return Fate::joins;
  if (node.children.empty()) return fate_in_leaf(node, objectives, left);
  for (const auto& child : node.children)
    if (const Fate fate = fate_in(*child, objectives, left); fate != Fate::joins) return fate;
  if (std::erase_if(node.children, [](const auto& child) { return child->empty(); }) > 0)
    node.note_children();
  return Fate::joins;
}

ParetoFront::Fate ParetoFront::fate_in_leaf(Node& leaf, Objectives objectives,
                                            std::vector<std::int64_t>* left) {
  for (Place& place : leaf.places) {
    if (!covers(place.objectives, objectives)) continue;
    if (same(place.objectives, objectives)) {
      equal_ = &place;
      return Fate::equal;
    }
    last_winner_ = place.objectives;
    return Fate::dominated;
  }
  std::erase_if(leaf.places, [&](const Place& place) {
    const bool dominated = covers(objectives, place.objectives);
    if (dominated) forget(place, left);
    return dominated;
  });
  return Fate::joins;
}

void ParetoFront::forget(const Place& place, std::vector<std::int64_t>* left) {
  size_ -= place.ids.size();
  if (left != nullptr) left->insert(left->end(), place.ids.begin(), place.ids.end());
}

void ParetoFront::forget(const Node& node, std::vector<std::int64_t>* left) {
  for (const Place& place : node.places) forget(place, left);
  for (const auto& child : node.children) forget(*child, left);
}

/// Puts a point that nothing dominates into the leaf that is nearest.
void ParetoFront::insert(Place place) {
  if (root_ == nullptr) root_ = std::make_unique<Node>(place.objectives);
  Node* node = root_.get();
  node->stretch(place.objectives);
  while (!node->children.empty()) {
    const auto nearest = std::min_element(
        node->children.begin(), node->children.end(), [&](const auto& a, const auto& b) {
          return a->distance(place.objectives, *root_) < b->distance(place.objectives, *root_);
        });
    Node* const parent = node;
    node = nearest->get();
    node->stretch(place.objectives);
    const auto child = nearest - parent->children.begin();
    std::copy(node->least.begin(), node->least.end(),
              parent->leasts.begin() + child * static_cast<std::ptrdiff_t>(node->least.size()));
  }
  node->places.push_back(std::move(place));
  if (node->places.size() > most_in_leaf) split(*node);
}

/// Makes children of a full leaf: each begins with the point farthest from those before it, and
/// gets the points that are nearest to it.
void ParetoFront::split(Node& leaf) const {
  std::vector<Place> places = std::move(leaf.places);
  leaf.places.clear();
  std::vector<double> apart(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    apart[i] = leaf.distance(places[i].objectives, *root_);
  const std::size_t wanted = leaf.least.size() + 1;
  while (leaf.children.size() < wanted) {
    const auto farthest =
        static_cast<std::size_t>(std::max_element(apart.begin(), apart.end()) - apart.begin());
    if (!leaf.children.empty() && apart[farthest] == 0.0) break;
    leaf.children.push_back(std::make_unique<Node>(places[farthest].objectives));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double to_new = leaf.children.back()->distance(places[i].objectives, *root_);
      apart[i] = leaf.children.size() == 1 ? to_new : std::min(apart[i], to_new);
    }
  }
  if (leaf.children.size() < 2) {  // too near to each other to be told apart
    leaf.children.clear();
    leaf.places = std::move(places);
    return;
  }
  std::vector<Node> seeds;  // where the children began
  for (const auto& child : leaf.children) seeds.emplace_back(child->least);
  for (Place& place : places) {
    std::size_t nearest = 0;
    for (std::size_t c = 1; c < seeds.size(); ++c)
      if (seeds[c].distance(place.objectives, *root_) <
          seeds[nearest].distance(place.objectives, *root_))
        nearest = c;
    leaf.children[nearest]->stretch(place.objectives);
    leaf.children[nearest]->places.push_back(std::move(place));
  }
  std::erase_if(leaf.children, [](const auto& child) { return child->empty(); });
  leaf.note_children();
}

void ParetoFront::leave_out_above(double limit, std::vector<std::int64_t>& left) {
  if (root_ != nullptr && leave_out_below(*root_, limit, left)) root_.reset();
}

/// Returns whether nothing is left below the node.
bool ParetoFront::leave_out_below(Node& node, double limit, std::vector<std::int64_t>& left) {
  if (node.most.front() <= limit) return false;
  std::erase_if(node.places, [&](const Place& place) {
    const bool above = place.objectives.front() > limit;
    if (above) forget(place, &left);
    return above;
  });
  std::erase_if(node.children,
                [&](const auto& child) { return leave_out_below(*child, limit, left); });
  node.note_children();
  return node.empty();
}

std::vector<ParetoFront::Point> ParetoFront::points() const {
  std::vector<Point> points;
  std::vector<const Node*> open;
  if (root_ != nullptr) open.push_back(root_.get());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    for (const Place& place : node->places)
      for (const std::int64_t id : place.ids) points.push_back({id, place.objectives});
    for (const auto& child : node->children) open.push_back(child.get());
  }
  return points;
}

std::optional<std::int64_t> knee_of(const std::vector<ParetoFront::Point>& front) {
  if (front.size() < 3) return std::nullopt;
  const std::size_t objectives = front.front().objectives.size();
  std::vector<double> least(front.front().objectives), most(least);
  for (const ParetoFront::Point& point : front)
    for (std::size_t i = 0; i < objectives; ++i) {
      least[i] = std::min(least[i], point.objectives[i]);
      most[i] = std::max(most[i], point.objectives[i]);
    }
  std::size_t differing = 0;
  for (std::size_t i = 0; i < objectives; ++i) differing += most[i] > least[i] ? 1U : 0U;
  if (differing < 2) return std::nullopt;

  std::optional<std::int64_t> knee;
  double best = 0.0;
  for (const ParetoFront::Point& point : front) {
    double sum = 0.0;
    for (std::size_t i = 0; i < objectives; ++i)
      if (most[i] > least[i]) sum += (point.objectives[i] - least[i]) / (most[i] - least[i]);
    if (knee && (sum > best || (sum == best && point.id > *knee))) continue;
    knee = point.id;
    best = sum;
  }
  return knee;
}

}  // namespace counterpoise
