// SPDX-License-Identifier: Apache-2.0
#include "indexer/partner/style.h"

namespace souk::partner {

const std::string_view kStyle = R"css(:root {
  --ink: #1c2024; --quiet: #60666d; --line: #dfe3e8; --ground: #f4f5f7; --card: #fff; --accent: #1f5fd1;
  --good: #17803d; --wait: #9a6200; --bad: #c02626; --good-soft: #e5f5ea; --wait-soft: #fdf1d8; --bad-soft: #fce8e8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e7e9ec; --quiet: #a0a7b0; --line: #363c44; --ground: #15181c; --card: #1e2227; --accent: #7fb0ff;
    --good: #6fd493; --wait: #f0b95a; --bad: #ff8d8d; --good-soft: #173322; --wait-soft: #3a2c10; --bad-soft: #411d1d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h2, h3 { font-size: 1.1rem; line-height: 1.3; margin: 0 0 .75rem; }
p { margin: 0 0 .5rem; }
a { color: var(--accent); }
code { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85em; color: var(--quiet); }
header { background: var(--card); border-bottom: 1px solid var(--line); }
.bar, main { max-width: 64rem; margin: 0 auto; padding: .75rem 1rem; }
.bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
.brand { font-weight: 700; color: var(--accent); letter-spacing: .02em; }
.shop { overflow-wrap: anywhere; }
nav { margin-left: auto; display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
nav a[aria-current] { color: var(--quiet); text-decoration: none; }
main { padding-top: 1.5rem; padding-bottom: 3rem; }
section { margin: 0 0 1.5rem; }
.title { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem; }
.columns { display: grid; grid-template-columns: 3fr 2fr; gap: 0 1.5rem; }
.columns > * { min-width: 0; }
.box { border-left: 4px solid; border-radius: 6px; padding: 1rem 1.25rem; margin: 0 0 1.5rem; }
.box.bad { background: var(--bad-soft); border-color: var(--bad); }
.box.wait { background: var(--wait-soft); border-color: var(--wait); }
.box > :last-child, .card > :last-child { margin-bottom: 0; }
.note.good { background: var(--good-soft); }
.note.wait { background: var(--wait-soft); }
.note.bad { background: var(--bad-soft); }
.note { border-radius: 6px; padding: .6rem 1rem; margin-bottom: 1rem; }
.detail { color: var(--quiet); font-size: .9rem; overflow-wrap: anywhere; }
.quiet { color: var(--quiet); }
.badge { display: inline-block; padding: .1em .6em; border-radius: 1em; font-size: .85rem; font-weight: 600; white-space: nowrap; }
.badge.good { color: var(--good); background: var(--good-soft); }
.badge.wait { color: var(--wait); background: var(--wait-soft); }
.badge.bad { color: var(--bad); background: var(--bad-soft); }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 2.5rem; margin: .75rem 0; }
.figure b { display: block; font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figure span { color: var(--quiet); font-size: .9rem; }
.figure.good b { color: var(--good); }
.figure.wait b { color: var(--wait); }
.figure.bad b { color: var(--bad); }
dl { display: grid; grid-template-columns: minmax(6rem, auto) minmax(50%, 1fr); gap: .35rem 1rem; margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
dd.whole { grid-column: 1 / -1; margin-bottom: .35rem; }
.address { overflow-wrap: anywhere; }
.kinds { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.kinds > li { padding: .75rem 1.25rem; border-top: 1px solid var(--line); }
.kinds > li:first-child { border-top: 0; }
.kind { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 1rem; align-items: baseline; }
.kind p { margin: 0; }
.kind .count { font-size: 1.15rem; }
.kinds.bad .kind .count { color: var(--bad); }
.kinds.wait .kind .count { color: var(--wait); }
details { margin: .35rem 0 0 6.5rem; }
summary { cursor: pointer; color: var(--accent); font-size: .9rem; width: fit-content; }
.count, th.count { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.wide { overflow-x: auto; }
.wide.card { padding: .5rem 1.25rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th { text-align: left; font-weight: 600; color: var(--quiet); white-space: nowrap; }
th, td { padding: .35rem .75rem .35rem 0; vertical-align: baseline; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
.lines td { min-width: 4rem; overflow-wrap: anywhere; }
.lines td.id { min-width: 8rem; max-width: 20rem; font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85em; }
.lines td:last-child { min-width: 14rem; }
.runs td { white-space: nowrap; }
.runs tr[aria-current] { font-weight: 600; }
label { display: block; margin-bottom: .35rem; }
input { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem; width: 100%; min-width: 0; }
.line { display: flex; gap: .75rem; }
button { font: inherit; font-weight: 600; color: var(--card); background: var(--accent); border: 0; border-radius: 6px; padding: .5rem 1.1rem; cursor: pointer; white-space: nowrap; }
button.plain { color: var(--accent); background: none; padding: 0; font-weight: 400; text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.sign-in { max-width: 26rem; margin: 3rem auto; }
.sign-in h1 { margin-bottom: 1rem; }
.sign-in .detail { margin: .35rem 0 1rem; }
@media (max-width: 44rem) {
  .columns { grid-template-columns: 1fr; }
  .kind { grid-template-columns: 3.5rem 1fr; }
  details { margin-left: 0; }
  .figures { gap: .5rem 1.5rem; }
  .line { flex-direction: column; }
}
@media print {
  body { background: #fff; font-size: 11pt; }
  nav, .actions, form { display: none; }
  .card, .kinds { border-color: #999; }
  .wide { overflow: visible; }
  details::details-content { content-visibility: visible; }
  summary { list-style: none; color: inherit; }
  .kinds > li, tr { break-inside: avoid; }
}
)css";

}  // namespace souk::partner
