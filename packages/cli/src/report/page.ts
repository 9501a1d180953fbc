/** The report as one page that needs nothing else: its script and its style are in it, and it may load nothing. */
import * as Hosts from "../host/Hosts.ts"
import { createHash } from "node:crypto"
import { moment } from "../terminal/Sheet.ts"
import { Html, html, json } from "./html.ts"
import * as ReportCharts from "./charts.ts"
import * as ReportCyclePart from "./cyclePart.ts"
import type { ReportData } from "./model.ts"
import * as ReportLessons from "./lessons.ts"
import * as ReportOverview from "./overview.ts"
import * as ReportPushList from "./pushList.ts"
import * as ReportSessionList from "./sessionList.ts"
import { nothingYet } from "./text.ts"

/**
 * The page's own script and style, as the build makes them.
 *
 * @category models
 */
export interface Assets {
  readonly script: string
  readonly style: string
}

/**
 * How every report begins, by which one is known.
 *
 * @category constants
 */
export const signature = "<!doctype html>\n<!-- reflexion report -->"

/** No script runs but the page's own; charts bring styles of their own; nothing is loaded, sent, or framed. */
const policy = (script: string): string => {
  const hash = createHash("sha256").update(script).digest("base64")
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`
}

/** Code of the build's, not of any record's: an element that it would end is its only danger. */
const code = (text: string): Html =>
  new Html(text.replaceAll("\r", "").replaceAll(/<(?=\/script|\/style|!--|script)/giu, "\\x3c"))

const views = [
  ["overview", "Overview", ReportOverview.render],
  ["pushes", "Pushes", ReportPushList.render],
  ["sessions", "Sessions", ReportSessionList.render],
  ["memory", "Memory", ReportLessons.memory],
  ["findings", "Findings", ReportLessons.findings],
  ["cycle", "Cycle", ReportCyclePart.render]
] as const

const countOf = (data: ReportData, view: (typeof views)[number][0]): number | null => {
  if (view === "pushes") return data.pushes.length
  if (view === "sessions") return data.sessions.length
  if (view === "memory") return data.memory.reflections
  if (view === "findings") return data.findings.length
  return view === "cycle" ? data.cycle.changes.length + data.cycle.analyses.length : null
}

const tabs = (data: ReportData): Html =>
  html`<div class="tabs" role="tablist" aria-label="Parts of the report" hidden>
    ${views.map(([id, name], index) => {
      const count = countOf(data, id)
      return html`<button
        type="button"
        role="tab"
        id="tab-${id}"
        aria-controls="${id}"
        aria-selected="${index === 0 ? "true" : "false"}"
        tabindex="${index === 0 ? "0" : "-1"}"
      >
        ${name}${count === null ? null : html` <span class="count">${count}</span>`}
      </button> `
    })}
  </div>`

const panels = (data: ReportData): Html =>
  html`${views.map(
    ([id, name, render]) =>
      html`<section id="${id}" class="panel" aria-labelledby="head-${id}">
        <h2 id="head-${id}">${name}</h2>
        ${render(data)}
      </section> `
  )}`

const problems = ({ problems }: ReportData): Html | null =>
  problems.length === 0
    ? null
    : html`<aside class="card problems">
        <b>Could not be read</b>
        <ul>
          ${problems.map((problem) => html`<li>${problem}</li>`)}
        </ul>
      </aside>`

/** The text's commands are those of the list, where nothing at all is recorded. */
const hint = (text: string, since: string | null): Html =>
  html`<section class="card empty-report">
    <h2>Nothing to report</h2>
    <p>${since === null ? "Nothing is recorded yet." : text}</p>
    <ul class="plain">
      <li>
        <code>reflexion install ${Hosts.names[0] ?? ""}</code> (or ${Hosts.names.slice(1).join(", ")}) has every stop
        reviewed
      </li>
      <li><code>reflexion doctor</code> says whether that works</li>
      <li><code>reflexion report --sessions</code> judges past sessions of this directory now</li>
    </ul>
  </section>`

export const render = (data: ReportData, { script, style }: Assets): string => {
  const nothing = nothingYet(data)
  const run = code(script)
  const span = data.since === null ? "all that is kept" : `since ${moment(data.since)}`
  const page = html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy(run.text)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <link rel="icon" href="data:," />
        <title>reflexion report · ${data.project}</title>
        ${new Html(`<style>${code(style).text}</style>`)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the report</a>
        <header class="top">
          <div>
            <h1>reflexion <span>report</span></h1>
            <p class="dim"><span class="id">${data.project}</span> · ${span} · made ${moment(data.madeAt)}</p>
          </div>
          ${nothing === null ? tabs(data) : null}
        </header>
        <main id="main" tabindex="-1">
          ${problems(data)} ${nothing === null ? panels(data) : hint(nothing, data.since)}
        </main>
        <footer class="dim">
          Made by reflexion from what it recorded in this project. Secrets are taken out as far as they can be told;
          read it before you pass it on.
        </footer>
        ${new Html(`<script type="application/json" id="data">${json(ReportCharts.make(data)).text}</script>`)}
        ${new Html(`<script>${run.text}</script>`)}
      </body>
    </html>
  `
  return signature + page.text
}
