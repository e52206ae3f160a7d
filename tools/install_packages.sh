#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/install_packages.sh GROUP...: installs the Debian packages of these groups of packages.txt that are missing.
# As root or through sudo; with neither it prints the exact line to run and exits 1. Starts no service.
set -eu

list=$(dirname "$0")/packages.txt
policy=/usr/sbin/policy-rc.d

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "souk: dpkg-query and apt-get not found: souk installs what it needs on Debian 12 only" >&2
  exit 1
fi

wanted=$(awk -v groups="$*" '
  BEGIN { count = split(groups, names, " "); for (i = 1; i <= count; ++i) take["[" names[i] "]"] = 1 }
  /^\[/ { on = ($1 in take); next }
  on && NF && !/^#/ { print $1 }' "$list" | sort -u)
# shellcheck disable=SC2086  # names without blanks, one argument each
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null | sed -n 's/^installed //p' || true)
missing=
for package in $wanted; do
  echo "$installed" | grep -qxF "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
  as_root() { "$@"; }
elif command -v sudo >/dev/null; then
  as_root() { sudo "$@"; }
else
  echo "souk: some Debian packages are missing; as root run:" >&2
  echo "  apt-get update && apt-get install --no-install-recommends$missing" >&2
  exit 1
fi

# One installation at a time, so that nobody removes the policy under another's feet.
exec 8<"$list"
flock 8

# invoke-rc.d asks this program before it starts a service; 101 = no. An administrator's own one is left alone.
forbid_services() {
  [ ! -e "$policy" ] || return 0
  trap 'as_root rm -f "$policy"' EXIT
  trap 'exit 130' INT TERM HUP
  as_root sh -c 'umask 022; printf "#!/bin/sh\nexit 101\n" >"$1" && chmod 755 "$1"' sh "$policy"
}

echo "souk: installing Debian packages:$missing"
forbid_services
quiet=
[ -t 1 ] || quiet=-qq
# shellcheck disable=SC2086
as_root env DEBIAN_FRONTEND=noninteractive apt-get $quiet update 8<&- &&
  as_root env DEBIAN_FRONTEND=noninteractive apt-get $quiet -y -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 \
    install --no-install-recommends $missing 8<&- || {
  echo "souk: apt-get failed; the line was: apt-get install --no-install-recommends$missing" >&2
  exit 1
}
