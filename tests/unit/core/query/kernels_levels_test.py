#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions of a newer CPU stand only in the kernels that are chosen for it, and nothing outside can be linked to them.

Usage: kernels_levels_test.py LIBRARY, the built libsouk_query.a. A line per violation; exit code 1 when there is one.
"""

import re
import subprocess
import sys

LEVELS = ("kernels_scalar", "kernels_v3", "kernels_v4")
# Of the first x86-64 there is neither VEX coding (every mnemonic that begins with v) nor these. lzcnt and tzcnt are left
# out: compilers use them, as prefixed bsr and bsf, where an old CPU computes the same.
NEWER = re.compile(r"v[a-z0-9]+|andn[lq]|bextr[lq]|bls(i|r|msk)[lq]|bzhi[lq]|mulx[lq]|pdep[lq]|pext[lq]|rorx[lq]"
                   r"|(sar|shl|shr)x[lq]|movbe[wlq]")
AVX512 = re.compile(r"%(zmm\d|k[0-7]|[xyz]mm(1[6-9]|2\d|3[01]))")
HEADING = re.compile(r"\((\w+)\.c(?:pp|xx)\.o\):|^(\w+)\.c(?:pp|xx)\.o:")


def by_member(tool, *arguments):
    """What the tool prints of each member of a library: member, line."""
    lines = subprocess.run([tool, *arguments], check=True, capture_output=True, text=True).stdout.splitlines()
    member = None
    for line in lines:
        heading = HEADING.search(line)
        if heading:
            member = heading.group(1) or heading.group(2)
        elif line.strip():
            yield member, line


def instructions(library):
    """Member, function, mnemonic, operands."""
    function = ""
    for member, line in by_member("llvm-objdump-19", "-d", "--no-show-raw-insn", library):
        if line.endswith(">:"):
            function = line[line.index("<") + 1 : -2]
        match = re.match(r"\s+[0-9a-f]+:\s+(\S+)\s*(.*)", line)
        if match:
            yield member, function, match.group(1), match.group(2)


def wrong_instructions(library):
    seen = set()
    newest = {}  # member -> has it what it was compiled for
    for member, function, mnemonic, operands in instructions(library):
        seen.add(member)
        avx512 = AVX512.search(operands) is not None
        newer = NEWER.fullmatch(mnemonic) is not None
        if member == "kernels_v4":
            newest[member] = newest.get(member, False) or avx512
        elif member == "kernels_v3":
            newest[member] = newest.get(member, False) or "%ymm" in operands
            if avx512:
                yield f"{member}: AVX-512 in {function}: {mnemonic} {operands}"
        elif newer or avx512:
            yield f"{member}: an instruction of a newer CPU in {function}: {mnemonic} {operands}"
    for member in LEVELS:
        if member not in seen:
            yield f"{member}: not in {library}"
    for member, has in newest.items():
        if not has:
            yield f"{member}: not compiled for its instruction set"


def wrong_symbols(library):
    """A level's unit shows its table and nothing else: a weak function there could stand in for everybody's."""
    for member, line in by_member("llvm-nm-19", "--defined-only", library):
        kind, name = line.split()[-2:]
        if member in LEVELS and (not kind.islower() or kind == "u") and not re.fullmatch(r"_ZN4souk5query\d+k\w+KernelsE", name):
            yield f"{member}: {name} ({kind}) can be linked from elsewhere"


def main():
    wrong = list(wrong_instructions(sys.argv[1])) + list(wrong_symbols(sys.argv[1]))
    for line in wrong[:50]:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
