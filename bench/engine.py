# SPDX-License-Identifier: Apache-2.0
"""Measures our engine and others on the same documents and queries; ./souk bench engine builds what is needed and calls this."""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from cluster import ROOT, cpu_seconds, environment, machine_busy, memory

# What each set asks, and what is compared: the best ten, warm, one thread, each query's fastest pass.
SETS = {
    "and": "all words",
    "or": "any word",
    "phrase": "two neighbouring words",
    "and_filter": "all words, a category and a price range",
    "and_facets": "all words; offers counted by category and vendor over all matches",
    "and_group": "all words, grouped by model",
    "and_price": "all words, cheapest first",
    "and_quality": "all words, static quality counts",
}
# In these sets the same documents match, so their counts are compared too.
SAME_MATCHES = ("and", "and_facets", "and_group", "and_price", "and_quality")
# Warm is an engine when a batch of passes is no longer faster than the one before: a JVM takes dozens of passes to get there.
WARM_PASSES = 4
WARM_GAIN = 0.03
WARM_SECONDS = 20  # at most, for a set
ROUNDS = 3  # the engines take turns
PASSES = 3  # in a round
RATIO_TARGETS = {"and": 5.0, "or": 4.0, "and_filter": 6.0, "and_facets": 4.0}
P99_TARGETS = {"and": 4.0, "or": 4.0, "and_filter": 4.0, "and_facets": 3.0}
BUILD_TARGET = 2.0
LUCENE_NOTE = ("This is Lucene 8, the newest in Debian 12. Published results put Lucene 10 about 2.8 times above Lucene 8 on AND and 5 times "
               "on OR.")
SIZE_NOTE = ("Builds: the corpus is read and the index written; Lucene's is the faster of one and two threads. Serving MiB is resident memory: "
             "Lucene's has a heap of 1 GiB that need not be used up and the mapped index in it; what Xapian reads is in the page cache, not in it. "
             "Lucene's and Xapian's index have no positions (phrases are asked of another index of Lucene's); ours has the forward index, keys and "
             "all columns of a market in it.")
JARS = ("lucene-core", "lucene-analyzers-common")
PEERS = ("lucene", "xapian")


class BenchError(Exception):
    """What ends the benchmark, in one line."""


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


# --- numbers ---


def rank(ordered, share):
    """Nearest rank of sorted values."""
    return ordered[min(len(ordered) - 1, max(0, -int(-share * len(ordered) // 1) - 1))]


def statistics(fastest_ns):
    ordered = sorted(fastest_ns)
    shares = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99, "max": 1}
    return {"queries_per_second": len(ordered) / sum(ordered) * 1e9, "mean_us": sum(ordered) / len(ordered) / 1000,
            **{f"{name}_us": rank(ordered, share) / 1000 for name, share in shares.items()}}


def ratios(engines, measure):
    """Of our figure to a peer's, or the other way round where less is better; {peer: {set: ratio}}."""
    own = engines["souk"]["sets"]
    return {name: {each: measure(own[each], engine["sets"][each]) for each in engine["sets"] if each in own}
            for name, engine in engines.items() if name != "souk"}


def all_ratios(result):
    engines, documents = result["engines"], result["corpus"]["documents"]
    if "souk" not in engines:
        return {}
    build = {name: engine["build"]["seconds"] / engines["souk"]["build"]["seconds"] for name, engine in engines.items() if name != "souk"}
    return {
        "ratios": ratios(engines, lambda own, peer: own["queries_per_second"] / peer["queries_per_second"]),
        "p99_ratios": ratios(engines, lambda own, peer: peer["p99_us"] / own["p99_us"]),
        "build_ratios": build,
        "documents_per_second": {name: documents / engine["build"]["seconds"] for name, engine in engines.items()},
    }


def disagreement(counts, queries):
    """The first query that two engines count differently, as text; None when there is none. counts: {set: {engine: lines}}"""
    same = {}  # what the matches of a query are counted as, by whoever was first
    for each, by_engine in counts.items():
        first = None
        for name, lines in by_engine.items():
            if len(lines) != len(queries):
                return f"{name} answered {len(lines)} of {len(queries)} queries of set {each}"
            if first is None:
                first = name
            for number, (line, other) in enumerate(zip(lines, by_engine[first])):
                if line != other:
                    return f"set {each}, query {number + 1} ({queries[number]!r}): {name} counts {line!r}, {first} {other!r}"
            if each not in SAME_MATCHES:
                continue
            matches = [line.split()[0] for line in lines]
            known_name, known = same.setdefault("matches", (f"{name} in set {each}", matches))
            for number, (count, other) in enumerate(zip(matches, known)):
                if count != other:
                    return f"query {number + 1} ({queries[number]!r}): {name} in set {each} finds {count}, {known_name} {other}"
    return None


# --- the engines ---


def lucene_jars(folder=pathlib.Path("/usr/share/java")):
    found = [next(iter(sorted(folder.glob(f"{name}-8.*.jar"))), None) for name in JARS]
    return None if None in found else found


def commands(given):
    """{engine: (command that builds, command that serves)}; each takes the folders behind it."""
    evaluator = [f"--evaluator={given.evaluator}"] if given.evaluator else []
    programs = {"souk": [given.bin / "souk-bench-engine", *evaluator], "xapian": [given.bin / "souk-bench-xapian"]}
    result = {}
    for name in given.engines:
        if name == "lucene":
            jars = lucene_jars()
            if jars is None:
                raise BenchError("Lucene 8 is not here (package liblucene8-java); leave it out with --peers")
            java = ["java", "-XX:+UseParallelGC", "-cp", ":".join(map(str, [given.classes, *jars]))]
            result[name] = ([*java, "-Xmx3g", "LuceneEngine"], [*java, "-Xms1g", "-Xmx1g", "LuceneEngine"])
        else:
            result[name] = (programs[name], programs[name])
    return result


def parse_reply(name, line):
    try:
        reply = json.loads(line)
    except json.JSONDecodeError:
        raise BenchError(f"{name} says {line.strip()!r}") from None
    if "error" in reply:
        raise BenchError(f"{name}: {reply['error']}")
    return reply


def build(name, command, corpus, index):
    """What it says of its index, with the most memory that it took."""
    index.mkdir()
    with subprocess.Popen([*map(str, command), "build", str(corpus), str(index)], stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        except BaseException:
            process.kill()
            raise
    if not line:
        raise BenchError(f"{name} ended with {process.returncode} while it built its index")
    return {**parse_reply(name, line), "peak_bytes": usage.ru_maxrss * 1024, "cpu_seconds": usage.ru_utime + usage.ru_stime}


class Served:
    """An engine that answers; see bench/engine/driver.h."""

    def __init__(self, name, command, corpus, index):
        self.name = name
        self.files = index
        self.process = subprocess.Popen([*map(str, command), "serve", str(corpus), str(index)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.about = self.reply()

    def reply(self):
        line = self.process.stdout.readline()
        if not line:
            raise BenchError(f"{self.name} ended with {self.process.wait()}")
        return parse_reply(self.name, line)

    def ask(self, command):
        file = self.files / "answer.txt"
        self.process.stdin.write(f"{command} {file}\n")
        self.process.stdin.flush()
        self.reply()
        return file.read_text(encoding="ascii").splitlines()

    def count(self, each):
        return self.ask(f"count {each}")

    def run(self, each, passes):
        return [int(line) for line in self.ask(f"run {each} {passes}")]

    def used(self):
        return cpu_seconds(self.process.pid)

    def end(self):
        self.process.kill()
        self.process.wait()


# --- the run ---


def make_corpus(given, folder):
    command = [given.bin / "souk-bench-titles", "--out", folder, "--docs", given.docs, "--seed", given.seed]
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise BenchError("the corpus could not be written")
    return json.loads(done.stdout)


def check_counts(served, sets, queries):
    counts = {each: {} for each in sets}
    for each in sets:
        for engine in served:
            if each in engine.about["sets"]:
                counts[each][engine.name] = engine.count(each)
    problem = disagreement(counts, queries)
    if problem:
        raise BenchError(f"the engines do not agree: {problem}")
    matches = [int(line.split()[0]) for line in next(iter(counts["and"].values()))]
    return {"queries": len(queries), "sets": {each: list(by_engine) for each, by_engine in counts.items()},
            "mean_matches_of_and": sum(matches) / len(matches)}


def warm(engine, each):
    began, slow, before = time.monotonic(), 0, None
    while slow < 2 and time.monotonic() - began < WARM_SECONDS:
        took = sum(engine.run(each, WARM_PASSES))
        slow = slow + 1 if before is not None and took > before * (1 - WARM_GAIN) else 0
        before = took if before is None else min(took, before)


def measure(served, sets):
    """{engine: {set: fastest ns of each query}}, and how much of the machine others used meanwhile."""
    fastest = {engine.name: {} for engine in served}
    work = [(engine, each) for each in sets for engine in served if each in engine.about["sets"]]
    say("warming")
    for engine, each in work:
        warm(engine, each)
    began, busy, own = time.monotonic(), machine_busy(), sum(engine.used() for engine in served)
    for number in range(ROUNDS):
        say(f"round {number + 1} of {ROUNDS}")
        for engine, each in work:
            times = engine.run(each, PASSES)
            fastest[engine.name][each] = list(map(min, times, fastest[engine.name].get(each, times)))
    seconds = time.monotonic() - began
    others = machine_busy() - busy - (sum(engine.used() for engine in served) - own)
    return fastest, max(others, 0) / (seconds * os.cpu_count())


def run(given, folder):
    say(f"writing {given.docs:,} documents and the queries (seed {given.seed})")
    corpus_folder = folder / "corpus"
    corpus_folder.mkdir()
    result = {"environment": environment(), "corpus": make_corpus(given, corpus_folder), "engines": {}}
    queries = [line.split("\t")[0] for line in (corpus_folder / "queries.tsv").read_text(encoding="ascii").splitlines()]
    todo = commands(given)
    builds = {}
    for name, (builder, _) in todo.items():
        say(f"{name} builds its index")
        builds[name] = build(name, builder, corpus_folder, folder / name)
    served = []
    try:
        for name, (_, server) in todo.items():
            served.append(Served(name, server, corpus_folder, folder / name))
        known = [each for each in SETS if any(each in engine.about["sets"] for engine in served)]
        say("comparing how many documents each query finds")
        result["agreement"] = check_counts(served, known, queries)
        fastest, result["others_share"] = measure(served, known)
        for engine in served:
            result["engines"][engine.name] = {
                **engine.about, "build": builds[engine.name], "resident_bytes": memory(engine.process.pid),
                "sets": {each: statistics(values) for each, values in fastest[engine.name].items()}}
    finally:
        for engine in served:
            engine.end()
    return {**all_ratios(result), **result}


# --- what is printed ---


def table(rows):
    """Columns of equal width; the first is text, the others are numbers."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if not column else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def markdown(rows):
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [lines[0], f"|---|{'---:|' * (len(rows[0]) - 1)}", *lines[1:]]


def time_rows(result):
    rows = [["set, engine", "queries/s", "mean µs", "p50", "p95", "p99"]]
    for each in SETS:
        for name, engine in result["engines"].items():
            if each in engine["sets"]:
                figures = engine["sets"][each]
                rows.append([f"{each}, {name}", f"{figures['queries_per_second']:,.0f}",
                             *[f"{figures[key]:.1f}" for key in ("mean_us", "p50_us", "p95_us", "p99_us")]])
    return rows


def size_rows(result):
    documents, postings = result["corpus"]["documents"], result["corpus"]["postings"]
    rows = [["engine", "build s", "documents/s", "threads", "build peak MiB", "index MiB", "bytes/posting", "bytes/document", "serving MiB"]]
    for name, engine in result["engines"].items():
        built = engine["build"]
        rows.append([name, f"{built['seconds']:.1f}", f"{documents / built['seconds']:,.0f}", str(built["threads"]),
                     f"{built['peak_bytes'] / (1 << 20):.0f}", f"{built['index_bytes'] / (1 << 20):.1f}",
                     f"{built['index_bytes'] / postings:.2f}", f"{built['index_bytes'] / documents:.1f}",
                     f"{engine['resident_bytes'] / (1 << 20):.0f}"])
    return rows


def section_rows(result):
    """Our bytes by section."""
    sections = result["engines"].get("souk", {}).get("build", {}).get("sections", {})
    documents, postings = result["corpus"]["documents"], result["corpus"]["postings"]
    rows = [["section", "bytes", "bytes/posting", "bytes/document"]]
    rows += [[name, f"{size:,}", f"{size / postings:.2f}", f"{size / documents:.2f}"] for name, size in sections.items() if size]
    return rows if len(rows) > 1 else []


def ratio_rows(result, peer):
    def cell(value, target):
        if target is None:
            return [f"{value:.2f}", ""]
        return [f"{value:.2f}", f"≥ {target:g}{'' if value >= target else ' missed'}"]

    def of(table_of_targets, each):
        return table_of_targets.get(each) if peer == "lucene" else None

    rows = [[f"souk : {peer}", "queries/s", "target", "p99", "target"]]
    for each, value in result["ratios"][peer].items():
        rows.append([each, *cell(value, of(RATIO_TARGETS, each)), *cell(result["p99_ratios"][peer][each], of(P99_TARGETS, each))])
    rows.append(["build, documents/s", *cell(result["build_ratios"][peer], BUILD_TARGET if peer == "lucene" else None), "", ""])
    return rows


def parts(result, layout):
    """The report as lines; layout(rows) makes a table's."""
    corpus, machine = result["corpus"], result["environment"]
    lines = [f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_bytes'] / (1 << 30):.1f} GiB; commit {machine['commit']}; "
             f"{machine['date']}",
             f"corpus titles, seed {corpus['seed']}: {corpus['documents']:,} documents, {corpus['postings']:,} postings, {corpus['terms']:,} terms "
             f"({corpus['terms_once']:,} occur once)",
             f"{corpus['queries']:,} queries of 1 to 5 words; shortest list p50 {corpus['shortest_list']['p50']:,}, mean "
             f"{corpus['shortest_list']['mean']:,}; all lists p50 {corpus['all_lists']['p50']:,}, p99 {corpus['all_lists']['p99']:,}; "
             f"AND finds {result['agreement']['mean_matches_of_and']:,.0f} on average",
             f"engines: {', '.join(engine['engine'] for engine in result['engines'].values())}; all agree on the number of matches of every query",
             f"best ten, one thread, warm, each query's fastest of {ROUNDS * PASSES} passes; other work took "
             f"{result['others_share']:.0%} of the machine meanwhile", "", *layout(time_rows(result)), "", *layout(size_rows(result)), SIZE_NOTE, ""]
    for peer in result.get("ratios", {}):
        lines += [*layout(ratio_rows(result, peer)), *([LUCENE_NOTE] if peer == "lucene" else []), ""]
    return lines


def page(result):
    """The file in bench/results."""
    lines = [f"# The engine beside others, {result['environment']['date']}", "", "`./souk bench engine`: " + "; ".join(
        f"{name} = {about}" for name, about in SETS.items()) + ".", ""]
    for line in parts(result, markdown):
        lines.append(line if line.startswith("|") or not line else f"{line}  ")
    sections = section_rows(result)
    if sections:
        lines += ["## Bytes by section", "", *markdown(sections), ""]
    raw = json.dumps(result, indent=1, ensure_ascii=False)
    return "\n".join(lines) + f"\n## Raw numbers\n\n```json\n{raw}\n```\n"


def parse_engines(text):
    names = text.split(",")
    if len(set(names)) != len(names) or any(name not in ("souk", *PEERS) for name in names):
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of souk, {', '.join(PEERS)}")
    return names


def arguments(argv=None):
    parser = argparse.ArgumentParser(prog="./souk bench engine")
    parser.add_argument("--docs", type=int, default=1_000_000)
    parser.add_argument("--engines", type=parse_engines, default=["souk", *PEERS])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--evaluator", choices=("scalar", "v3", "v4", "exhaustive"), help="of ours; default: the best of this CPU")
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--classes", type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=pathlib.Path)
    given = parser.parse_args(argv)
    if not 1000 <= given.docs <= 20_000_000:
        parser.error("--docs must be from 1000 to 20000000")
    if not 0 <= given.seed < 1 << 64:
        parser.error("--seed must be from 0 to 2^64 - 1")
    if "lucene" in given.engines and not given.classes:
        parser.error("lucene needs --classes")
    return given


def main():
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and the engines are ended on the way out
    with tempfile.TemporaryDirectory(prefix="souk-bench-engine-") as folder:
        try:
            result = run(given, pathlib.Path(folder))
        except BenchError as error:
            sys.exit(f"bench: {error}")
    print("\n".join(parts(result, table)))
    if given.save:
        given.save.mkdir(exist_ok=True)
        path = given.save / f"engine-{time.strftime('%Y-%m-%d', time.gmtime())}.md"
        path.write_text(page(result), encoding="utf-8")
        say(f"written: {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}")
    if given.json:
        print(json.dumps(result, ensure_ascii=False))


if __name__ == "__main__":
    main()
