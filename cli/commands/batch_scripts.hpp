#pragma once

#include <string>
#include <string_view>

#include "cli/commands/task_plan.hpp"

namespace counterpoise {

/// The flags of /proc/cpuinfo, without their underscores, that a processor needs for a program that
/// may use this instruction set, of BuildInfo.
std::vector<std::string> processor_flags(std::string_view instruction_set);

/// The text in single quotes, as one word of a shell.
std::string shell_word(const std::string& text);

/// Batch scripts for sbatch: that of the array job whose task i evaluates part i, and that of the
/// job that joins the parts. `program` is the program's own file, and `variant` the one that a
/// packaged program chose of its own, or empty: tasks use the same.
std::string task_script(const TaskPlan& plan, const std::filesystem::path& program,
                        std::string_view instruction_set, const std::string& variant);
std::string merge_script(const TaskPlan& plan, const std::filesystem::path& program);

}  // namespace counterpoise
