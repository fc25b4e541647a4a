# shellcheck shell=bash
# Sourced by the scripts beside it: one that is asked for --help says the words at its head, before anything begins.

head_words() { sed -n '2,${/^#/!q;s/^# \{0,1\}//p;}' "$0"; }

for word in "$@"; do
    case $word in -h | --help) head_words; exit 0 ;; esac
done
