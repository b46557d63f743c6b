"""Completions for bash and zsh. Both offer commands, their options, the words that an option or a
positional may be, and otherwise files; nothing where a number is expected."""

from help_text import NAME

BASH = """# Completion of {name} for bash; written from its --help.
_{name}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} command= option= place=0 word i words=
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${{COMP_WORDS[i]}}
    if [[ $word == '=' ]]; then
      continue
    elif [[ -n $option ]]; then
      option=
    elif [[ -z $command ]]; then
      [[ $word == -* ]] || command=$word
    elif [[ $word == -* ]]; then
      case "$command $word" in
{valued}) option=$word ;;
      esac
    else
      ((++place))
    fi
  done
  [[ $current != '=' ]] || current=
  case "$command ${{option:-$place}}" in
{values}
  esac
  if [[ -z $option && $current == -* ]]; then
    case $command in
{options}
    esac
  fi
  case $words in
    :files) compopt -o default 2> /dev/null ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
  esac
}}
complete -F _{name} {name}
"""


def bash_words(value):
    """What completes an argument: words, files, or nothing."""
    return " ".join(value.words) or (":files" if value.takes_file else "")


def bash_completion(program, commands):
    valued, values, options = [], [], []
    names = [entry.names[0] for entry in program.entries]
    values.append(f"    ' 0') words='{' '.join(names)}' ;;")
    for command in [program, *commands]:
        words = " ".join(name for option in command.options for name in option.names)
        options.append(f"      '{command.name}') words='{words}' ;;")
        if command is program:
            continue
        for option in command.options:
            if option.value:
                cases = " | ".join(f"'{command.name} {name}'" for name in option.names)
                valued.append(f"        {cases}")
                if bash_words(option):
                    values.append(f"    {cases}) words='{bash_words(option)}' ;;")
        for place, entry in enumerate(command.entries):
            pattern = f"'{command.name} '[0-9]*" if entry.repeated else f"'{command.name} {place}'"
            if bash_words(entry):
                values.append(f"    {pattern}) words='{bash_words(entry)}' ;;")
    return BASH.format(name=NAME, valued=" | \\\n".join(valued), values="\n".join(values),
                       options="\n".join(options))


def zsh_text(text):
    """Inside single quotes and the brackets of _arguments, where brackets have a meaning."""
    return text.translate(str.maketrans("[]", "()")).replace(":", "\\:").replace("'", "'\\''")


def zsh_action(value):
    if value.words:
        return f"({' '.join(value.words)})"
    return "_files" if value.takes_file else " "


def zsh_option(option):
    value = f":{option.names[-1].lstrip('-')}:{zsh_action(option)}" if option.value else ""
    assigned = [name + ("=" if option.value and name.startswith("--") else "")
                for name in option.names]
    names = f"{{{','.join(assigned)}}}" if len(assigned) > 1 else f"'{assigned[0]}'"
    once = "'*'" if option.repeated else f"'({' '.join(option.names)})'"
    if option.names[-1] in ("--help", "--version"):
        once = "'(- *)'"
    return f"{once}{names}'[{zsh_text(option.text)}]{value}'"


def zsh_arguments(lines, indent):
    return " \\\n".join(" " * indent + line for line in lines)


def zsh_completion(program, commands):
    lines = [f"#compdef {NAME}", f"# Completion of {NAME} for zsh; written from its --help.", "",
             f"_{NAME}() {{", "  local curcontext=$curcontext state line",
             "  typeset -A opt_args", "  local -a commands=("]
    for entry in program.entries:
        lines.append(f"    '{entry.names[0]}:{zsh_text(entry.text)}'")
    lines += ["  )", "  _arguments -C \\",
              zsh_arguments([*map(zsh_option, program.options), "'1: :->command'",
                             "'*:: :->argument'"], 4),
              "  case $state in",
              f"    command) _describe -t commands '{NAME} command' commands ;;",
              "    argument)", "      case $line[1] in"]
    for command in commands:
        specs = [zsh_option(option) for option in command.options]
        for entry in command.entries:
            several = "*" if entry.repeated else "" if entry.required else ":"
            specs.append(f"'{several}:{entry.names[0]}:{zsh_action(entry)}'")
        lines += [f"        {command.name})", "          _arguments \\",
                  zsh_arguments(specs, 12), "          ;;"]
    lines += ["      esac", "      ;;", "  esac", "}", "", f'_{NAME} "$@"', ""]
    return "\n".join(lines)
