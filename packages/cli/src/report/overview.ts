/** The first view of a report's page: how stops ended, why, and what it took. */
import { counted, grouped, lasting } from "../terminal/Layout.ts"
import { type Html, html } from "./html.ts"
import type { ReportData, Tally } from "./model.ts"
import { chart, empty, percent, table, tile, timeIn } from "./parts.ts"
import * as Words from "./words.ts"

const known = ({ effects }: ReportData): number => effects.green + effects.some + effects.nothing

/** How a model answered at stops; a figure that is about nothing is left out. */
const model = ({ questions: { all } }: ReportData): Html | null =>
  all.calls === 0
    ? null
    : tile(
        "Model",
        grouped(all.calls),
        `${all.calls === 1 ? "question" : "questions"}, ${grouped(all.answered)} answered${all.medianMs === null ? "" : `, median wait ${lasting(all.medianMs)}`}`
      )

const tiles = (data: ReportData): Html => {
  const { effects, pushes, tally, tiers } = data
  const { outcomes, stops } = tally
  const doubted = pushes.filter(({ doubts }) => doubts.length > 0).length
  const used = tiers.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0)
  const calls = tiers.reduce((sum, { modelCalls }) => sum + modelCalls, 0)
  return html`<dl class="tiles">
    ${tile("Stops reviewed", grouped(stops), counted(data.sessions.length + data.sessionsLeftOut, "session"))}
    ${tile("Complete", grouped(outcomes.complete), `${percent(outcomes.complete, stops)} of stops`, "complete")}
    ${tile("Pushed", grouped(outcomes.pushed), `${percent(outcomes.pushed, stops)} of stops`, "pushed")}
    ${tile("Turned green", grouped(effects.green), `of ${counted(known(data), "push", "pushes")} with a stop after`, "complete")}
    ${tile("Abstained", grouped(outcomes.abstained), `${percent(outcomes.abstained, stops)} of stops`, "abstained")}
    ${tile("To review", grouped(doubted), "pushes that may have been wrong", doubted > 0 ? "pushed" : "")}
    ${tile("Tokens", rough(used), `in ${counted(calls, "model call")}`)} ${model(data)}
  </dl>`
}

const tallied = (tally: Tally, caption: string, pushed: string): Html =>
  table(
    caption,
    ["Outcome", "Stops", "Share"],
    Words.outcomes.map((outcome) => [
      html`<span class="key ${outcome}"></span>${outcome === "pushed" ? pushed : Words.outcomeNames[outcome]}`,
      tally.outcomes[outcome],
      percent(tally.outcomes[outcome], tally.stops)
    ])
  )

const percentOf = (count: number, most: number): string => `${Math.round((100 * count) / most)}%`

/** Thousands as such, where the figure is no more than a first look. */
const rough = (value: number): string =>
  value < 10_000
    ? grouped(value)
    : value < 10_000_000
      ? `${grouped(value / 1000)} k`
      : `${grouped(value / 1_000_000)} M`

const why = (title: string, counts: Tally["abstained"]): Html | null => {
  const most = counts.reduce((found, { count }) => Math.max(found, count), 0)
  return counts.length === 0
    ? null
    : html`<section class="card">
        <h3>${title}</h3>
        <ul class="whys">
          ${counts.map(
            ({ count, key }) =>
              html`<li>
                <span class="share" aria-hidden="true"><span style="width: ${percentOf(count, most)}"></span></span
                ><b>${count}</b>
                <span>${key}</span>
              </li> `
          )}
        </ul>
      </section>`
}

const tierTable = ({ tiers }: ReportData): Html =>
  table(
    "What reviews took, by how far they went",
    ["Tier", "Reviews", "Model calls", "Tokens in", "Tokens out", "Time"],
    tiers
      .filter(({ reviews }) => reviews > 0)
      .map(({ durationMs, inputTokens, modelCalls, outputTokens, reviews, tier }) => [
        Words.tierNames[tier],
        grouped(reviews),
        grouped(modelCalls),
        grouped(inputTokens),
        grouped(outputTokens),
        lasting(durationMs)
      ])
  )

const models = ({ models }: ReportData): Html | null =>
  models.length === 0
    ? null
    : html`<p class="dim">
        Models that answered:
        ${models.map(({ count, key }, index) => html`${index === 0 ? "" : ", "}<code>${key}</code> (${count})`)}
      </p>`

const questions = ({ questions: { all, hosts } }: ReportData): Html | null =>
  all.calls === 0
    ? null
    : html`<section class="card">
        <h3>What a model was asked at stops</h3>
        <p class="dim">
          Questions are kept for 30 days. The wait is the median of all; a late answer counts for nothing.
        </p>
        ${table(
          "Questions to a model, by host",
          ["Host", "Asked", "Answered", "Wait", "Tokens in", "Tokens out"],
          [...hosts, ...(hosts.length > 1 ? [all] : [])].map(
            ({ answered, calls, host, inputTokens, medianMs, outputTokens }) => [
              host,
              grouped(calls),
              grouped(answered),
              medianMs === null ? "none" : lasting(medianMs),
              grouped(inputTokens),
              grouped(outputTokens)
            ]
          )
        )}
      </section>`

const attempts = ({ attempts: { completed, failed, timeout } }: ReportData): Html | null =>
  completed + failed + timeout === 0
    ? null
    : html`<section class="card">
        <h3>Attempts in the log of outcomes</h3>
        ${table(
          "How attempts ended",
          ["Attempts", "Count"],
          [
            ["completed", completed],
            ["failed", failed],
            ["timed out", timeout]
          ]
        )}
      </section>`

const faults = ({ failures, failuresLeftOut }: ReportData): Html | null =>
  failures.length === 0
    ? null
    : html`<section class="card">
        <h3>Faults of reflexion's own or of its surroundings</h3>
        <ul class="plain">
          ${failures.map(({ at, reason }) => html`<li>${timeIn(at)} ${reason}</li> `)}
        </ul>
        ${failuresLeftOut > 0 ? html`<p class="dim">${failuresLeftOut} earlier ones are left out: <code>reflexion log</code> has them.</p>` : null}
      </section>`

const past = ({ past }: ReportData): Html | null =>
  past === null
    ? null
    : html`<section class="card">
        <h3>Past sessions, judged now</h3>
        ${
          past.stops === 0
            ? empty("The hosts have no other session of this directory.")
            : html`<p class="dim">
                  ${counted(past.stops, "stop")} of the hosts' own records, from evidence alone. Nobody was pushed.
                </p>
                ${tallied(past, "How past stops would have been judged", "would be pushed")}`
        }
      </section>`

export const render = (data: ReportData): Html =>
  html`${tiles(data)}
    ${chart(
      { id: "days", title: "Stops by day", note: "Days are in UTC." },
      table(
        "Stops by day",
        ["Day", ...Words.outcomes.map((outcome) => Words.outcomeNames[outcome])],
        data.days.map(({ day, outcomes }) => [day, ...Words.outcomes.map((outcome) => outcomes[outcome])])
      )
    )}
    <div class="flow">
      <section class="card">
        <h3>How stops ended</h3>
        ${tallied(data.tally, "How stops ended", Words.outcomeNames.pushed)}
      </section>
      ${past(data)} ${why("Why stops were not judged", data.tally.abstained)}
      ${why("Why open tasks were not pushed", data.tally.left)} ${attempts(data)}
    </div>
    <section class="card">
      <h3>What reviews took</h3>
      <p class="dim">
        Each review counts once, at the furthest tier that it reached. Time is the reviews' own, with what they waited
        for.
      </p>
      ${data.tally.stops === 0 ? empty("No stop was reviewed.") : tierTable(data)}${models(data)}
    </section>
    ${questions(data)}
    ${
      data.tiers.some(({ inputTokens, outputTokens }) => inputTokens + outputTokens > 0)
        ? chart(
            { id: "tokens", title: "Tokens of models by day" },
            table(
              "Tokens by day",
              ["Day", "In", "Out"],
              data.days.map(({ day, inputTokens, outputTokens }) => [day, grouped(inputTokens), grouped(outputTokens)])
            )
          )
        : null
    }
    ${data.reminders > 0 ? html`<p class="dim">Beside pushes, agents were told something ${counted(data.reminders, "time")} (reminders in <code>reflexion log</code>).</p>` : null}
    ${data.marked > 0 ? html`<p class="dim">You marked ${counted(data.marked, "push", "pushes")} as wrong with <code>/reflection wrong</code> (<code>reflexion marks</code>).</p>` : null}
    ${faults(data)}`
