/** The lessons in a project's memory and their results. */
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as RetryPrompt from "@reflexion/core/RetryPrompt"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

type Results = { readonly injected: number; readonly used: number; readonly succeeded: number; readonly failed: number }

const none: Results = { injected: 0, used: 0, succeeded: 0, failed: 0 }

/** In ms. If no attempt got a lesson for this long, its task probably does not come back. */
const idle = 90 * 86_400_000

const lessonOf = (one: Reflection, { failed, injected, succeeded, used }: Results, now: number) => {
  const given = injected + used
  const tried = failed + succeeded
  const isIdle = given + tried === 0 && now - Date.parse(one.createdAt) > idle
  const harms = failed >= 2 && failed > succeeded ? `${failed} of ${tried} attempts with this lesson failed` : null
  const prune = harms ?? (isIdle ? "no attempt got this lesson in 90 days" : null)
  const isResolved = RetryPrompt.isResolved(one)
  return { ...one, given, succeeded, failed, isResolved, prune: isResolved ? null : prune }
}

export type Lesson = ReturnType<typeof lessonOf>

const most = 20_000

/** Sorts lessons to prune first, then helpful lessons, then the others. */
const weight = ({ failed, prune, succeeded }: Lesson): number => (prune !== null ? 2 : succeeded > failed ? 1 : 0)

const rate = ({ failed, succeeded }: Pick<Results, "failed" | "succeeded">): string =>
  `${succeeded} of ${succeeded + failed}`

/** `attempts` compares attempts with and without lessons. Null if no results are known. */
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
  })
