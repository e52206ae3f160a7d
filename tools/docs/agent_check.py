# SPDX-License-Identifier: Apache-2.0
"""docs/agent-check.md and its plot, with the constants of meta/health/agent_weight.cpp."""

import dataclasses
import math
import re


@dataclasses.dataclass
class Formula:
    wait_ms: float  # of waiting that counts as full load
    smoothing: float
    top: float  # weight = top - slope * smooth^2
    slope: float

    def weight(self, smooth):
        return min(max(math.floor(self.top - self.slope * smooth * smooth + 0.5), 1), 100)

    def after(self, seconds, load, smooth=0.0):
        for _ in range(seconds):
            smooth += self.smoothing * (load - smooth)
        return smooth


def formula(cpp):
    def number(pattern):
        return float(re.search(pattern, cpp).group(1))

    return Formula(number(r"kOverloadedWaitMs = ([\d.]+);"), number(r"kSmoothing = ([\d.]+);"),
                   number(r"lround\(([\d.]+) - [\d.]+ \* smooth_ \* smooth_\)"), number(r"lround\([\d.]+ - ([\d.]+) \*"))


def page(cpp):
    f = formula(cpp)
    rows = "\n".join(f"| {load:.0%} | {f.weight(load)} |" for load in (0, 0.1, 0.25, 0.5, 0.7, 0.8, 0.9, 1))
    steps = "\n".join(f"| {s} s | {f.weight(f.after(s, 1))} | {f.weight(f.after(s, 0, 1.0))} |" for s in (0, 1, 2, 3, 5, 10, 15))
    return f"""# The agent check

Every node tells the balancer how much it can take. HAProxy connects to its `agent` port once a second, reads one line
`up N%` and closes; N is the node's weight, 1..100. The node never says `down`, `drain` or `ready`: whether it may be asked
at all is `/ping`'s to say, and a node that is merely busy stays in. Nor does it ever say 0, which would take it out.

## Formula

Once a second, from the node's own figures ([meta/health/agent_weight.cpp](../meta/health/agent_weight.cpp)):

    load   = max(CPU share, mean queue wait / {f.wait_ms:g} ms), cut to 0..1
    smooth = smooth + {f.smoothing:g} × (load - smooth)
    weight = {f.top:g} - {f.slope:g} × smooth²

- CPU share: CPU time of the process in that second ÷ its threads (search threads and the IO thread). 1 = all were busy all the time.
- Mean queue wait: how long the sub-queries that were taken up in that second had waited for a search thread. {f.wait_ms:g} ms of
  waiting is DAGOR's sign of overload (WeChat, 2018). CPU alone would not see a node that others on its machine slow down.
- The square leaves idle and half-busy nodes close together, where differences are noise, and separates busy ones.
- Smoothing with {f.smoothing:g}: two thirds of a change are taken up in three seconds, so that the balancer does not swing.

![weight over smoothed load](agent-weight.svg)

| smoothed load | weight |
|---|---|
{rows}

| after | idle node gets full load | full node becomes idle |
|---|---|---|
{steps}

## In the balancer

`server … weight 100 agent-check agent-inter 1s`: the effective weight is N percent of 100. `balance random(2)` draws
two nodes in proportion to their weights and takes the one with fewer requests for its weight. An agent that does not
answer changes nothing: the last weight stays, and `/ping` finds a dead node out. `souk_node_weight_percent` is the same
number as a metric, `load.weight` in `/status` too.
"""


def plot(cpp):
    f = formula(cpp)
    left, top, width, height = 50, 20, 400, 250

    def at(load, weight):
        return f"{left + width * load:.1f},{top + height * (1 - weight / 100):.1f}"

    curve = " ".join(at(i / 50, f.top - f.slope * (i / 50) ** 2) for i in range(51))
    lines = []
    for i in range(0, 101, 20):
        x, y = left + width * i / 100, top + height * (1 - i / 100)
        lines.append(f'<path d="M{left},{y:.1f}H{left + width}M{x:.1f},{top}V{top + height}" stroke="#ddd"/>')
        lines.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{i}</text>')
        lines.append(f'<text x="{x:.1f}" y="{top + height + 18}" text-anchor="middle">{i} %</text>')
    grid = "\n".join(lines)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 320" width="480" height="320" font-family="sans-serif" font-size="12" fill="#333">
<rect width="480" height="320" fill="#fff"/>
{grid}
<polyline points="{curve}" fill="none" stroke="#06c" stroke-width="2"/>
<text x="{left + width / 2:.0f}" y="{top + height + 38}" text-anchor="middle">smoothed load</text>
<text x="14" y="{top + height / 2:.0f}" text-anchor="middle" transform="rotate(-90 14 {top + height / 2:.0f})">weight</text>
</svg>
"""
