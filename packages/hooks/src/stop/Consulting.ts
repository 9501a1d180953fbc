/** Consults checks, models and reviewers, in addition to the evidence. Loaded only when needed. */
import * as NodeCommandExecutor from "@effect/platform-node/NodeCommandExecutor"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import { Verification } from "@reflexion/core/internal/checks/Verification"
import { CrossReview } from "@reflexion/core/internal/model/crossreview/CrossReview"
import { JudgeGuidance } from "@reflexion/core/internal/review/tiers/JudgeGuidance"
import type { Judged, Seen } from "@reflexion/core/JudgeService"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import type { ActiveCheck, ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as RepoSignals from "@reflexion/core/RepoSignals"
import * as ReviewTiers from "@reflexion/core/ReviewTiers"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { join } from "node:path"
import * as CheckSandbox from "../models/CheckSandbox.ts"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import type { HookEvent } from "../input/HookEvent.ts"
import * as ProjectRoot from "../places/ProjectRoot.ts"
import { answer as onDisk } from "../places/RepoDisk.ts"
import * as Hooks from "../session/Hook.ts"
import * as SessionFile from "../session/SessionFile.ts"
import * as Trust from "../config/Trust.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

export interface ConsultedStop {
  readonly judged: Judged
  /** For the log. */
  readonly told: ReadonlyArray<string>
  /** For the user. */
  readonly unrun: string | null
}

const platform = Layer.provideMerge(NodeCommandExecutor.layer, Layer.merge(NodeFileSystem.layer, NodePath.layer))

/** The user's advice for the model. It is read only in projects that the user trusts. */
export const guidance = (directories: UserDirectories): Layer.Layer<JudgeGuidance> =>
  JudgeGuidance.layer({
    texts: (cwd) => Effect.sync(() => Trust.Workspace.at(directories, Trust.rootOf(cwd)).guidance)
  })

/** Returns the result of `asking`, and the warnings that it logged. */
export const heard = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const told: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (LogLevel.greaterThanEqual(logLevel, LogLevel.Warning)) told.push([message].flat().map(String).join(" "))
    })
    return asking.pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Effect.map((value) => ({ value, told }))
    )
  })

const problems = ({ checks = [], crossReview }: Judged): ReadonlyArray<string> => [
  ...checks.filter(({ result }) => result === "unavailable" || result === "timed_out").map(CheckResult.describe),
  ...(crossReview?.problem == null ? [] : [`no cross review: ${crossReview.problem}`]),
  ...(crossReview?.consensus?.part === undefined ? [] : [`reviewed ${crossReview.consensus.part} of the diff`]),
  ...(crossReview?.consensus?.leftOut ?? []).map(
    ({ modelId, reason, role }) => `the ${role} ${modelId ?? "without a name"} was left out: ${reason}`
  )
]

/**
 * A warning already reports a model's failure. So the answer's problem is added only if there is no warning. If no
 * question was asked, there is no failure.
 */
const toldOf = (judged: Judged, told: ReadonlyArray<string>): ReadonlyArray<string> => {
  const problem = judged.asked?.end == null ? null : judged.asked.problem
  return [...new Set([...(told.length > 0 || problem === null ? told : [problem]), ...problems(judged)])]
}

export const run: <S>(
  hook: Pick<Hooks.Hook<S>, "directories" | "env" | "host">,
  options: { readonly config: ReflexionConfig; readonly cwd: string; readonly record: string | null },
  seen: Seen
) => Effect.Effect<ConsultedStop> = Effect.fn("Consulting.run")(
  function* (hook, { config, cwd, record }, seen) {
    const where = { cwd, env: hook.env, state: join(hook.directories.state, "checks") }
    const { checks } = config
    const services = Layer.merge(CrossReview.Live, guidance(hook.directories)).pipe(
      Layer.provideMerge(ConfiguredModels.layer(config, { ...where, state: hook.directories.state })),
      Layer.provideMerge(ConfiguredModels.asks(hook.directories)),
      Layer.provideMerge(ConfiguredModels.environment(where))
    )
    const asking = Effect.gen(function* () {
      const sandbox = CheckSandbox.find({ ...where, host: hook.host, record })
      const place = checks.length > 0 ? yield* sandbox : null
      const tiers = ReviewTiers.consult({ state: where.state, within: place?.words ?? null })
      const judging = Effect.flatMap(tiers, (consult) => consult(seen)).pipe(
        Effect.provide(CheckSandbox.verification(place, where.state)),
        Effect.provide(services)
      )
      return { judged: yield* judging }
    })
    const { told, value } = yield* heard(asking)
    const { judged } = value
    return { judged, told: toldOf(judged, told), unrun: CheckResult.unrun(judged.checks) }
  },
  (effect) => Effect.provide(effect, platform)
)

/** Less than the 660 seconds that the installed hooks may take. */
const mostForChecks = Duration.minutes(10)

interface Place {
  readonly directory: string
  readonly checks: ReadonlyArray<ActiveCheck>
}

/** An approved check runs at the project's root. A configured check runs in the session's directory. */
const placesOf = (checks: ReadonlyArray<ActiveCheck>, cwd: string): ReadonlyArray<Place> =>
  [...new Set(checks.map(({ directory }) => directory ?? cwd))].map((directory) => ({
    directory,
    checks: checks.filter((check) => (check.directory ?? cwd) === directory)
  }))

const runIn = Effect.fnUntraced(function* ({ checks, directory }: Place, secrets: ReadonlyArray<string>) {
  const verification = yield* Verification
  const { scripts } = RepoSignals.loadSync(directory, onDisk)
  return yield* verification.run({ directory, checks, scripts, secrets, again: true })
})

const runAll = <S>(hook: Hooks.Hook<S>, event: HookEvent, { checks, ...config }: ReflexionConfig) =>
  Effect.gen(function* () {
    const cwd = event.cwd ?? "/"
    const state = join(hook.directories.state, "checks")
    const where = { cwd, env: hook.env, host: hook.host, record: event.transcript, state }
    const place = yield* CheckSandbox.find(where)
    if (place === null) return Answers.unconfined
    const running = Effect.forEach(placesOf(checks, cwd), (one) => runIn(one, ModelRouting.keyVariables(config))).pipe(
      Effect.provide(CheckSandbox.verification(place, state)),
      Effect.map((results) => Answers.checked(results.flat()))
    )
    return yield* Effect.timeoutTo(running, {
      duration: mostForChecks,
      onSuccess: (text) => text,
      onTimeout: () => `reflexion ended the checks: no result after ${Duration.toMinutes(mostForChecks)} minutes.`
    })
  }).pipe(Effect.provide(platform))

/** For `/reflection checks run`. The agent gets no message, and the result does not affect the review. */
export const verify = async <S>(hook: Hooks.Hook<S>, event: HookEvent): Promise<string> => {
  const settled = Hooks.settingsOf(hook, ProjectRoot.of(event.cwd ?? "/"))
  if (settled.problem !== null) return Notice.problem(settled.problem)
  const config = withMore(settled.config, SessionFile.doneWhenOf(Hooks.keyOf(hook, event)))
  if (config.checks.length === 0) return Answers.noCheck
  const since = hook.now()
  const text = await Effect.runPromise(
    Effect.catchAllCause(runAll(hook, event, config), (cause) =>
      Effect.succeed(`reflexion could not run the checks: ${Hooks.messageOf(Cause.squash(cause))}`)
    )
  )
  Hooks.log(hook, event, { decision: "none", reason: `the user asked for the checks: ${text}` }, since)
  return text
}
