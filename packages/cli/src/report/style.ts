/** The page's style. */
export const style = `
:root {
  --paper: #f6f6f3; --card: #fff; --ink: #1d1f23; --dim: #5a606b; --line: #e1e1db;
  --done: #17734a; --nudged: #855700; --yours: #1a5fae; --open: #b3261e; --other: #5f6570;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #131519; --card: #1c1f25; --ink: #e7e8ea; --dim: #a3a9b4; --line: #30353e;
    --done: #63cf97; --nudged: #e5b557; --yours: #84b8f6; --open: #f4938b; --other: #a3a9b4;
  }
}
* { box-sizing: border-box; margin: 0; }
body {
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  color: var(--ink); background: var(--paper);
  max-width: 54rem; margin: 0 auto; padding: 2.5rem 1.25rem 3rem;
  overflow-wrap: anywhere;
}
h1 { font-size: clamp(1.9rem, 6vw, 2.75rem); line-height: 1.15; letter-spacing: -.02em; margin: .35rem 0 .6rem; }
h2 { font-size: 1.05rem; margin: 2.75rem 0 .75rem; }
.lead { font-size: 1.15rem; }
.dim, small { color: var(--dim); }
.dim, small, .badge, time, .note, .after, .doubt { font-size: .875rem; }
ul, ol { padding: 0; list-style: none; }
.done { --tone: var(--done); } .nudged { --tone: var(--nudged); } .yours { --tone: var(--yours); }
.open { --tone: var(--open); } .other { --tone: var(--other); }
.badge {
  color: var(--tone); background: color-mix(in srgb, var(--tone) 11%, var(--card));
  border-radius: 1rem; padding: .1rem .65rem; font-weight: 600; white-space: nowrap; justify-self: start;
}
li, figure { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; margin: 0 0 .6rem; }
li.row, details:not(.fold) { border-left: 4px solid var(--tone); border-radius: .6rem; }
.row { display: grid; grid-template-columns: auto 1fr; gap: .15rem .75rem; align-items: baseline; padding: .85rem 1.1rem; }
.row small { grid-column: 1 / -1; }
.row b:first-child { grid-column: 1 / -1; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary.row { position: relative; padding-right: 2.4rem; }
summary.row::after { content: "▸"; position: absolute; right: 1.1rem; top: .85rem; color: var(--dim); }
[open] > summary.row::after { content: "▾"; }
summary:focus-visible { outline: 3px solid var(--yours); outline-offset: 2px; border-radius: .4rem; }
details:not(.fold)[open] { padding-bottom: .9rem; }
details:not(.fold) > :not(summary) { margin: 0 1.1rem .4rem 2.4rem; }
.stop { position: relative; border-top: 1px solid var(--line); padding-top: .7rem; }
.stop::before {
  content: ""; position: absolute; left: -1.25rem; top: 1.2rem; width: .6rem; height: .6rem;
  border-radius: 50%; background: var(--tone);
}
time { color: var(--dim); font-variant-numeric: tabular-nums; }
.stop b, .badge + b { margin: 0 .2rem; }
.stop b { color: var(--tone); }
blockquote { white-space: pre-wrap; background: var(--paper); border-radius: .4rem; padding: .6rem .85rem; font-size: .9375rem; }
.note { white-space: pre-wrap; color: var(--dim); }
.after { font-weight: 600; color: var(--tone); }
.after::before { content: "→ "; }
.doubt { color: var(--nudged); }
figure { padding: .85rem 1.1rem; }
.chart { display: block; overflow: visible; }
.chart path { fill: var(--tone); stroke: var(--card); vector-effect: non-scaling-stroke; }
.chart line { stroke: var(--line); }
.chart text { fill: var(--dim); font-size: 12px; text-anchor: middle; }
.chart .top { text-anchor: start; }
figcaption { display: flex; flex-wrap: wrap; gap: .4rem; margin-top: .6rem; }
.fold > summary { color: var(--dim); font-size: .875rem; padding: .3rem 0; }
.fold > summary::before { content: "▸ "; }
.fold[open] > summary::before { content: "▾ "; }
.fold .row { background: none; border: 0; border-top: 1px solid var(--line); border-radius: 0; margin: 0; padding: .45rem 0; font-size: .9375rem; }
.fold .row b { font-weight: 400; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 1rem; }
footer p + p { margin-top: .4rem; }
@media (max-width: 34rem) {
  body { padding: 1.5rem .9rem 2rem; }
  .row { grid-template-columns: 1fr; }
  .badge + b { margin: 0; }
  summary { min-height: 44px; }
}
@media print { body { max-width: none; } li { break-inside: avoid; } }
`.replaceAll(/\s+/gu, " ")
