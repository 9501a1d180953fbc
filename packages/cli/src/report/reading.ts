/** All that a project's report is made of, read from the disk. A part that cannot be read is left out and named. */
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import type { Decision } from "@reflexion/core/internal/review/machine/Decision"
import * as Mutator from "@reflexion/core/Mutator"
import { FindingLog } from "@reflexion/core/FindingLog"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import type { ReflectionFinding } from "@reflexion/core/internal/memory/rules/ReflectionFinding"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as UserDirectories from "@reflexion/hooks/places/UserDirectories"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { lstatSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { CliProcess } from "../process/CliProcess.ts"
import { counted, oneLine } from "../terminal/Layout.ts"
import * as LogFile from "../log/LogFile.ts"
import * as Asked from "../models/Asked.ts"
import { ofProject, type Place, unfit } from "../memory/MemoryStore.ts"
import type { Proposal } from "./cycle.ts"
import * as ReportFiles from "./files.ts"
import * as ReportMemory from "./memory.ts"
import type { Inputs } from "./content.ts"

/** What was read of a part, and what of it could not be. */
interface Part<out A> {
  readonly value: A
  readonly problems: ReadonlyArray<string>
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const lacking = <A>(value: A, what: string, cause: unknown): Part<A> => ({
  value,
  problems: [`${what}: ${oneLine(messageOf(cause))}`]
})

const tried = <A>(what: string, otherwise: A, read: () => Part<A>): Effect.Effect<Part<A>> =>
  Effect.catchAll(Effect.try({ try: read, catch: messageOf }), (cause) =>
    Effect.succeed(lacking(otherwise, what, cause))
  )

const reviews = (root: string) =>
  tried<Inputs["reviews"]>("the records of reviews", [], () => {
    const { damaged, leftOut, stops } = ReportFiles.records(root)
    return {
      value: stops,
      problems: [
        ...(damaged > 0 ? [`${counted(damaged, "record")} of reviews in .reflection/`] : []),
        ...(leftOut > 0 ? [`${counted(leftOut, "record")} beyond the newest 500`] : [])
      ]
    }
  })

const real = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Of the log of all projects what is this one's. */
const decisions = (root: string) =>
  Effect.flatMap(CliProcess, ({ env }) =>
    tried<ReadonlyArray<Decision>>("the decision log", [], () => {
      const { decisions } = LogFile.read(UserDirectories.make(env))
      const places = new Map<string, string>()
      const isOwn = ({ directory }: Decision): boolean => {
        if (directory === null) return false
        const known = places.get(directory) ?? real(directory)
        places.set(directory, known)
        return known === root
      }
      return { value: decisions.filter(isOwn), problems: [] }
    })
  )

const whole = <A>(value: A): Part<A> => ({ value, problems: [] })

/** What was read of a log but for so many lines. */
const but = <A>(value: A, unreadable: number, what: string): Part<A> => ({
  value,
  problems: unreadable === 0 ? [] : [`${counted(unreadable, "line")} of ${what}`]
})

const fileIn = (root: string, name: string): string => join(root, ".reflection", name)

/** A log that is not there has nothing; it is not made by looking. */
const logged = <A, E extends { readonly message: string }, R>(
  file: { readonly path: string; readonly root: string; readonly what: string },
  nothing: A,
  read: (path: string) => Effect.Effect<Part<A>, E, R>
): Effect.Effect<Part<A>, never, R> =>
  Effect.gen(function* () {
    const { path, root } = file
    const problem = unfit({ path, root, given: false }, false)
    if (problem !== null) return lacking(nothing, file.what, problem)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return whole(nothing)
    return yield* Effect.catchAll(read(path), (error) => Effect.succeed(lacking(nothing, file.what, error.message)))
  }).pipe(Effect.catchAllDefect((defect) => Effect.succeed(lacking(nothing, file.what, defect))))

/** More than this of a memory is not looked through one by one. */
const maxReflections = 20_000

const memory = ({ path, root }: Place) =>
  logged({ path, root, what: "the memory" }, ReportMemory.nothing, () =>
    Effect.gen(function* () {
      const store = yield* ReflexionStore
      const reflections = yield* Stream.runCollect(Stream.take(store.stream, maxReflections))
      const found: ReportMemory.Remembered = {
        reflections: [...reflections],
        effectiveness: new Map(yield* store.effectiveness),
        stats: yield* store.stats
      }
      return whole(found)
    }).pipe(
      Effect.provide(ReflexionStore.Live({ path })),
      Effect.mapError(({ detail }) => ({ message: detail }))
    )
  )

const findings = (root: string) =>
  logged(
    { path: fileIn(root, "findings.jsonl"), root, what: "the findings of the cycle" },
    Array<ReflectionFinding>(),
    (path) =>
      Effect.gen(function* () {
        const log = yield* FindingLog
        return but([...(yield* log.findings())], yield* log.unreadable, "the findings of the cycle")
      }).pipe(Effect.provide(FindingLog.Live({ path })))
  )

const noAttempts: Record<AttemptOutcome["status"], number> = { completed: 0, failed: 0, timeout: 0 }

const attempts = (root: string, since: number | null) =>
  logged({ path: fileIn(root, "outcomes.jsonl"), root, what: "the log of outcomes" }, noAttempts, (path) =>
    Effect.gen(function* () {
      const log = yield* OutcomeLog
      const all = yield* log.outcomesSince(since ?? Number.NEGATIVE_INFINITY, { limit: Number.MAX_SAFE_INTEGER })
      const count = (wanted: AttemptOutcome["status"]) => all.filter(({ status }) => status === wanted).length
      const counts = { completed: count("completed"), failed: count("failed"), timeout: count("timeout") }
      return but(counts, yield* log.unreadable, "the log of outcomes")
    }).pipe(Effect.provide(OutcomeLog.Live({ path, trusted: true })))
  )

const proposals = (root: string) =>
  tried<ReadonlyArray<Proposal>>("the proposals", [], () => {
    const { damaged, proposals } = ReportFiles.proposals(root)
    return {
      value: proposals,
      problems: damaged === 0 ? [] : [`${counted(damaged, "file")} of .reflection/${Mutator.proposals}/`]
    }
  })

/** Those that are kept, of all projects. */
const questions = Asked.lines.pipe(
  Effect.map(whole),
  Effect.catchAll(({ message }) =>
    Effect.succeed(lacking<Inputs["questions"]>([], "the questions to models", new Error(message)))
  )
)

/**
 * `root` is the project's; `since` in epoch ms.
 *
 * @category programs
 */
export const read = Effect.fn("ReportReading.read")(function* (root: string, since: number | null) {
  const { env } = yield* CliProcess
  const found = yield* Effect.all({
    reviews: reviews(root),
    decisions: decisions(real(root)),
    memory: memory(ofProject(root, env)),
    findings: findings(root),
    proposals: proposals(root),
    attempts: attempts(root, since),
    questions
  })
  return {
    reviews: found.reviews.value,
    decisions: found.decisions.value,
    memory: found.memory.value,
    findings: found.findings.value,
    proposals: found.proposals.value,
    attempts: found.attempts.value,
    questions: found.questions.value,
    problems: Object.values(found).flatMap(({ problems }) => problems)
  }
})
