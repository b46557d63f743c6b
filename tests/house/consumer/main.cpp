#include <all_headers.hpp>

int main() {
  // Half a turn about z brings x to -x: a call that has to be linked, not only compiled.
  const counterpoise::Mat3d turned = counterpoise::rotation_from_rpy(0.0, 0.0, 3.141592653589793);
  return turned(0, 0) < -0.999 ? 0 : 1;
}
