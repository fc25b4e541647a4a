# shellcheck shell=bash
# Sourced by the scripts: the repository's root, Swift on PATH, and where builds go.
# BATON_BUILD names another folder than .build; BATON names a program to use instead of building one.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/Tools/help.sh"
build=${BATON_BUILD:-$root/.build}

# Without this each crash prints a hundred lines of backtrace and takes two seconds.
export SWIFT_BACKTRACE=enable=no

command -v swift >/dev/null || [ ! -x /opt/swift/usr/bin/swift ] || PATH=$PATH:/opt/swift/usr/bin

# Folder of the newest program: program debug|release
program() { swift build --package-path "$root" --scratch-path "$build" -c "$1" --show-bin-path; }

# The lines of a log that say what failed: of the suites the tests and their issues, of the scripts their checks.
failed_lines() {
    grep -aE '^.{0,4}Test .*( recorded an issue| failed after )|^ *FAILED\b|^(FAIL|ERROR): ' "$1" |
        grep -avE 'Test (run|case) .* failed after '
}

# Prints the failures once more, because only the end of a log may be kept: say_failures FILE
say_failures() {
    [ ! -s "$1" ] && return
    echo "==== failed"
    cut -c 1-400 "$1" | awk '!seen[$0]++' | head -n 60
}

# A recording of a piece of the concert that its model was not made from: unheard PIECE
unheard() {
    local audio digest
    for audio in "$root/Recordings/$1"/*/audio.ogg; do
        digest=$(sha256sum "$audio" | cut -d ' ' -f 1)
        grep -q "$digest" "$root/Models/$1/model.json" || { echo "$audio"; return; }
    done
    echo "every recording of $1 is in its model; none is left to follow." >&2
    return 1
}

# The name that phones are shown for a piece of the concert: piece_name PIECE
piece_name() { sed -n 's/^  "name": "\(.*\)",$/\1/p' "$root/Recordings/$1/piece.json"; }

# Folder names of the concert's pieces, one a line, in order.
concert() { sed -n 's/^    "\([a-z0-9-]*\)",\{0,1\}$/\1/p' "$root/Recordings/concert.json"; }

# As many ports of loopback as asked, one a line, that nobody has now: free_ports COUNT
free_ports() {
    PYTHONPATH=$root/Tests python3 -B -c 'import sys
from lib.processes import free_port
print(*(free_port() for _ in range(int(sys.argv[1]))), sep="\n")' "$1"
}
