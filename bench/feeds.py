#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how fast feeds are read; ./souk bench feeds builds what is needed and calls this."""

import argparse
import json
import pathlib
import subprocess
import sys
import time

from cluster import ROOT, environment, machine_busy

PASSES = 3  # the fastest counts: other work only ever adds
TARGET_MB = 100  # plain UTF-8, per second of one core
TARGET_RSS = 256 << 20

# name, what of `make`, what of `read`
CASES = [
    ("plain UTF-8", [], []),
    ("plain UTF-8, lenient", [], ["--mode", "lenient"]),
    ("gzip", ["--gzip"], []),
    ("windows-1251", ["--encoding", "windows-1251"], []),
]


def run(given, arguments):
    done = subprocess.run([given.bin / "souk-bench-feeds", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"bench: {done.stderr.strip() or f'souk-bench-feeds ended with {done.returncode}'}")
    return json.loads(done.stdout)


def measure_case(given, name, how_made, how_read):
    path = given.folder / "feed"
    made = run(given, ["make", "--mb", str(given.mb), *how_made, str(path)])
    passes = [run(given, ["read", *how_read, str(path)]) for _ in range(PASSES)]
    best = min(passes, key=lambda each: each["cpu_seconds"])
    if best["offers"] != made["offers"] or best["rejected"] != 0:
        sys.exit(f"bench: of {made['offers']} offers {best['offers']} were accepted ({name})")
    # MB are of the text as the shop wrote it: unpacked, in its encoding.
    return {"case": name, "bytes": made["bytes"], "file_bytes": path.stat().st_size, "offers": made["offers"],
            "cpu_seconds": best["cpu_seconds"], "mb_per_second": made["bytes"] / 1e6 / best["cpu_seconds"],
            "rss_bytes": max(each["rss_bytes"] for each in passes), "passes": passes}


def measure(given):
    began, busy = time.monotonic(), machine_busy()
    cases = [measure_case(given, *case) for case in CASES]
    machine = environment()
    own = sum(each["cpu_seconds"] for case in cases for each in case["passes"])
    others = max(0.0, machine_busy() - busy - own) / ((time.monotonic() - began) * machine["cores"])
    return {"environment": machine, "mb": given.mb, "cases": cases, "others_share": others}


def rows(result):
    table = [["feed", "MB", "MB in the file", "offers", "CPU, s", "MB/s per core", "offers/s", "peak RSS, MiB"]]
    for case in result["cases"]:
        table.append([case["case"], f"{case['bytes'] / 1e6:,.0f}", f"{case['file_bytes'] / 1e6:,.0f}", f"{case['offers']:,}",
                      f"{case['cpu_seconds']:.2f}", f"{case['mb_per_second']:.0f}", f"{case['offers'] / case['cpu_seconds']:,.0f}",
                      f"{case['rss_bytes'] / (1 << 20):.0f}"])
    return table


def about(result):
    machine, plain = result["environment"], result["cases"][0]
    speed = "met" if plain["mb_per_second"] >= TARGET_MB else "missed"
    memory = "met" if max(case["rss_bytes"] for case in result["cases"]) < TARGET_RSS else "missed"
    return [f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_bytes'] / (1 << 30):.1f} GiB; commit {machine['commit']}; "
            f"{machine['date']}",
            f"each feed read {PASSES} times, the fastest counts; making the feeds and other work took {result['others_share']:.0%} of the machine",
            f"targets: {TARGET_MB} MB/s of plain UTF-8 per core: {speed}; under {TARGET_RSS >> 20} MiB: {memory}"]


def plain_table(table):
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    return ["  ".join(cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths)))
            for row in table]


def page(result):
    lines = [f"# Reading feeds, {result['environment']['date']}", "",
             f"`./souk bench feeds --mb {result['mb']}`: a made-up YML feed (about 1.6 KB and 22 elements an offer, half of the bytes "
             "Cyrillic, HTML in CDATA) through unpacking, decoding, parsing and validation; without the offer store.", ""]
    lines += [f"{line}  " for line in about(result)] + [""]
    table = rows(result)
    lines += ["| " + " | ".join(row) + " |" for row in table[:1]] + ["|" + "---|" * len(table[0])]
    lines += ["| " + " | ".join(row) + " |" for row in table[1:]]
    return "\n".join(lines) + f"\n\n## Raw numbers\n\n```json\n{json.dumps(result, indent=1)}\n```\n"


def main():
    parser = argparse.ArgumentParser(prog="./souk bench feeds")
    parser.add_argument("--mb", type=int, default=256)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=pathlib.Path)
    given = parser.parse_args()
    result = measure(given)
    print("\n".join([*about(result), "", *plain_table(rows(result))]))
    if given.save:
        given.save.mkdir(exist_ok=True)
        path = given.save / f"feeds-{time.strftime('%Y-%m-%d', time.gmtime())}.md"
        path.write_text(page(result), encoding="utf-8")
        print(f"written: {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}", file=sys.stderr)
    if given.json:
        print(json.dumps(result))


if __name__ == "__main__":
    main()
