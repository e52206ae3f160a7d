#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tools/kill_store.sh [ROUNDS [RECORD]]: kills a writer of the offer store ROUNDS times (200) for each database, checks
# what it leaves, and appends a line of JSON for each to RECORD (tests/results/store-kill-DATE.jsonl).
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-200}
record=${2:-tests/results/store-kill-$(date -u +%F).jsonl}
[[ $rounds =~ ^[1-9][0-9]{0,5}$ ]] || { echo "kill_store.sh: ROUNDS must be a number" >&2; exit 2; }

commit=$(git describe --always --dirty --exclude '*' --abbrev=12 2>/dev/null || echo unknown)
[ -f build/dev/build.ninja ] || cmake --preset dev >/dev/null
cmake --build --preset dev --target souk-store-kill -- --quiet
for database in rocksdb postgres; do
  build/dev/souk-store-kill --database "$database" --rounds "$rounds" --record "$record" --commit "$commit"
done
