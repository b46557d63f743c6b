#pragma once

/// Textbook formulas of two planar linkages.
namespace counterpoise::oracle {

/// Position of an output and its slope by the crank angle.
struct Output {
  double position;
  double ratio;
};

/// Crank a, coupler b, rocker c, ground d along +x from the crank's to the rocker's pivot; angles
/// from +x. Freudenstein's equation; `crossed` chooses the other of its roots.
Output four_bar(double a, double b, double c, double d, double crank_angle, bool crossed);

/// Crank r, rod l, slide along +x at height e: the pin's x on the far side of the crank.
Output slider_crank(double r, double l, double e, double crank_angle);

}  // namespace counterpoise::oracle
