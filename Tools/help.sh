# shellcheck shell=bash
# Sourced by the scripts: --help prints the comment at the head of the script and ends.

head_words() { sed -n '2,${/^#/!q;s/^# \{0,1\}//p;}' "$0"; }

for word in "$@"; do
    case $word in -h | --help) head_words; exit 0 ;; esac
done
