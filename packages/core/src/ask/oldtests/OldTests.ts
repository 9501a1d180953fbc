/**
 * The tests as they were before a task's first edit, over the code as it is: in a copy of the project, by the command that the
 * user named for the tests, in the sandbox and within the time that it has. Red there and green here is the strongest proof
 * that a check was made to pass.
 */
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Check, CheckResult } from "../checks/CheckResult.ts"
import * as Git from "../../ground/system/QuietGit.ts"
import * as ProjectCopy from "../checks/ProjectCopy.ts"
import { Verification } from "../checks/Verification.ts"
import * as Kept from "./kept.ts"
import { digest } from "../../ground/system/Digest.ts"
import { commitBefore } from "./before.ts"
import type { OldTests as Result } from "./model.ts"
import * as Reading from "./reading.ts"
import { recordOf } from "./record.ts"
import { type Old, restore } from "./restore.ts"
import type { TranscriptEvent } from "../../session/transcript/Transcript.ts"
import type { EvidenceContext } from "../../session/evidence/Evidence.ts"

export type { OldTests as Result } from "./model.ts"

/**
 * `directory` is the session's project, `check` the one that proves the gate of tests, `events` those of the task. `isFirst`:
 * the session did nothing before the task; `commits`: something was committed in it; `told` as in the result.
 */
export interface Request {
  readonly directory: string
  readonly check: Check
  readonly events: ReadonlyArray<TranscriptEvent>
  readonly context: EvidenceContext
  readonly isFirst: boolean
  readonly commits: boolean
  readonly told: string | null
}

export interface Options {
  readonly directory: string
  readonly within?: ReadonlyArray<string>
}

type Needs = CommandExecutor.CommandExecutor | FileSystem.FileSystem | Path.Path | Verification

export interface Service {
  /** Null where the task changed no test, or nothing is known of how it was. Never fails. */
  readonly run: (request: Request) => Effect.Effect<Result | null>
}

/** What was put back, and from where. */
interface Plan {
  readonly old: ReadonlyArray<Old>
  readonly commit: string
}

const planOf = Effect.fnUntraced(function* (request: Request, within: ReadonlyArray<string>) {
  const path = yield* Path.Path
  const { context, directory, events, isFirst } = request
  const { isMixed, since, touched } = recordOf(events, { context, resolve: (root, name) => path.resolve(root, name) })
  if (touched.length === 0 || isMixed) return null
  const git = yield* Git.open(directory, within)
  if (git === null) return null
  const top = yield* Git.ask(git, ["rev-parse", "--show-toplevel"], { directory })
  const root = top === null ? "" : Git.text(top).trim()
  const commit = yield* commitBefore(git, directory, { since, commits: request.commits })
  if (root === "" || commit === null) return null
  const real = yield* realPaths(touched)
  const old = yield* restore(real, { git, root, commit, isFirst })
  const plan: Plan = { old, commit }
  return old.length === 0 ? null : plan
})

/** Git names a repository by where it really lies; a test that is gone has a folder that is there, or it has none. */
const realPaths = Effect.fnUntraced(function* <A extends { readonly path: string }>(all: ReadonlyArray<A>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const real = (file: string): Effect.Effect<string> =>
    fs.realPath(path.dirname(file)).pipe(
      Effect.map((folder) => path.join(folder, path.basename(file))),
      Effect.catchAll(() =>
        path.dirname(file) === file
          ? Effect.succeed(file)
          : Effect.map(real(path.dirname(file)), (folder) => path.join(folder, path.basename(file)))
      )
    )
  return yield* Effect.forEach(all, (one) => Effect.map(real(one.path), (file) => ({ ...one, path: file })))
})

/** Whether it lies in the copy itself, and not behind a link that leads out of it. */
const isOwn = Effect.fnUntraced(function* (copy: ProjectCopy.Copy, target: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* fs.realPath(path.dirname(target))
  const isLink = yield* Effect.isSuccess(fs.readLink(target))
  return !isLink && `${folder}/`.startsWith(`${copy.root}/`)
})

const put = Effect.fnUntraced(function* (copy: ProjectCopy.Copy, old: ReadonlyArray<Old>, which: "now" | "text") {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  for (const one of old) {
    const target = copy.counterpart(one.file)
    if (target === null) return false
    yield* fs.makeDirectory(path.dirname(target), { recursive: true })
    if (!(yield* isOwn(copy, target))) return false
    const text = one[which]
    if (text === null) yield* fs.remove(target, { force: true })
    else yield* fs.writeFileString(target, text)
  }
  return true
})

const unknown = (detail: string) => ({ result: "unknown" as const, detail, failing: [] })

interface Runs {
  readonly copy: ProjectCopy.Copy
  readonly plan: Plan
  readonly check: Check
  /** When no more may be run, in epoch ms. */
  readonly until: number
  readonly project: string
}

const minimum = 1000

const runWith = Effect.fnUntraced(function* ({ check, copy, plan, project, until }: Runs, which: "now" | "text") {
  const left = until - (yield* Clock.currentTimeMillis)
  if (left < minimum || !(yield* put(copy, plan.old, which))) return null
  const verification = yield* Verification
  const bounded = { ...check, timeout: left / 1000 }
  const request = { directory: copy.directory, checks: [bounded], gates: [check.gate], copyOf: project }
  const [result] = yield* verification.run(request)
  return result ?? null
})

const late = "there was no time left to run them"

/** Only what is about to be held against somebody is run three times. */
const settle = Effect.fnUntraced(function* (runs: Runs) {
  const old = yield* runWith(runs, "text")
  if (old === null) return { ...unknown(late), output: "" }
  const at = (outcome: Pick<Result, "detail" | "failing" | "result">, { output }: CheckResult = old) => ({
    ...outcome,
    output
  })
  const one = Reading.first(old)
  if (one !== null) return at(one)
  const present = yield* runWith(runs, "now")
  const two = present === null ? unknown(late) : Reading.second(old, present)
  if (two !== null) return at(two)
  const again = yield* runWith(runs, "text")
  return again === null ? at(unknown(late)) : at(Reading.third(old, again), again)
})

const defaultTimeout = 300

const keyOf = Effect.fnUntraced(function* ({ check, directory }: Request, plan: Plan, within: ReadonlyArray<string>) {
  const files = yield* ProjectCopy.fingerprint(directory, within)
  if (files === null) return null
  const old = plan.old.map(({ path, text }) => [path, text])
  return yield* digest(new TextEncoder().encode(JSON.stringify([check.command, directory, within, files, old])))
})

const runPlan = Effect.fnUntraced(function* (request: Request, plan: Plan, { directory: state, within = [] }: Options) {
  const { check, directory, told } = request
  const started = yield* Clock.currentTimeMillis
  const until = started + Duration.toMillis(Duration.seconds(check.timeout ?? defaultTimeout))
  const copy = yield* ProjectCopy.make({ directory, within, state })
  const outcome =
    copy === null
      ? { ...unknown("the project cannot be copied"), output: "" }
      : yield* settle({ copy, plan, check, until, project: directory })
  const result: Result = {
    ...outcome,
    command: check.command,
    files: plan.old.map(({ from, path }) => ({ from, path })),
    base: plan.old.some(({ from }) => from === "commit") ? plan.commit.slice(0, 12) : null,
    told,
    durationMs: (yield* Clock.currentTimeMillis) - started
  }
  return result
}, Effect.scoped)

const runIn = Effect.fnUntraced(
  function* (request: Request, options: Options) {
    const within = options.within ?? []
    const path = yield* Path.Path
    const plan = yield* planOf(request, within)
    if (plan === null) return null
    const kept = path.join(options.directory, "old-tests.json")
    const key = yield* keyOf(request, plan, within)
    const known = key === null ? null : yield* Kept.find(kept, key)
    if (known !== null) return { ...known, told: request.told }
    const result = yield* runPlan(request, plan, options)
    if (key !== null) yield* Kept.save(kept, key, result)
    return result
  },
  Effect.catchAll(() => Effect.succeed(null))
)

const nothing: Service = { run: () => Effect.succeed(null) }

/** Without a layer nothing is run. */
export class OldTests extends Context.Reference<OldTests>()("@reflexion/core/OldTests", {
  defaultValue: (): Service => nothing
}) {
  /** `directory` is a folder of the user's own state, `within` the words of a sandbox. */
  static readonly Live = (options: Options): Layer.Layer<OldTests, never, Needs> =>
    Layer.effect(
      OldTests,
      Effect.map(Effect.context<Needs>(), (needs): Service => ({
        run: (request) => Effect.provide(runIn(request, options), needs)
      }))
    )

  /** Gives the same result whatever is asked. */
  static readonly Test = (result: Result | null): Layer.Layer<OldTests> =>
    Layer.succeed(OldTests, { run: () => Effect.succeed(result) })
}
