/** The pushes of a report's page: what they achieved, and each of them to be marked right or wrong. */
import { StopKind } from "@reflexion/core/Verdict"
import { counted } from "../terminal/Layout.ts"
import { type Html, html } from "./html.ts"
import type { Push, ReportData, Stop } from "./model.ts"
import { chart, empty, percent, spaced, table, time } from "./parts.ts"
import * as Words from "./words.ts"

const movedTo = ({ after, before }: Push["gates"][number]): string => {
  if (after === null) return spaced(before)
  return after === before ? `still ${spaced(after)}` : `${spaced(before)}, then ${spaced(after)}`
}

const tone = ({ after }: Push["gates"][number]): string =>
  after === "passed" ? "complete" : after === null ? "abstained" : "pushed"

const gateChips = ({ gates }: Push): Html | null =>
  gates.length === 0
    ? null
    : html`<ul class="chips">
        ${gates.map((gate) => html`<li class="chip ${tone(gate)}">${gate.gate}: ${movedTo(gate)}</li>`)}
      </ul>`

const evidence = ({ gates }: Stop): Html | null => {
  const runs = gates.flatMap(({ evidence, gate }) => evidence.map((run) => ({ gate, ...run })))
  return runs.length === 0
    ? null
    : html`<ul class="plain">
        ${runs
          .slice(0, 12)
          .map(
            ({ command, exitCode, gate }) =>
              html`<li>
                ${gate}: <code>${command}</code> ${exitCode === null ? "exit status unknown" : `exit ${exitCode}`}
              </li> `
          )}
      </ul>`
}

const contradictions = ({ contradictions }: Stop): Html | null =>
  contradictions.length === 0
    ? null
    : html`<ul class="plain">
        ${contradictions.map(({ claim, fact }) => html`<li><q>${claim}</q> but ${fact}</li> `)}
      </ul>`

const marking = (stop: Stop, number: number): Html =>
  stop.userMessageAt === null || stop.stoppedAt === null
    ? html`<p class="dim">It cannot be marked: the host recorded no times, so the evals could not find it again.</p>`
    : html`<div class="marking" data-push="${stop.id}" role="group" aria-label="Was this push right?">
        <button type="button" data-mark="right" aria-pressed="false">It was right</button>
        <button type="button" data-mark="wrong" aria-pressed="false">It was wrong</button>
        <label
          >The stop was
          <select data-kind>
            <option value="">not said</option>
            ${StopKind.literals.map((kind) => html`<option value="${kind}">${spaced(kind)}</option>`)}
          </select></label
        >
        <label for="note-${number}" class="hidden">Why</label>
        <input
          id="note-${number}"
          data-note
          type="text"
          maxlength="500"
          placeholder="why, in your words"
          autocomplete="off"
        />
      </div>`

const card = (stop: Stop, push: Push, number: number): Html =>
  html`<article class="card push">
    <header>
      <h4>${stop.task === "" ? "a task without words" : stop.task}</h4>
      <p class="dim">
        ${time(stop.at)} · ${stop.host} · <span class="id">${stop.sessionId}</span> · turn
        ${stop.turn}${stop.attempt === null ? "" : ` · push ${stop.attempt} of ${stop.maxAttempts}`}${stop.origin === "session" ? " · would be pushed" : ""}
      </p>
    </header>
    <p>${stop.reason}</p>
    ${gateChips(push)}
    <p>
      <span class="badge ${push.effect === "green" ? "complete" : push.effect === "nothing" ? "pushed" : "abstained"}"
        >${Words.effectNames[push.effect]}</span
      >${push.ended === null ? "" : html` <span class="dim">the turn ended ${spaced(push.ended)}</span>`}
    </p>
    ${
      push.doubts.length === 0
        ? null
        : html`<div class="doubts">
            <b>Why it may have been wrong</b>
            <ul>
              ${push.doubts.map((doubt) => html`<li>${doubt}</li>`)}
            </ul>
          </div>`
    }
    <details>
      <summary>What it rests on, and what the agent was told</summary>
      ${evidence(stop)}${contradictions(stop)}
      <p class="dim">
        decided by ${spaced(stop.source)} · confidence ${Math.round(stop.confidence * 100)} % · ${stop.severity} ·
        ${spaced(stop.pattern ?? stop.kind)}
      </p>
      ${stop.feedback === null ? null : html`<pre>${stop.feedback}</pre>`}
    </details>
    ${marking(stop, number)}
  </article> `

const cards = (data: ReportData, wanted: (push: Push) => boolean): ReadonlyArray<Html> => {
  const stops = new Map(data.stops.map((stop) => [stop.id, stop]))
  return data.pushes.flatMap((push, number) => {
    const stop = stops.get(push.stop)
    return stop === undefined || !wanted(push) ? [] : [card(stop, push, number)]
  })
}

const effectTable = ({ effects }: ReportData): Html => {
  const total = effects.green + effects.some + effects.nothing + effects.unknown
  return table(
    "What pushes achieved by the next stop",
    ["Effect", "Pushes", "Share"],
    [
      [Words.effectNames.green, effects.green, percent(effects.green, total)],
      [Words.effectNames.some, effects.some, percent(effects.some, total)],
      [Words.effectNames.nothing, effects.nothing, percent(effects.nothing, total)],
      [Words.effectNames.unknown, effects.unknown, percent(effects.unknown, total)]
    ]
  )
}

const gateTable = ({ byGate }: ReportData): Html =>
  table(
    "Gates that pushes found open",
    ["Gate", "Green after", "Still open", "Not known"],
    byGate.map(({ gate, green, open, unknown }) => [gate, green, open, unknown])
  )

const bar = html`<div class="exporting" hidden>
  <p><b id="marked">0 marked</b> <span class="dim">Marks stay in this browser until you clear them.</span></p>
  <p>
    <button type="button" id="export" disabled>Download labels</button>
    <button type="button" id="clear" class="quiet" disabled>Clear marks</button>
  </p>
  <p id="told" role="status"></p>
</div>`

export const render = (data: ReportData): Html => {
  const doubted = cards(data, ({ doubts }) => doubts.length > 0)
  const others = cards(data, ({ doubts }) => doubts.length === 0)
  if (data.pushes.length === 0) return empty("No agent was pushed in this time.")
  return html`<div class="columns">
      ${chart({ id: "effects", title: "What pushes achieved", note: "By the next stop of the same turn." }, effectTable(data))}
      ${data.byGate.length === 0 ? null : chart({ id: "gates", title: "Did the gate turn green after?" }, gateTable(data))}
    </div>
    <h3>Pushes that may have been wrong</h3>
    <p class="dim">
      Found by rules from what came after. Say of each whether it was right: the marks become labelled stops, which the
      evals read.
    </p>
    ${bar} ${doubted.length === 0 ? empty("No push looks wrong.") : doubted}
    ${
      others.length === 0
        ? null
        : html`<details class="more">
            <summary>${counted(others.length, "other push", "other pushes")}</summary>
            ${others}
          </details>`
    }`
}
