/** The memory and the cycle's findings on a report's page. */
import { analysisOf } from "./cycle.ts"
import { analysisAnchor } from "./cyclePart.ts"
import { counted } from "../terminal/Layout.ts"
import { type Html, html } from "./html.ts"
import type { Lesson, Memory, ReportData } from "./model.ts"
import { empty, spaced, table, tile, timeIn } from "./parts.ts"
import * as Words from "./words.ts"

const percent = (value: number): string => `${Math.round(100 * value)} %`

const rate = ({ failed, rate, succeeded }: Memory["without"]): string =>
  rate === null ? "no attempt" : `${succeeded} of ${succeeded + failed}, ${percent(rate)}`

const helped = ({ helpfulness, succeeded }: Lesson): boolean => succeeded > 0 && helpfulness > 0.5

const lesson = (one: Lesson): Html =>
  html`<article class="card lesson">
    <p class="chips">
      ${one.isNew ? html`<span class="chip waiting">new</span> ` : null}${helped(one) ? html`<span class="chip complete">helped</span> ` : null}${one.prune === null ? null : html`<span class="chip pushed">to prune</span> `}${one.isResolved ? html`<span class="chip complete">resolved</span> ` : null}<span
        class="dim"
        >${spaced(one.category)} · ${one.source} · ${one.createdAt.slice(0, 10)} ·
        <span class="id">${one.id}</span></span
      >
    </p>
    <p><b>${one.suggestion}</b></p>
    <p class="dim">${one.analysis}</p>
    <p class="dim">
      given ${counted(one.given, "time")}; ${one.succeeded} succeeded, ${one.failed} failed; believed to help:
      ${percent(one.helpfulness)}${one.prune === null ? "" : html` · <b>${one.prune}</b>`}
    </p>
  </article> `

/** Of lessons with the same advice the first, and the others behind it. */
const alike = (lessons: ReadonlyArray<Lesson>): ReadonlyArray<Html> => {
  const groups = new Map<string, ReadonlyArray<Lesson>>()
  for (const one of lessons) groups.set(one.suggestion, [...(groups.get(one.suggestion) ?? []), one])
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          html`${lesson(first)}${
            others.length === 0
              ? null
              : html`<details class="more">
                  <summary>The same advice, ${counted(others.length, "more time", "more times")}</summary>
                  ${others.map(lesson)}
                </details>`
          }`
        ]
  )
}

const group = (title: string, lessons: ReadonlyArray<Lesson>, none: string, note: Html | null = null): Html =>
  html`<h3>${title} <span class="count">${lessons.length}</span></h3>
    ${note}${lessons.length === 0 ? empty(none) : alike(lessons)}`

/**
 * What is known of the memory.
 *
 * @category rendering
 */
export const memory = ({ memory: found }: ReportData): Html => {
  if (found.reflections === 0)
    return empty("Nothing is remembered yet. What failed attempts taught goes into .reflection/reflections.jsonl.")
  const prune = found.lessons.filter((one) => one.prune !== null)
  const useful = found.lessons.filter((one) => one.prune === null && helped(one))
  const fresh = found.lessons.filter((one) => one.prune === null && !helped(one) && one.isNew)
  const others = found.lessons.filter((one) => one.prune === null && !helped(one) && !one.isNew)
  return html`<dl class="tiles">
      ${tile("Reflections", found.reflections, `of ${counted(found.tasks, "task")}`)}
      ${tile("Learned", found.learned, "in this time", "waiting")}
      ${tile("Helped", found.helped, "attempts that had them succeed", "complete")}
      ${tile("To prune", found.toPrune, "harm, or lie idle", found.toPrune > 0 ? "pushed" : "")}
    </dl>
    ${
      found.withLessons.rate === null && found.without.rate === null
        ? null
        : html`${table(
              "Attempts that succeeded",
              ["Attempts", "Succeeded"],
              [
                ["with reflections", rate(found.withLessons)],
                ["without", rate(found.without)]
              ]
            )}
            <p class="dim">${Words.notAlike}</p>`
    }
    ${group("To prune", prune, "Nothing speaks against what is kept.", html`<p class="dim"><code>reflexion prune --older-than 90d --dry-run</code> says what would go by its age.</p>`)}
    <p class="dim">
      <code>reflexion memory show ID</code> shows one; <code>edit</code>, <code>resolve</code> and <code>rm</code> in
      place of <code>show</code> change it, say that it is over, or delete it.
    </p>
    ${group("What helped", useful, "Of no reflection is it known yet that it helped.")}
    ${group("Learned in this time", fresh, "Nothing more was learned in this time.")}
    ${
      others.length === 0
        ? null
        : html`<details class="more">
            <summary>${counted(others.length, "other reflection")}</summary>
            ${others.map(lesson)}
          </details>`
    }
    ${found.leftOut > 0 ? html`<p class="dim">${counted(found.leftOut, "more reflection")} left out: <code>reflexion recall</code> finds them.</p>` : null}`
}

/** What was done about a finding; where a model analysed it, that is a link to what it said. */
const done = (finding: ReportData["findings"][number], { analyses }: ReportData["cycle"]): Html | null => {
  const by = analysisOf(finding)
  const index = analyses.findIndex(({ id }) => id === by)
  if (index >= 0) return html`<p><a href="#${analysisAnchor(index)}">What a model made of it</a></p>`
  if (by !== null) return html`<p class="dim">A model has analysed it.</p>`
  return finding.actionTaken === null ? null : html`<p><b>Done:</b> ${finding.actionTaken}</p>`
}

/**
 * What the reflection cycle found.
 *
 * @category rendering
 */
export const findings = ({ cycle, findings: found, findingsLeftOut }: ReportData): Html =>
  found.length === 0
    ? empty(html`The cycle found nothing in this time. <code>reflexion cycle</code> looks at the log of outcomes now.`)
    : html`${found.map(
        (finding) =>
          html`<article class="card finding">
            <h4>
              ${spaced(finding.rule)}
              <span class="chip ${finding.severity === "warning" ? "pushed" : "complete"}"
                >${spaced(finding.severity)}</span
              >
            </h4>
            <p class="dim">
              ${spaced(finding.subjectType)} <span class="id">${finding.subjectId}</span> · ${timeIn(finding.at)}
            </p>
            <p class="detail">${finding.detail}</p>
            ${done(finding, cycle)}
          </article> `
      )}${findingsLeftOut > 0 ? html`<p class="dim">${counted(findingsLeftOut, "older finding")} left out.</p>` : null}`
