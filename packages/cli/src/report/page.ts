/** Makes the report as one page. It has no script and loads nothing. */
import { createHash } from "node:crypto"
import { clip, counted } from "../terminal/Layout.ts"
import { type Html, html, raw } from "./html.ts"
import { endings, type Report } from "./model.ts"
import { endingNames, type Line, type Row, type Section, type Sheet } from "./sheet.ts"
import { style } from "./style.ts"

/** The beginning of every report. A file with another beginning is not a report. */
export const signature = "<!doctype html>\n<!-- reflexion report -->"

const line = ({ as, head, text, time, tone }: Line): Html => {
  if (as === "words") return html`<blockquote>${text}</blockquote>`
  if (as === "stop")
    return html`<p class="stop ${tone}"><time>${time}</time> <b>${head}</b> ${clip(text, 400, "…")}</p>`
  return html`<p class="${as} ${tone}">${clip(text, 1200, "…")}</p>`
}

/** Keeps the page small enough to be mailed. */
const within = (bytes: number, all: ReadonlyArray<Html>): ReadonlyArray<Html> => {
  let used = 0
  const count = all.findIndex((one) => (used += Buffer.byteLength(one.text)) > bytes)
  return count < 0 ? all : all.slice(0, count)
}

/** In bytes. The newest lines are kept. */
const room = 6000

const row = ({ about, badge, isOpen, lines, title, tone }: Row): Html => {
  const named = html`${badge === "" ? null : html`<span class="badge">${badge}</span>`}<b>${clip(title, 400, "…")}</b>${about === "" ? null : html`<small>${clip(about, 400, "…")}</small>`}`
  const shown = within(room, lines.map(line).toReversed()).toReversed()
  return lines.length === 0
    ? html`<li class="row ${tone}">${named}</li>`
    : html`<li>
        <details class="${tone}" ${isOpen ? raw` open` : null}>
          <summary class="row">${named}</summary>
          ${shown.length < lines.length ? html`<p class="dim">What was before is left out.</p>` : null}${shown}
        </details>
      </li>`
}

/** With fewer days, the bars would become too wide. */
const leastDays = 10

/** Each day is one unit wide. */
const bar = (at: number, from: number, to: number): string =>
  to > from ? `M${at}.14 ${-from}V${-to}h.72V${-from}z` : ""

const chart = ({ days, stops }: Report): Html => {
  const sums = days.map((day) =>
    endings.map((_, index) => endings.slice(0, index + 1).reduce((sum, one) => sum + day[one], 0))
  )
  const top = Math.max(...sums.map((one) => one.at(-1) ?? 0))
  const wide = Math.max(leastDays, days.length)
  const every = Math.ceil(wide / 6)
  const barsOf = (index: number) => sums.map((sum, at) => bar(at, sum[index - 1] ?? 0, sum[index] ?? 0)).join("")
  const paths = endings.map((ending, index) => html`<path class="${ending}" d="${barsOf(index)}" />`)
  const labels = days.flatMap(({ day }, at) =>
    (days.length - 1 - at) % every === 0
      ? [html`<text x="${(100 * (at + 0.5)) / wide}%" y="134">${day.slice(5)}</text>`]
      : []
  )
  return html`<figure>
    <svg class="chart" width="100%" height="140" role="img" aria-label="Stops by day, at most ${top}">
      <line x2="100%" y1="14" y2="14" />
      <line x2="100%" y1="116" y2="116" />
      <text class="top" y="9">${counted(top, "stop")}</text>
      <svg y="14" width="100%" height="102" viewBox="0 -${top} ${wide} ${top}" preserveAspectRatio="none">${paths}</svg>
      ${labels}
    </svg>
    <figcaption>
      ${endings.flatMap((one) => (stops[one] > 0 ? [html`<span class="badge ${one}">${stops[one]} ${endingNames[one]}</span> `] : []))}
    </figcaption>
  </figure>`
}

const section = ({ has, rest, room, rows, title }: Section, report: Report): Html => {
  const shown = within(room, rows.map(row))
  const list = html`<ul class="${has}">
    ${has === "decisions" ? shown.toReversed() : shown}
  </ul>`
  const folded = (summary: string) =>
    html`<details class="fold" ${report.session === null ? null : raw` open`}>
      <summary>${summary}</summary>
      ${list}
    </details>`
  const left = rows.length - shown.length
  return html`<section>
    <h2>${title}</h2>
    ${has === "days" ? [chart(report), folded("In figures")] : has === "decisions" ? folded(`${counted(shown.length, "decision")}, the newest last`) : list}
    ${left === 0 ? null : html`<p class="dim">${left} more: ${rest}.</p>`}
  </section>`
}

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'`

export const render = (report: Report, { about, foot, headline, lead, sections }: Sheet): string => {
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content="${policy}" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>reflexion report · ${clip(report.project, 100, "…")}</title>
      ${raw([`<style>${style}</style>`])}
    </head>
    <body>
      <header>
        <p class="dim">${clip(about, 300, "…")}</p>
        <h1>${headline}</h1>
        <p class="lead">${lead}</p>
      </header>
      <main>${sections.map((one) => section(one, report))}</main>
      <footer class="dim">
        ${foot.map((one) => html`<p>${one}</p>`)}
        <p>
          Secrets are left out as far as reflexion recognises them. This page is about your work: read it before you
          share it.
        </p>
      </footer>
    </body>
  </html>`
  return `${signature}\n${page.text}\n`
}
