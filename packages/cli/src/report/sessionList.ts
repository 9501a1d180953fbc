/** The sessions of a report's page, each with its timeline. */
import { counted } from "../terminal/Layout.ts"
import { type Html, html } from "./html.ts"
import type { Entry, ReportData, Session } from "./model.ts"
import { badge, empty, time } from "./parts.ts"
import * as Words from "./words.ts"

const signs = { good: "✓", bad: "✗", open: "?", neutral: "·" } as const

const signNames = { good: "passed", bad: "failed or pushed", open: "open", neutral: "no result" } as const

const kindNames = { run: "run", check: "check", stop: "stop" } as const

const entry = ({ at, detail, kind, sign, title }: Entry): Html =>
  html`<li class="${kind} ${sign}">
    <span class="sign" role="img" aria-label="${signNames[sign]}">${signs[sign]}</span>
    <div>
      <p>
        <span class="kind">${kindNames[kind]}</span>
        ${kind === "stop" ? html`<b>${title}</b>` : html`<code>${title}</code>`} <span class="dim at">${time(at)}</span>
      </p>
      <p class="dim">${detail}</p>
    </div>
  </li> `

const span = ({ from, to }: Session): string => {
  if (from === null || to === null) return ""
  const minutes = Math.round((to - from) / 60_000)
  if (minutes < 1) return ", under a minute"
  return minutes < 120 ? `, ${minutes} min` : `, ${Math.round(minutes / 60)} h`
}

const session = (one: Session, index: number): Html =>
  html`<details class="card session" data-ended="${one.ended}" ${index === 0 ? html` open` : null}>
    <summary>
      <span class="task">${one.task === "" ? "a task without words" : one.task}</span> ${badge(one.ended)}
      <span class="dim"
        >${time(one.to)} · ${one.host} · <span class="id">${one.id}</span> ·
        ${counted(one.stops, "stop")}${one.pushes === 0 ? "" : `, ${one.pushes} ${one.origin === "session" ? "would be " : ""}pushed`}${span(one)}</span
      >
    </summary>
    ${one.leftOut > 0 ? html`<p class="dim">${counted(one.leftOut, "earlier entry", "earlier entries")} left out.</p>` : null}
    <ol class="timeline">
      ${one.entries.map(entry)}
    </ol>
  </details> `

const filter = html`<div class="filter" hidden>
  <label for="find">Find</label> <input id="find" type="search" placeholder="task, command, id" autocomplete="off" />
  <label for="ended">Ended</label>
  <select id="ended">
    <option value="">in any way</option>
    ${Words.outcomes.map((outcome) => html`<option value="${outcome}">${Words.outcomeNames[outcome]}</option>`)}
  </select>
  <span id="found" class="dim" role="status"></span>
</div>`

export const render = ({ sessions, sessionsLeftOut }: ReportData): Html =>
  sessions.length === 0
    ? empty("No session is recorded in this time.")
    : html`${filter}${sessions.map(session)}${
        sessionsLeftOut > 0
          ? html`<p class="dim">
              ${counted(sessionsLeftOut, "older session")} left out: counted in the overview, and not listed.
            </p>`
          : null
      }`
