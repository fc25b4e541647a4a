#!/usr/bin/env python3
"""Writes the manual pages of Baton from what the program says about itself.

    baton --experimental-dump-help | Tools/debian/manual.py FOLDER [--date 2026-01-31] [--version 0.3]

One page for each command: baton.1, baton-serve.1, baton-user-add.1 and so on.
"""

import argparse
import json
import pathlib
import re
import sys

FILES = """\
.SH FILES
.TP
/etc/baton/baton.yaml
settings of the server that systemd runs (baton.service)
.TP
/var/lib/baton
its accounts, concerts, scores and show logs (Data), prepared pieces (Models), recordings (Recordings)
.TP
/usr/share/baton
the pages, and the small concert that comes with Baton
"""


def roff(text):
    """Text as roff shows it: letters that roff would take for its own are marked."""
    marked = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in marked.splitlines())


def name(words, separator=" "):
    return separator.join(words)


def shown(argument):
    """The way an argument is written: its names in bold, its value in italics."""
    value = f"\\fI{roff(argument.get('valueName', 'value'))}\\fR"
    if argument["kind"] == "positional":
        return value
    names = [("--" if each["kind"] == "long" else "-") + each["name"] for each in argument["names"]]
    bold = ", ".join(f"\\fB{roff(each)}\\fR" for each in names)
    return bold if argument["kind"] == "flag" else f"{bold} {value}"


def meaning(argument):
    """The purpose of an argument, with its values and its default."""
    parts = [argument.get("abstract", ""), argument.get("discussion", "")]
    known = argument.get("allValues")
    if known:
        parts.append(f"Values: {', '.join(known)}.")
    if argument.get("defaultValue"):
        parts.append(f"Default: {argument['defaultValue']}.")
    return roff(" ".join(part for part in parts if part))


def is_inversion(argument, flags):
    """True for --no-x beside --x, which the line of --x names already."""
    first = (argument.get("names") or [{"name": ""}])[0]["name"]
    return argument["kind"] == "flag" and first.startswith("no-") and first[3:] in flags


def arguments(command):
    """The arguments that help lists, with each inverted flag joined to the flag that it inverts."""
    listed = [each for each in command.get("arguments", []) if each.get("shouldDisplay", True)]
    flags = {each["names"][0]["name"]: each for each in listed if each["kind"] == "flag"}
    for each in listed:
        if is_inversion(each, flags):
            flags[each["names"][0]["name"][3:]]["names"] += each["names"]
    return [each for each in listed if not is_inversion(each, flags)]


def synopsis(words, command, listed):
    parts = [f"\\fB{roff(name(words))}\\fR"]
    if any(each["kind"] != "positional" for each in listed):
        parts.append("[\\fIoptions\\fR]")
    for each in listed:
        if each["kind"] == "positional":
            text = shown(each) + (" ..." if each["isRepeating"] else "")
            parts.append(f"[{text}]" if each["isOptional"] else text)
    if command.get("subcommands"):
        parts.append("\\fIcommand\\fR")
    return " ".join(parts)


def sections(listed):
    """The arguments by the titles of their groups, in their order; those without a title first."""
    grouped = {None: []}
    for each in listed:
        grouped.setdefault(each.get("sectionTitle"), []).append(each)
    for title, members in grouped.items():
        if members:
            yield f".SH {roff((title or 'options').upper())}"
            for each in members:
                yield f".TP\n{shown(each)}\n{meaning(each)}"


def discussion(text):
    """Lines of a discussion; those that are indented keep their form."""
    for block in re.split(r"\n\s*\n", text):
        if any(line.startswith("  ") for line in block.splitlines()):
            yield ".PP\n.nf\n" + roff(block) + "\n.fi"
        else:
            yield ".PP\n" + roff(block)


def page(words, command, about):
    listed = arguments(command)
    lines = [
        f'.TH "{name(words, "-").upper()}" 1 "{about.date}" "Baton {about.version}" "Baton"',
        f".SH NAME\n{roff(name(words, '-'))} \\- {roff(command.get('abstract', '').rstrip('.'))}",
        f".SH SYNOPSIS\n{synopsis(words, command, listed)}",
    ]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", *discussion(command["discussion"])]
    lines += sections(listed)
    below = [each for each in command.get("subcommands", []) if each["commandName"] != "help"]
    if below:
        lines.append(".SH COMMANDS")
        for each in below:
            page_name = roff(name([*words, each["commandName"]], "-"))
            lines.append(f".TP\n\\fB{page_name}\\fR(1)\n{roff(each.get('abstract', ''))}")
    if words[-1] in ("baton", "serve"):
        lines.append(FILES.rstrip())
    if len(words) > 1:
        lines.append(f".SH SEE ALSO\n\\fB{roff(name(words[:-1], '-'))}\\fR(1)")
    return "\n".join(lines) + "\n"


def write(words, command, about):
    path = about.folder / f"{name(words, '-')}.1"
    path.write_text(page(words, command, about), encoding="utf-8")
    for each in command.get("subcommands", []):
        if each["commandName"] != "help":
            write([*words, each["commandName"]], each, about)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--date", default="")
    parser.add_argument("--version", default="")
    about = parser.parse_args()
    about.folder.mkdir(parents=True, exist_ok=True)
    command = json.load(sys.stdin)["command"]
    write([command["commandName"]], command, about)


if __name__ == "__main__":
    main()
