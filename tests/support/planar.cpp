#include "tests/support/plane.hpp"

namespace counterpoise::test {

LinkagePlane::FourBar LinkagePlane::add_four_bar() {
  const Vec3d b = crank_pin(angle());
  const Vec3d d = at(random_.uniform(0.45, 0.65), random_.uniform(-0.1, 0.1));
  const Vec3d c = tip(b, d);
  FourBar links{};
  links.crank = hinge(base_, at(0.0, 0.0));
  links.coupler = hinge(links.crank, b);
  links.rocker = hinge(base_, d);
  links.pin = c;
  join(links.coupler, links.rocker, c);
  return links;
}

int LinkagePlane::add_dyad(int first, int second, const Vec3d& near) {
  const Vec3d e = near + random_.uniform(0.15, 0.25) * direction(angle());
  const Vec3d g = e + random_.uniform(0.3, 0.5) * direction(angle());
  const Vec3d f = tip(e, g);
  const int rod = hinge(first, e);
  const int output = hinge(second, g);
  join(rod, output, f);
  return output;
}

void LinkagePlane::four_bar() {
  const FourBar links = add_four_bar();
  if (random_.chance(0.6))
    drive_one_of({links.crank});
  else
    drive_one_of({links.crank, links.coupler, links.rocker});
}

void LinkagePlane::slider_crank() {
  const double turn = angle();
  const Vec3d b = crank_pin(angle());
  const Vec3d along = direction(turn);
  // the rod at an angle of at most about 50 degrees to the slide
  const Vec3d c = b + random_.uniform(0.25, 0.5) * direction(turn + random_.uniform(-0.9, 0.9));
  const int crank = hinge(base_, at(0.0, 0.0));
  const int rod = hinge(crank, b);
  const int slider = slide(base_, along, c);
  join(slider, rod, c);
  if (random_.chance(0.6))
    drive_one_of({crank});
  else
    drive_one_of({crank, slider});
}

void LinkagePlane::scotch_yoke() {
  const double turn = angle();
  const Vec3d b = crank_pin(angle());
  const int crank = hinge(base_, at(0.0, 0.0));
  const int first = slide(base_, direction(turn), b);
  const int second = slide(first, direction(turn + random_.uniform(1.0, 2.0)), b);
  join(crank, second, b);
  drive_one_of({crank});
}

void LinkagePlane::slotted_rocker() {
  const Vec3d b = crank_pin(angle());
  const Vec3d d = at(random_.uniform(0.3, 0.6), random_.uniform(-0.1, 0.1));
  const int crank = hinge(base_, at(0.0, 0.0));
  const int rocker = hinge(base_, d);
  // the slot passes the rocker's hinge at some distance
  const Vec3d along =
      Eigen::AngleAxisd(random_.uniform(-0.5, 0.5), axes_.col(2)) * (b - d).normalized();
  const int block = slide(rocker, along, b);
  join(crank, block, b);
  if (random_.chance(0.7))
    drive_one_of({crank});
  else
    drive_one_of({block, rocker});
}

void LinkagePlane::slide_and_rod() {
  const double turn = angle();
  const Vec3d b = crank_pin(angle());
  const Vec3d c = b + random_.uniform(0.25, 0.5) * direction(turn + random_.uniform(-0.9, 0.9));
  const int crank = hinge(base_, at(0.0, 0.0));
  const int slider = slide(base_, direction(turn), c);
  const int rod = hinge(slider, c);
  join(crank, rod, b);
  if (random_.chance(0.6))
    drive_one_of({crank});
  else
    drive_one_of({crank, slider});
}

void LinkagePlane::five_bar() {
  const Vec3d b = crank_pin(angle());
  const double x = random_.uniform(0.6, 0.8);
  const double far_angle = angle();
  const double far_radius = random_.uniform(0.08, 0.2);
  const Vec3d d = at(x + far_radius * std::cos(far_angle), far_radius * std::sin(far_angle));
  const Vec3d c = tip(b, d);
  const int first = hinge(base_, at(0.0, 0.0));
  const int first_rod = hinge(first, b);
  const int second = hinge(base_, at(x, 0.0));
  const int second_rod = hinge(second, d);
  join(first_rod, second_rod, c);
  drive_one_of({first});
  drive_one_of({second});
}

void LinkagePlane::six_bar() {
  const FourBar links = add_four_bar();
  add_dyad(random_.chance(0.5) ? links.rocker : links.coupler, base_, links.pin);
  drive_one_of({links.crank});
}

void LinkagePlane::watt() {
  const FourBar links = add_four_bar();
  add_dyad(links.coupler, links.rocker, links.pin);
  drive_one_of({links.crank});
}

void LinkagePlane::stevenson() {
  const FourBar links = add_four_bar();
  drive_one_of({add_dyad(links.coupler, base_, links.pin)});
}

}  // namespace counterpoise::test
