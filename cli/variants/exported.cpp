#include "cli/run_command.hpp"

/// The main of the program, which is all that a variant's library shows of itself.
extern "C" __attribute__((visibility("default"))) int counterpoise_main(int argc, char** argv);

int counterpoise_main(int argc, char** argv) {
  return counterpoise::run_program(argc, argv);
}
