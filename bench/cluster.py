# SPDX-License-Identifier: Apache-2.0
"""Measures a running market on this machine under load; ./souk bench cluster starts it and calls this."""

import argparse
import json
import os
import pathlib
import platform
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.parse
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
TICKS = os.sysconf("SC_CLK_TCK")
# A rate is held when every query of a step was answered in full and this fast.
STEP_SECONDS = 5
HELD_P99_MS = 200
FIRST_RATE = 50
MOST_RATE = 20_000
SEED = 1


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def get(address, path):
    with DIRECT.open(f"http://{address}{path}", timeout=30) as reply:
        return reply.read().decode()


# --- what is asked ---


def make_queries(balancer, count=1000):
    """Queries over what the market sells: words of titles, alone and with filters; the same for the same market."""
    rng = random.Random(SEED)
    items = []
    for page in range(1, 11):
        arguments = f"group=offer&facets=&sort=newest&per_page=100&page={page}"
        items += json.loads(get(balancer, f"/search?{arguments}"))["items"]
    if not items:
        sys.exit("bench: the market has no offers")

    def words(item):
        found = re.findall(r"\w+", item["title"])
        return [("text", " ".join(rng.sample(found, min(rng.choice((1, 2, 2, 3)), len(found)))))]

    def one():
        item = rng.choice(items)
        kind = rng.random()
        if kind < 0.50:
            return words(item)
        if kind < 0.65:
            return words(item) + [("vendor", item["vendor"])] * bool(item["vendor"])
        if kind < 0.75:
            price = item["price"]["min"]
            return words(item) + [("price_from", f"{price * 0.7:.2f}"), ("price_to", f"{price * 1.3:.2f}"), ("sort", "price")]
        if kind < 0.85:
            return [("category", " > ".join(item["category"])), ("in_stock", "1")]
        if kind < 0.95:
            return words(item) + [("group", "offer"), ("page", "2")]
        return []

    return [urllib.parse.urlencode(one()) for _ in range(count)]


MIX = ("50 % one to three words of a title, 15 % words and a vendor, 10 % words, a price range and sort=price, 10 % a category in "
       "stock, 10 % words, group=offer, page 2, 5 % nothing (browse); 20 lines a page, the market's facets")


# --- what it costs ---


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def machine_busy():
    """CPU seconds of the whole machine that were not idle."""
    user, nice, system, _, _, irq, softirq, steal = map(int, pathlib.Path("/proc/stat").read_text().split()[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS


def memory(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"^VmRSS:\s+(\d+) kB", status, re.M).group(1)) * 1024


def metric(page, name):
    """The sum over all labels."""
    found = re.findall(rf"^{name}(?:\{{[^}}]*\}})? (\S+)$", page, re.M)
    if not found:
        sys.exit(f"bench: no metric {name}")
    return sum(map(float, found))


class Market:
    def __init__(self, data):
        topology = tomllib.loads((data / "topology.toml").read_text(encoding="utf-8"))
        self.balancer = topology["balancers"][0]["listen"]
        self.admin = {node["name"]: node["admin"] for node in topology["nodes"]}
        self.roles = {topology["control"]["name"]: "control"}
        self.roles |= {each["name"]: "haproxy" for each in topology["balancers"]}
        self.roles |= {each["name"]: "snippet" for each in topology["snippets"]}
        self.roles |= {each["name"]: "node" for each in topology["nodes"]}
        self.pids = {name: int((data / "run" / f"{name}.pid").read_text()) for name in self.roles}

    def used(self):
        """CPU seconds so far by role, of the whole machine, and sub-queries so far."""
        by_role = dict.fromkeys(("haproxy", "node", "snippet", "control"), 0.0)
        for name, pid in self.pids.items():
            by_role[self.roles[name]] += cpu_seconds(pid)
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return {"cpu": by_role, "generator": children.ru_utime + children.ru_stime, "machine": machine_busy(),
                "at": time.monotonic(),
                "sub_requests": sum(metric(get(each, "/metrics"), "souk_meta_sub_requests_total") for each in self.admin.values())}

    def nodes(self):
        pages = {name: get(address, "/metrics") for name, address in self.admin.items()}
        return [{"name": name, "resident_bytes": memory(self.pids[name]), "index_bytes": metric(page, "souk_shard_index_bytes"),
                 "documents": metric(page, "souk_shard_documents")} for name, page in pages.items()]


def difference(before, after):
    return {"cpu": {role: after["cpu"][role] - before["cpu"][role] for role in before["cpu"]},
            "generator": after["generator"] - before["generator"], "machine": after["machine"] - before["machine"],
            "seconds": after["at"] - before["at"], "sub_requests": after["sub_requests"] - before["sub_requests"]}


# --- the runs ---


class Bench:
    def __init__(self, market, program, queries):
        self.market = market
        self.command = [program, "--target", market.balancer, "--queries", queries]

    def run(self, rate, seconds):
        command = [*self.command, "--rate", f"{rate:.1f}", "--seconds", str(seconds)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            sys.exit("bench: the load generator failed")
        return json.loads(done.stdout)

    def step(self, rate, steps):
        """Is the rate held? A step that is not is tried once more: something else may have used the machine."""
        for _ in range(2):
            result = self.run(rate, STEP_SECONDS)
            held = result["complete"] == result["sent"] + result["not_sent"] and result["latency_ms"]["p99"] <= HELD_P99_MS
            steps.append({"held": held, **result})
            say(f"{rate:.0f} a second: {'held' if held else 'not held'}, p99 {result['latency_ms']['p99']:.1f} ms, "
                f"{result['complete']} of {result['sent'] + result['not_sent']} answered in full")
            if held:
                return True
            time.sleep(2)  # what was queued runs dry
        return False

    def capacity(self):
        steps, low, high = [], 0.0, FIRST_RATE
        while high <= MOST_RATE and self.step(high, steps):
            low, high = high, high * 1.5
        if low == 0:
            sys.exit(f"bench: this market does not take even {FIRST_RATE} queries a second")
        for _ in range(3):
            middle = (low + high) / 2
            low, high = (middle, high) if self.step(middle, steps) else (low, middle)
        return low, steps

    def measure(self, rate, seconds):
        before = self.market.used()
        load = self.run(rate, seconds)
        return {"load": load, "used": difference(before, self.market.used()), "nodes": self.market.nodes()}


def environment():
    cpu = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    total = re.search(r"^MemTotal:\s+(\d+) kB", pathlib.Path("/proc/meminfo").read_text(), re.M)

    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False).stdout.strip()

    changed = " and changes that are not committed" if git("status", "--porcelain", "--untracked-files=no") else ""
    return {"date": time.strftime("%Y-%m-%d %H:%M", time.gmtime()) + " UTC", "commit": git("rev-parse", "--short=12", "HEAD") + changed,
            "cpu": cpu.group(1) if cpu else platform.processor(), "cores": os.cpu_count(),
            "memory_bytes": int(total.group(1)) * 1024, "kernel": platform.release()}


def rows(result):
    load, used, nodes = result["measured"]["load"], result["measured"]["used"], result["measured"]["nodes"]
    machine, latency, queries = result["environment"], load["latency_ms"], max(load["complete"], 1)
    cpu = used["cpu"]
    own = sum(cpu.values())
    cores = machine["cores"] * used["seconds"]  # CPU seconds that there were
    mib = 1 << 20
    resident = [node["resident_bytes"] / mib for node in nodes]
    failed = load["sent"] + load["not_sent"] - load["complete"]
    held = f"{result['capacity']:.0f} queries/s" if result["capacity"] else "not looked for (--rate was given)"
    return [
        ("machine", f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_bytes'] / (1 << 30):.1f} GiB"),
        ("commit, date", f"{machine['commit']}, {machine['date']}"),
        ("market", f"{len(nodes)} nodes, {sum(node['documents'] for node in nodes):,.0f} offers"),
        (f"capacity (all answered in full, p99 ≤ {HELD_P99_MS} ms, {STEP_SECONDS} s)", held),
        ("load", f"{load['rate']:.0f} queries/s for {load['seconds']:.0f} s, {load['sent']:,} sent, {failed} not answered in full"),
        ("queries/s answered in full", f"{load['complete'] / load['seconds']:.0f}"),
        ("p50 / p90 / p99 / max, from when due", " / ".join(f"{latency[each]:.1f}" for each in ("p50", "p90", "p99", "max")) + " ms"),
        ("CPU per query", f"{own / queries * 1e6:.0f} µs: " + ", ".join(f"{role} {cpu[role] / queries * 1e6:.0f}" for role in cpu)),
        ("CPU of the nodes per sub-query", f"{cpu['node'] / max(used['sub_requests'], 1) * 1e6:.0f} µs, "
                                           f"{used['sub_requests'] / queries:.2f} sub-queries per query"),
        ("RAM per node", f"{min(resident):.1f} to {max(resident):.1f} MiB resident, index "
                         f"{max(node['index_bytes'] for node in nodes) / mib:.1f} MiB"),
        ("CPU of the machine", f"market {own / cores:.0%}, load generator {used['generator'] / cores:.0%}, "
                               f"everything else {others_share(result):.0%}"),
        ("market when idle", f"{result['idle_cpu'] * 1000:.0f} ms of CPU a second"),
    ]


def others_share(result):
    """How much of the machine neither the market nor the load generator used."""
    used = result["measured"]["used"]
    others = used["machine"] - sum(used["cpu"].values()) - used["generator"]
    return max(others, 0) / (result["environment"]["cores"] * used["seconds"])


def text_table(result):
    lines = rows(result)
    width = max(len(name) for name, _ in lines)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in lines)


def page(result):
    """The file in bench/results: the table, how it came about, and all numbers as they were measured."""
    lines = [f"# The whole cluster under load, {result['environment']['date']}", "", "`./souk bench cluster`: the market, the balancer and the load "
             "generator on one machine, so they take each other's CPU;", "\"everything else\" below says how much others took. Open loop: latencies count from "
             "when a query was due.", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in rows(result)]
    if others_share(result) > 0.05:
        lines += ["", f"**The machine was shared**: other work took {others_share(result):.0%} of it during the measurement, and an unknown part "
                  "during the search. Latencies are worse and the capacity lower than on a quiet machine."]
    lines += ["", f"Queries: {MIX}.", "", "CPU of the nodes per sub-query is all CPU of all nodes ÷ sub-queries: the meta layer's work is in it.",
              "The latencies are of queries that were answered in full.", "", "## Steps of the search for the capacity", "",
              "| queries/s | held | answered in full | p50 ms | p99 ms | max ms |", "|---|---|---|---|---|---|"]
    for step in result["steps"]:
        latency = step["latency_ms"]
        lines.append(f"| {step['rate']:.0f} | {'yes' if step['held'] else 'no'} | {step['complete']} of {step['sent'] + step['not_sent']} | "
                     f"{latency['p50']:.1f} | {latency['p99']:.1f} | {latency['max']:.1f} |")
    raw = json.dumps(result, indent=1, ensure_ascii=False)
    return "\n".join(lines) + f"\n\n## Raw numbers\n\n```json\n{raw}\n```\n"


def arguments():
    parser = argparse.ArgumentParser(prog="./souk bench cluster")
    parser.add_argument("--data", type=pathlib.Path, required=True)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=pathlib.Path)
    given = parser.parse_args()
    if given.rate is not None and not 0.1 <= given.rate <= 100_000:
        parser.error("--rate must be from 0.1 to 100000")
    if not 1 <= given.seconds <= 600:
        parser.error("--seconds must be from 1 to 600")
    return given


def main():
    given = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and the load generator is ended on the way out
    market = Market(given.data)
    result = {"environment": environment(), "capacity": None, "steps": []}
    before = market.used()
    time.sleep(3)
    idle = difference(before, market.used())
    result["idle_cpu"] = sum(idle["cpu"].values()) / idle["seconds"]
    with tempfile.NamedTemporaryFile("w", prefix="souk-queries-", encoding="ascii") as file:
        file.write("\n".join(make_queries(market.balancer)) + "\n")
        file.flush()
        bench = Bench(market, given.bin / "souk-bench-load", file.name)
        say("warming")
        bench.run(FIRST_RATE, STEP_SECONDS)
        rate = given.rate
        if rate is None:
            result["capacity"], result["steps"] = bench.capacity()
            rate = result["capacity"] / 2
        say(f"measuring at {rate:.0f} queries a second for {given.seconds} s")
        result["measured"] = bench.measure(rate, given.seconds)
    print(json.dumps(result, indent=1, ensure_ascii=False) if given.json else text_table(result))
    if given.save:
        given.save.mkdir(exist_ok=True)
        path = given.save / f"cluster-{time.strftime('%Y-%m-%d', time.gmtime())}.md"
        path.write_text(page(result), encoding="utf-8")
        say(f"written: {path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}")


if __name__ == "__main__":
    main()
