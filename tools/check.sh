#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The checks that need no build: formatting and the directions of includes.
set -eu
cd "$(dirname "$0")/.."
git ls-files -z -- '*.h' '*.cpp' | xargs -0 --no-run-if-empty clang-format-19 --dry-run -Werror
tools/check_deps.py
