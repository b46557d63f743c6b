#include "optimizer/convex/linear_rows.hpp"

#include "optimizer/convex/problem.hpp"

namespace counterpoise {

int LinearColumns::add(double low, double high, double price) {
  lower.push_back(low);
  upper.push_back(high);
  cost.push_back(price);
  epigraph.push_back(false);
  return count() - 1;
}

int LinearColumns::add_epigraph() {
  const int column = add(0.0, infinity, 0.0);
  epigraph.back() = true;
  return column;
}

}  // namespace counterpoise
