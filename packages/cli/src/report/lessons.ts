/** What a project's memory has learned, and what came of it. */
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

type Results = { readonly injected: number; readonly used: number; readonly succeeded: number; readonly failed: number }

const none: Results = { injected: 0, used: 0, succeeded: 0, failed: 0 }

/** Advice that nobody was given for so long waits for a task that does not come. */
const idle = 90 * 86_400_000

const lessonOf = (one: Reflection, { failed, injected, succeeded, used }: Results, now: number) => {
  const given = injected + used
  const tried = failed + succeeded
  const isIdle = given + tried === 0 && now - Date.parse(one.createdAt) > idle
  const harms = failed >= 2 && failed > succeeded ? `${failed} of ${tried} attempts that had it failed` : null
  const prune = harms ?? (isIdle ? "nobody was given it in 90 days" : null)
  const isResolved = RetryPrompt.isResolved(one)
  return { ...one, given, succeeded, failed, isResolved, prune: isResolved ? null : prune }
}

export type Lesson = ReturnType<typeof lessonOf>

const most = 20_000

/** What there is most to say of comes first: what harms, what helped, then the newest. */
const weight = ({ failed, prune, succeeded }: Lesson): number => (prune !== null ? 2 : succeeded > failed ? 1 : 0)

const rate = ({ failed, succeeded }: Pick<Results, "failed" | "succeeded">): string =>
  `${succeeded} of ${succeeded + failed}`

/** All lessons, and how attempts with them ended against those without; null where none is known. */
export const read = (now: number) =>
  Effect.gen(function* () {
    const store = yield* ReflexionStore
    const results = yield* store.effectiveness
    const found = yield* Stream.runCollect(Stream.take(store.stream, most))
    const lessons = [...found].map((one) => lessonOf(one, results.get(one.id) ?? none, now))
    const { all, without } = yield* store.stats
    const isKnown = all.failed + all.succeeded + without.failed + without.succeeded > 0
    return {
      lessons: lessons.toReversed().toSorted((one, other) => weight(other) - weight(one)),
      attempts: isKnown ? `Attempts that succeeded: ${rate(all)} with lessons, ${rate(without)} without.` : null
    }
<<<<<<< HEAD
  })
=======
    ${group("To prune", prune, "Nothing speaks against what is kept.", html`<p class="dim"><code>reflexion memory prune --older-than 90d --dry-run</code> says what would go by its age.</p>`)}
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
    ${found.leftOut > 0 ? html`<p class="dim">${counted(found.leftOut, "more reflection")} left out: <code>reflexion memory recall</code> finds them.</p>` : null}`
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
>>>>>>> B1
