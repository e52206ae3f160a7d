#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that includes follow the directions between folders (ARCHITECTURE.md).

Usage: check_deps.py [ROOT]. Prints one line per forbidden include; exit code 1 when there is one.
"""

import pathlib
import re
import sys

# Folder -> the folders of ours whose headers its files may include, besides its own. The longest matching key counts.
ALLOWED = {
    "core/base": [],
    "core/text": ["core/base"],
    "core/index": ["core/base", "core/text", "core/placement"],
    "core/query": ["core/base", "core/text", "core/index", "core/wire"],
    "core/oracle": ["core/base", "core/index", "core/query", "core/wire"],
    "core/rank": ["core/base", "core/text", "core/index", "core/query", "core/wire"],
    "core/merge": ["core/base", "core/text", "core/index", "core/query", "core/rank", "core/wire"],
    "core/placement": ["core/base"],
    "core/wire": ["core/base"],
    "runtime": ["core/base"],
    "searcher": ["core", "runtime", "control/client"],
    "snippet": ["core", "runtime", "control/client"],
    "meta": ["core", "runtime", "control/client", "snippet/client"],
    # the node is composed here of a shard and the meta layer
    "meta/node.h": ["core", "runtime", "control/client", "snippet/client", "searcher"],
    "meta/node.cpp": ["core", "runtime", "control/client", "snippet/client", "searcher"],
    "meta/node_main.cpp": ["core", "runtime", "control/client", "snippet/client", "searcher"],
    "indexer": ["core", "runtime", "control/client"],
    "indexer/build": ["core", "runtime", "control/client", "snippet/store"],
    "control": ["core", "runtime"],
    "control/cli": ["core", "runtime", "haproxy/render", "indexer/offers", "indexer/feed", "indexer/input"],
    "haproxy": ["core", "runtime"],
    "tests": [""],
    "bench": [""],
}
# Where a folder may include its siblings: below these, files of one first-level folder belong together.
WHOLE = ["runtime", "searcher", "snippet", "meta", "indexer", "control", "haproxy", "tests", "bench"]
# System headers that only some folders may see: they cost seconds per file, or they are effects.
RESTRICTED = {
    "boost/beast": ["runtime/net", "tests"],
    "toml.hpp": ["runtime/config"],
    "rocksdb/": ["indexer/offers", "snippet/store", "tests"],
    "pqxx/": ["indexer/offers", "bench/store", "tests"],
    "curl/": ["indexer/fetch"],
    "seccomp.h": ["indexer/sandbox", "tests"],
    "sqlite3.h": ["control/store", "tests"],
    "spdlog/": ["runtime/obs"],
}
# The pure library knows no sockets, threads or files.
EFFECTS = ["boost/asio", "thread", "mutex", "fstream", "filesystem", "sys/socket.h"]
# Of Asio, headers outside runtime may show only what is cheap.
CHEAP_ASIO = [
    "boost/asio/awaitable.hpp",
    "boost/asio/cancellation_signal.hpp",
    "boost/asio/io_context.hpp",
]
TOP = sorted({key.split("/")[0] for key in ALLOWED})
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def is_under(path, prefix):
    return prefix == "" or path == prefix or path.startswith(prefix if prefix.endswith("/") else prefix + "/")


def rule_of(path):
    """The longest key of ALLOWED that the file lies under, or None."""
    keys = [key for key in ALLOWED if is_under(path, key)]
    return max(keys, key=len) if keys else None


def own_folder(path):
    top = path.split("/")[0]
    return top if top in WHOLE else "/".join(path.split("/")[:2])


def system_problem(path, target):
    for header, folders in RESTRICTED.items():
        if target.startswith(header) and not any(is_under(path, folder) for folder in folders):
            return f"only {', '.join(folders)} may include it"
    if is_under(path, "core") and any(is_under(target, effect) for effect in EFFECTS):
        return "core has no effects"
    asio_in_header = path.endswith(".h") and target.startswith("boost/asio") and target not in CHEAP_ASIO
    if asio_in_header and not any(is_under(path, folder) for folder in ("runtime", "tests")):
        return f"of Asio a header outside runtime may include only {', '.join(CHEAP_ASIO)}"
    return None


def problem(path, quoted, target):
    """Why this file must not include the target, or None."""
    if quoted and target.split("/")[0] not in TOP:
        return "quoted include that does not start at the repository's root"
    if not quoted:
        return system_problem(path, target)
    if is_under(target, own_folder(path)):
        return None
    rule = rule_of(path)
    if any(is_under(target, allowed) for allowed in ALLOWED[rule]):
        return None
    return f"{rule} may include only {', '.join(ALLOWED[rule]) or 'itself'}"


def check(root):
    problems = []
    for top in TOP:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            path = file.relative_to(root).as_posix()
            if rule_of(path) is None:
                problems.append(f"{path}:1: this folder has no line in the table of tools/check_deps.py")
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                why = match and problem(path, match.group(1) == '"', match.group(2))
                if why:
                    problems.append(f"{path}:{number}: {match.group(2)}: {why}")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    problems = check(root)
    for line in problems:
        print(line)
    if problems:
        print(f"{len(problems)} forbidden includes")
        sys.exit(1)


if __name__ == "__main__":
    main()
