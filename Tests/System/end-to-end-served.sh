# shellcheck shell=bash
# Sourced by end-to-end: a served concert, used as its console, a show desk and an operator's terminal use it. One
# server for all checks; the checks that harm it come last.

: "${scratch:?}" "${first:?}"
served=$scratch/served
{ read -r web_port && read -r osc_port && read -r broker_port; } < <(free_ports 3)
web=http://127.0.0.1:$web_port
server='' broker='' took=

# Starts the server on its data folder and waits for the console: serve [option ...]; `took` is how long, in ms.
serve() {
    local began
    began=$(date +%s%N)
    "$BATON" serve "$first" --live "$(unheard "$first")" --http "127.0.0.1:$web_port" --data "$served" \
        --osc "127.0.0.1:$osc_port" --no-multicast "$@" >"$scratch/server.log" 2>&1 &
    server=$!
    for _ in $(seq 150); do
        if curl --silent --fail --max-time 1 --output /dev/null "$web/login"; then
            took=$((($(date +%s%N) - began) / 1000000))
            return
        fi
        sleep 0.05
    done
    cat "$scratch/server.log"
    return 1
}

ctl() { timeout 30 "$BATON" ctl --server "$web" "$@"; }

# Reads the console's stream as a page does: console PYTHON, which sees `snapshot`, `stream` and `sys`.
console() {
    PYTHONPATH=Tests timeout 40 python3 -B - "$web" "$1" <<'PYTHON'
import sys
from lib.web import events
stream = events(sys.argv[1], "/api/events")
snapshot = next(stream)[1]
exec(sys.argv[2])
PYTHON
}

console_follows() {
    console '
wanted = {"show", "position", "meters", "cues", "programme", "message", "help", "faults", "targets", "check"}
print("sections:", sorted(snapshot), "missing:", wanted - set(snapshot))
measures = []
while len(measures) < 2:
    event, data = next(stream)
    if event == "position" and data["mode"] == "following" and data["measure"] not in measures:
        measures.append(data["measure"])
print("followed:", measures)
sys.exit(bool(wanted - set(snapshot)) or measures != sorted(measures))'
}

# The measure and the epoch now: place
place() { console 'print(snapshot["position"]["measure"], snapshot["position"]["epoch"])'; }

hands_change() {
    local before taken nudged released
    read -r _ before < <(place)
    taken=$(ctl take) && ctl goto 5 && nudged=$(ctl nudge 1) && [ "$(place)" = "6 ${nudged#epoch }" ] &&
        released=$(ctl release) || return 1
    echo "epochs: $before, then $taken, $nudged, $released"
    [ "epoch $before" != "$taken" ] && [ "$taken" != "$released" ]
}

# A command in the words of OSC, and the answer: osc ADDRESS [TEXT]
osc() {
    PYTHONPATH=Tests python3 -B - "$osc_port" "$@" <<'PYTHON'
import socket, sys
from lib import osc
port, address, *arguments = sys.argv[1:]
desk = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
desk.settimeout(5)
desk.sendto(osc.message(address, *arguments), ("127.0.0.1", int(port)))
print(desk.recv(9000).replace(b"\0", b" ").decode())
PYTHON
}

osc_is_answered() {
    osc /baton/goto 9 | grep "/baton/reply.*ok" && [ "$(place | cut -d ' ' -f 1)" = 9 ] &&
        osc /baton/choose 1 | grep "/baton/error.*nothing to choose from"
}

# A librarian writes a letter; the technician of the running show goes to it.
letter_is_known() {
    PYTHONPATH=Tests python3 -B - "$web" "$first" <<'PYTHON' || return 1
import sys
from lib import web
base, piece = sys.argv[1:]
scores = web.ask(base, "GET", "/api/library/scores").value
score = next(one for one in scores if any(each.get("piece") == piece for each in one["movements"]))
movements = [{**each, "marks": [{"label": "Quasi", "measure": 11}]} for each in score["movements"]]
kept = {name: score[name] for name in ("title", "composer", "lyricist", "arranger", "revision")}
answer = web.ask(base, "PUT", f"/api/library/scores/{score['id']}", {**kept, "movements": movements})
print(answer.status, answer.text)
sys.exit(answer.status != 200)
PYTHON
    for _ in $(seq 100); do
        if ctl goto Quasi; then
            [ "$(place | cut -d ' ' -f 1)" = 11 ]
            return
        fi
        sleep 0.1
    done
    return 1
}

# Whoever subscribes to the broker later knows the measure at once, and hears of a goodbye.
broker_knows() {
    ctl goto 3 && [ "$(mosquitto_sub -h 127.0.0.1 -p "$broker_port" -t baton/hall/online -C 1 -W 10)" = 1 ] || return 1
    for _ in $(seq 20); do
        [ "$(mosquitto_sub -h 127.0.0.1 -p "$broker_port" -t baton/hall/measure -C 1 -W 10)" = 3 ] && return
        sleep 0.1
    done
    return 1
}

comes_back() {
    ctl take && ctl goto 7 && ctl message Soon "We go on." && ctl lock on || return 1
    # The state must be right each time; how soon, once, and where the machine has time for it: how long it takes
    # over many trials is for Tests/System/survive restart to say.
    for _ in 1 2 3; do
        kill -9 "$server"
        wait "$server" 2>/dev/null
        serve --no-sign-in || return 1
        echo "back after $took ms"
        console '
position, show = snapshot["position"], snapshot["show"]
print(position, show["locked"], snapshot["message"]["current"])
sys.exit(position["measure"] != 7 or position["holder"]["kind"] != "technician" or not show["locked"]
    or snapshot["message"]["current"]["title"] != "Soon")' || return 1
        [ "$took" -gt 2000 ] || return 0
    done
    read -r load _ </proc/loadavg
    echo "load $load on $(nproc) processors"
    [ "${load%.*}" -ge $((2 * $(nproc))) ]
}

ends_when_asked() {
    local status=0
    kill -TERM "$server"
    wait "$server" || status=$?
    cat "$scratch/server.log"
    [ "$status" = 0 ] && [ -s "$(echo "$served"/shows/*)/report.json" ]
}

# A folder of its own for what must not begin: refused STATUS WORDS OPTION ...
refused() {
    local status=$1 words=$2
    shift 2
    ends "$status" "$words" timeout 20 "$BATON" serve "$first" --live "$(unheard "$first")" --no-multicast \
        --no-listen-osc --http 127.0.0.1:0 --data "$scratch/refused" "$@"
}

sign_in_is_asked_for() {
    served=$scratch/signed
    echo "four plain words here" | "$BATON" user add anna --role administrator --data "$served" &&
        BATON_PASSPHRASE="five other plain words here" \
            ends 0 'is the one in BATON_PASSPHRASE' "$BATON" user add bert --data "$served" </dev/null &&
        serve || return 1
    ends 1 'sign in' ctl take && BATON_PASSPHRASE="another four plain words" ends 1 . ctl --user anna take &&
        BATON_PASSPHRASE="four plain words here" ends 0 epoch ctl --user anna take &&
        BATON_PASSPHRASE="five other plain words here" ends 0 . ctl --user bert status
    local status=$?
    kill -TERM "$server"
    wait "$server"
    return $status
}

if command -v mosquitto >/dev/null; then
    mosquitto -p "$broker_port" >/dev/null 2>&1 &
    broker=$!
fi
check "a concert is served" serve --no-sign-in ${broker:+--mqtt "127.0.0.1:$broker_port"}
if [ -n "$server" ]; then
    check "served: the console follows the music" console_follows
    check "served: the baton changes hands by baton ctl" hands_change
    check "served: a refused command is its sentence" ends 1 'nothing to choose from' ctl choose 1
    check "served: an OSC command is obeyed and answered" osc_is_answered
    check "served: a letter that a librarian writes is known at once" letter_is_known
    if [ -n "$broker" ]; then
        check "served: the broker knows the measure" broker_knows
    else
        echo "skipped served: the broker knows the measure: mosquitto is not installed"
    fi
    check "served: an occupied data folder is a sentence" refused 1 'uses the folder' --no-sign-in --data "$served"
    check "served: an occupied port is a sentence" refused 1 'is in use' --no-sign-in --http "127.0.0.1:$web_port"
    check "served: ... and leaves no show behind" [ -z "$(ls "$scratch/refused/shows" 2>/dev/null)" ]
    check "served: kill -9, and the same measure within 2 s" comes_back
    check "served: SIGTERM ends it with a report" ends_when_asked
    check "served: the show log happens again without difference" ends 0 ' 0 differ, 0 damaged' \
        "$BATON" replay "$served"/shows/*
fi
check "served: a port that does not exist is a sentence" refused 64 'does not exist' --no-sign-in --http 127.0.0.1:70000
check "served: nobody is let in from other machines without sign-in" refused 64 'without sign-in' --no-sign-in \
    --http 0.0.0.0:0
printf 'loop: 2\norigin: baton.example.org\n' >"$scratch/wrong-value.yaml"
check "served: a wrong value of a settings file has its line" refused 64 '“origin” in line 2' \
    --config "$scratch/wrong-value.yaml"
printf '\nno-sign-inn: true\n' >"$scratch/wrong-name.yaml"
check "served: a setting that does not exist has its line" ends 64 'line 2: there is no setting “no-sign-inn”' \
    "$BATON" serve "$first" --config "$scratch/wrong-name.yaml"
check "served: files that are no certificate are a sentence" refused 1 'TLS file' \
    --tls-certificate README.md --tls-key README.md
check "served: who has not signed in is asked to" sign_in_is_asked_for
[ -z "$broker" ] || kill "$broker" 2>/dev/null
