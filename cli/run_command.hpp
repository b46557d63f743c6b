#pragma once

#include <string>
#include <vector>

#include "input/text/input_error.hpp"

namespace counterpoise {

/// The program, as its main: runs the command of a command line and prints its errors. Returns the
/// exit code.
int run_program(int argc, char** argv);

/// Runs one command as the program does, with the words that stand behind `counterpoise` on a
/// command line. Returns the exit code, and throws what the command throws. Where this thread has a
/// host (see output/host.hpp) nothing is printed: the host gets it.
int run_command(const std::vector<std::string>& words);

/// Runs one command as run_command() does and prints the error that ends it. Returns the exit code.
/// Throws std::bad_alloc where there is no memory left to say so.
int run_to_end(const std::vector<std::string>& words);

/// The lines printed for a mistake in an input: one for it and for each further mistake, up to a
/// readable number.
std::vector<std::string> lines_of(const InputError& error);

}  // namespace counterpoise
