# SPDX-License-Identifier: Apache-2.0
# Processes of one world: starting, finding, stopping. Sourced by ./souk (POSIX sh). Needs DATA, the world's folder
# as an absolute path. STARTED collects NAME=PID of what this shell started.

STARTED=
waited_pid= # the command that run_while_alive waits for

# The processes of the topology, one "ROLE NAME ADDRESS..." a line, in the order in which they start.
list_processes() {
  awk '
    function flush() { if (role != "" && name != "") print role, name addresses; name = addresses = "" }
    /^[ \t]*\[/ {
      flush(); role = ""
      section = $0; gsub(/[][ \t]/, "", section); sub(/#.*/, "", section)
      if (section ~ /^nodes?$/) role = "node"
      if (section ~ /^snippets?$/) role = "snippet"
      if (section == "control") role = "control"
      if (section == "indexer") role = "indexer"
      if (section ~ /^balancers?$/) role = "haproxy"
      next
    }
    /^[ \t]*name[ \t]*=/ { split($0, part, "\""); name = part[2]; next }
    match($0, /"[^"]*:[0-9]+"/) { addresses = addresses " " substr($0, RSTART + 1, RLENGTH - 2) }
    END { flush() }' "$DATA/topology.toml" | awk '
    BEGIN { rank["control"] = 1; rank["snippet"] = 2; rank["node"] = 3; rank["haproxy"] = 4; rank["indexer"] = 5 }
    { lines[NR] = $0; order[NR] = rank[$1] }
    END { for (r = 1; r <= 5; ++r) for (i = 1; i <= NR; ++i) if (order[i] == r) print lines[i] }'
}

names_of() { list_processes | awk -v role="$1" '$1 == role { print $2 }'; }

# The first address of a process, as HOST:PORT.
address_of() { list_processes | awk -v name="$1" '$2 == name { print $3 }'; }

# Is this pid one of our programs, working for this world under this name? Pids are used again by the system.
is_ours() { # PID NAME
  args="
$(tr '\0' '\n' <"/proc/$1/cmdline")
"
  program=${args#?}
  program=${program%%
*}
  case ${program##*/} in
    haproxy) wanted=$DATA/haproxy/haproxy.cfg ;;
    souk-node | souk-snippet | souk-control | souk-indexer)
      wanted=$DATA
      case $args in *"
$2
"*) ;; *) return 1 ;; esac
      ;;
    *) return 1 ;;
  esac
  case $args in *"
$wanted
"*) return 0 ;; *) return 1 ;; esac
} 2>/dev/null

# Has this child of ours ended? (One that was not waited for yet stays as a zombie.)
has_ended() { # PID
  read -r stat <"/proc/$1/stat" || return 0
  case ${stat##*) } in Z* | X*) return 0 ;; *) return 1 ;; esac
} 2>/dev/null

# Prints the pid of the process when it runs.
running_pid() { # NAME
  pid=$(cat "$DATA/run/$1.pid" 2>/dev/null) || return 1
  case $pid in '' | *[!0-9]*) return 1 ;; esac
  is_ours "$pid" "$1" || return 1
  echo "$pid"
}

is_anything_running() {
  for file in "$DATA"/run/*.pid; do
    name=${file##*/}
    ! running_pid "${name%.pid}" >/dev/null || return 0
  done
  return 1
}

# Starts a program in a session of its own, so that the terminal's signals reach it only through us. The log of its
# last run is kept as NAME.log.1.
start() { # NAME COMMAND...
  name=$1
  shift
  log=$DATA/logs/$name.log
  [ ! -f "$log" ] || mv "$log" "$log.1"
  setsid "$@" >"$log" 2>&1 </dev/null 9>&- &
  started_pid=$!
  echo "$started_pid" >"$DATA/run/$name.pid"
  STARTED="$STARTED $name=$started_pid"
  until is_ours "$started_pid" "$name" || has_ended "$started_pid"; do sleep 0.01; done
}

# One line about a process that ended although it should run. Its log's last line says why; HAProxy says it earlier.
report_end() { # NAME
  why=$(grep -m 1 'cannot bind' "$DATA/logs/$1.log" || tail -n 1 "$DATA/logs/$1.log")
  what=$(list_processes | awk -v name="$1" '$2 == name { print $1 " " $2 " (" $3 ")" }')
  echo "souk: $what ended: ${why:-see $DATA/logs/$1.log}" >&2
}

# Names, of those that this shell started, that run no more.
ended_names() {
  for entry in $STARTED; do
    ! has_ended "${entry#*=}" || echo "${entry%%=*}"
  done
}

# Runs a command; gives up on it, with a line, as soon as a process that this shell started ends.
run_while_alive() { # COMMAND...
  "$@" &
  waited_pid=$!
  while ! has_ended "$waited_pid"; do
    dead=$(ended_names)
    if [ -n "$dead" ]; then
      kill "$waited_pid" 2>/dev/null
      wait "$waited_pid" 2>/dev/null
      waited_pid=
      for name in $dead; do report_end "$name"; done
      return 1
    fi
    sleep 0.1
  done
  ended_pid=$waited_pid
  waited_pid=
  wait "$ended_pid"
}

# Asks all of them to end, waits up to 10 s, then kills. Entries are NAME=PID.
stop_entries() { # ENTRY...
  for entry in "$@"; do
    is_ours "${entry#*=}" "${entry%%=*}" || continue
    # SIGTERM makes a node serve on until it is missed; here nobody is left to miss it.
    case ${program##*/} in souk-node) signal=INT ;; *) signal=TERM ;; esac
    kill -"$signal" "${entry#*=}" 2>/dev/null || true
  done
  tries=0
  for entry in "$@"; do
    while is_ours "${entry#*=}" "${entry%%=*}"; do
      tries=$((tries + 1))
      if [ "$tries" = 100 ]; then
        for late in "$@"; do
          ! is_ours "${late#*=}" "${late%%=*}" || kill -9 "${late#*=}" 2>/dev/null || true
        done
      fi
      [ "$tries" -lt 200 ] || break 2
      sleep 0.1
    done
    file=$DATA/run/${entry%%=*}.pid
    [ "$(cat "$file" 2>/dev/null)" != "${entry#*=}" ] || rm -f "$file"
  done
}

# shellcheck disable=SC2086  # entries have no blanks
stop_started() {
  stop_entries $STARTED
  STARTED=
}

# Is something listening where this address would? From the kernel's own table: a bare Debian has no ss.
is_port_taken() { # HOST:PORT
  port=$(printf '%04X' "${1##*:}")
  host=$(echo "${1%:*}" | awk -F. 'NF == 4 { printf "%02X%02X%02X%02X", $4, $3, $2, $1 }')
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v host="$host" -v port="$port" '
    $4 != "0A" { next }
    { split($2, at, ":") }
    at[2] == port && (at[1] == host || at[1] ~ /^0+$/ || host ~ /^0+$/ || host == "") { found = 1 }
    END { exit !found }'
}

# Every process of these roles that must still be started finds its ports free, or the first that does not is named.
check_ports() { # ROLE...
  wanted_roles=" $* "
  list_processes | while read -r role name addresses; do
    case $wanted_roles in *" $role "*) ;; *) continue ;; esac
    ! running_pid "$name" >/dev/null || continue
    for address in $addresses; do
      if is_port_taken "$address"; then
        echo "souk: port ${address##*:} is taken, $role $name needs it ($address); free it, or give another --port" >&2
        exit 1
      fi
    done
  done
}
