#include "cli/run_command.hpp"

int main(int argc, char** argv) {
  return counterpoise::run_program(argc, argv);
}
