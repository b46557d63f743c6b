"""Man pages: one of the program, one of each command."""

import re

from help_text import NAME

# What the help does not say; the README lists the same.
EXIT_CODES = {
    0: "done",
    1: "an internal error, a write that failed midway, or a proof that does not hold",
    2: "wrong input; the message says where, and nothing is written",
    3: "nothing feasible, or a motion that the mechanism cannot follow",
    130: "interrupted",
}


def roff(text):
    """Options in a text keep their dashes; a dot or an apostrophe at its start is no request."""
    text = text.replace("\\", "\\e").replace("'", "\\(aq")
    text = re.sub(r"(?<![\w-])-{1,2}(?=\w)", lambda dashes: dashes[0].replace("-", "\\-"), text)
    return re.sub(r"(?m)^\.", r"\\&.", text)


def bold(text):
    return f"\\fB{text}\\fR"


def man_argument(entry):
    """The head of an entry, and the text below it."""
    if entry.names[0].startswith("-"):
        head = ", ".join(bold(roff(name)) for name in entry.names)
        if entry.value:
            head += " " + ("|".join(map(bold, entry.choices)) or f"\\fI{entry.value}\\fR")
    else:
        head = f"\\fI{entry.names[0]}\\fR"
    head += " ..." if entry.repeated else ""
    remarks = [remark for remark in entry.remarks if remark not in entry.text]
    return f".TP\n{head}\n{roff('; '.join([entry.text, *remarks]))}\n"


def environment(variants):
    """What names the instructions that a packaged program uses."""
    return (".SH ENVIRONMENT\n.TP\n" + bold("COUNTERPOISE_ISA") + "\n" + roff(
        f"The instructions to use: {', '.join(variants[:-1])} or {variants[-1]}. Unset or empty: the "
        "widest of these that the processor runs. Any other value, or one that the processor does not "
        "run, is an error. Results say which it was, and \"run --resume\" and \"merge\" refuse to mix "
        "them unless told --allow-mixed.") + "\n")


def man_page(help_, commands, variants, version, date):
    title = help_.page
    sentence = help_.text.rstrip(".") + "."
    if not help_.name:
        sentence += " Each command has a man page of its own."
    usage = help_.usage.replace(f"{NAME} {help_.name}".strip(), "", 1).strip()
    page = [f'.TH {title.upper().replace("-", chr(92) + "-")} 1 {date} "{version}"\n',
            f".SH NAME\n{roff(title)} \\- {roff(help_.text.rstrip('.'))}\n",
            f".SH SYNOPSIS\n{bold((NAME + ' ' + help_.name).strip())} {roff(usage)}\n",
            f".SH DESCRIPTION\n{roff(sentence)}\n"]
    if help_.entries:
        page.append(f".SH {'ARGUMENTS' if help_.name else 'COMMANDS'}\n")
    for entry in help_.entries:
        page.append(man_argument(entry) if help_.name else
                    f".TP\n\\fB{NAME} {entry.names[0]}\\fR\n{roff(entry.text)}\n")
    page += [".SH OPTIONS\n", *map(man_argument, help_.options), ".SH EXIT STATUS\n"]
    page += [f".TP\n{code}\n{meaning}\n" for code, meaning in EXIT_CODES.items()]
    if variants and not help_.name:
        page.append(environment(variants))
    others = [command.page for command in commands if command.name != help_.name]
    if help_.name:
        others.insert(0, NAME)
    page.append(".SH SEE ALSO\n" + ",\n".join(f".BR {roff(other)} (1)" for other in others) + "\n")
    return "".join(page)
