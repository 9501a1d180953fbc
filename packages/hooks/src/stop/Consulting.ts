/**
 * What a hook consults beyond evidence: the checks, models and reviewers of the configuration, with the keys of the
 * environment that its host gave it.
 */
import * as NodeCommandExecutor from "@effect/platform-node/NodeCommandExecutor"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as CheckResult from "@reflexion/core/internal/checks/CheckResult"
import { CrossReview } from "@reflexion/core/internal/model/crossreview/CrossReview"
import { JudgeGuidance } from "@reflexion/core/internal/review/tiers/JudgeGuidance"
import type { Judged, Seen } from "@reflexion/core/JudgeService"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as ReviewTiers from "@reflexion/core/ReviewTiers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { join } from "node:path"
import * as CheckSandbox from "../models/CheckSandbox.ts"
import * as ConfiguredModels from "../models/ConfiguredModels.ts"
import type { Hook } from "../session/Hook.ts"
import * as Trust from "../config/Trust.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

/**
 * `told` is what went wrong, in the words of the log. `unrun` is what the user is told of
 * checks beside the verdict, once: why those that were due were not run.
 *
 * @category models
 */
export interface Consulted {
  readonly judged: Judged
  readonly told: ReadonlyArray<string>
  readonly unrun: string | null
}

const platform = Layer.provideMerge(NodeCommandExecutor.layer, Layer.merge(NodeFileSystem.layer, NodePath.layer))

/**
 * What the user wants looked at is read in projects that they trust.
 *
 * @category layers
 */
export const guidance = (directories: UserDirectories): Layer.Layer<JudgeGuidance> =>
  JudgeGuidance.layer({
    texts: (cwd) => Effect.sync(() => Trust.Workspace.at(directories, Trust.rootOf(cwd)).guidance)
  })

/** Warnings are the log's: a hook's outputs are the host's. */
const heard = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
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

/** What the stages themselves say of how they went. */
const problems = ({ checks = [], crossReview }: Judged): ReadonlyArray<string> => [
  ...checks.filter(({ result }) => result === "unavailable" || result === "timed_out").map(CheckResult.describe),
  ...(crossReview?.problem == null ? [] : [`no cross review: ${crossReview.problem}`]),
  ...(crossReview?.consensus?.part === undefined ? [] : [`reviewed ${crossReview.consensus.part} of the diff`]),
  ...(crossReview?.consensus?.leftOut ?? []).map(
    ({ modelId, reason, role }) => `the ${role} ${modelId ?? "without a name"} was left out: ${reason}`
  )
]

/** A model that fails is named in a warning, and otherwise in the answer; that none is asked any more is no failure. */
const toldOf = (judged: Judged, told: ReadonlyArray<string>): ReadonlyArray<string> => {
  const problem = judged.asked?.end == null ? null : judged.asked.problem
  return [...new Set([...(told.length > 0 || problem === null ? told : [problem]), ...problems(judged)])]
}

/**
 * What the tiers beyond evidence make of a stop in the project of `cwd`.
 *
 * @category programs
 */
export const run: <S>(
  hook: Pick<Hook<S>, "directories" | "env" | "host">,
  options: { readonly config: ReflexionConfig; readonly cwd: string; readonly record: string | null },
  seen: Seen
) => Effect.Effect<Consulted> = Effect.fn("Consulting.run")(
  function* (hook, { config, cwd, record }, seen) {
    const where = { cwd, env: hook.env }
    const state = join(hook.directories.state, "checks")
    const { unsandboxed } = config.verify
    const isChecked = config.verify.checks.length > 0
    const sandbox = CheckSandbox.find({ ...where, host: hook.host, unsandboxed, state, record })
    const { told: before, value: place } = yield* heard(isChecked ? sandbox : Effect.succeed(null))
    const services = Layer.mergeAll(
      CheckSandbox.verification(place, state),
      CrossReview.Live,
      guidance(hook.directories)
    ).pipe(
      Layer.provideMerge(ConfiguredModels.layer(config, { ...where, state: hook.directories.state })),
      Layer.provideMerge(ConfiguredModels.asks(hook.directories)),
      Layer.provideMerge(ConfiguredModels.environment(where))
    )
    const asking = Effect.flatMap(ReviewTiers.consult({ state, within: place?.words ?? null }), (consult) =>
      consult(seen)
    )
    const { told, value } = yield* heard(Effect.provide(asking, services))
    const unrun = place === null ? value.checks?.find(({ result }) => result === "unavailable") : undefined
    return {
      judged: value,
      told: [...before, ...toldOf(value, told)],
      unrun: unrun === undefined ? null : CheckResult.describe(unrun)
    }
  },
  (effect) => Effect.provide(effect, platform)
)
