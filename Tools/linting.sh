# shellcheck shell=bash
# Sourced by the scripts Tools/lint-*: which files they check, and what is the same for several languages.
source "$(dirname "${BASH_SOURCE[0]}")/environment.sh"
cd "$root" || exit 1

# The repository's files whose name, or whose first line, matches a regular expression: scripts NAME FIRST_LINE
scripts() {
    git ls-files --cached --others --exclude-standard | while read -r file; do
        [ -f "$file" ] || continue
        { read -r first <"$file"; } 2>/dev/null || [ -n "$first" ] || continue
        [[ $file =~ $1 || $first =~ $2 ]] && echo "$file"
    done
}

# Names the lines of more than 120 columns; status 1 where there is one: short_lines FILE ...
short_lines() {
    ! LC_ALL=C.UTF-8 grep -HnE '^.{121,}' "$@" | sed -E 's/^([^:]*:[0-9]+):.*/\1: longer than 120 columns/' | grep .
}

# Ends a check whose tool is missing: skip WORDS
skip() {
    echo "lint: $*." >&2
    [ "${CI:-}" != true ]
    exit
}
