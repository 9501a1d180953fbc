/** The program behind `reflexion models`. */
import * as ModelRouting from "@reflexion/core/internal/model/calls/ModelRouting"
import { AskLog } from "@reflexion/core/AskLog"
import { Models } from "@reflexion/core/Models"
import type { ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as HookLine from "../install/HookLine.ts"
import { hostNamed, requestFor } from "../install/Install.ts"
import { hint } from "../command/CommandSpec.ts"
import * as Hosts from "../host/Hosts.ts"
import { UsageError } from "../process/CliError.ts"
import { CliProcess } from "../process/CliProcess.ts"
import * as Asked from "./Asked.ts"
import * as ConfiguredModels from "./ConfiguredModels.ts"
import { ExitStatus } from "../process/ExitStatus.ts"
import * as ModelsReport from "./report.ts"
import * as OwnOffer from "./OwnOffer.ts"
import * as OwnStanding from "./OwnStanding.ts"
import { escaped } from "../session/Report.ts"
import * as Settings from "../process/Settings.ts"
import { oneLine } from "../terminal/Layout.ts"
import * as Terminal from "../terminal/Terminal.ts"
import type { Given } from "./model.ts"

type Row = ModelsReport.Row

const rowOf = (role: string, name: string, excluded: string | null): Row => ({
  role,
  name,
  state: excluded === null ? "ready" : "excluded",
  reason: excluded
})

const roleOf = ({ model, models }: ReflexionConfig, name: string): string =>
  name === model ? "model" : models.fallback.includes(name) ? "fallback" : "auto"

/** All that a configuration names, and what stands against each. */
const survey = Effect.fnUntraced(function* (config: ReflexionConfig) {
  const { candidates, excluded } = yield* Models
  const log = yield* AskLog
  const judging = (yield* candidates).map(({ excluded: why, name }) => rowOf(roleOf(config, name), name, why))
  const first = judging.find(({ state }) => state === "ready")?.name ?? ""
  const reviewers = yield* Effect.forEach(Object.entries(config.crossReview), ([role, name]) =>
    name === undefined ? Effect.succeed([]) : Effect.map(excluded(name), (why) => [rowOf(role, name, why)])
  )
  return {
    config,
    judging,
    fast: ModelRouting.fast(config, ModelRouting.parse(first)?.provider ?? "")
      .slice(0, 1)
      .map((name) => rowOf("fast", name, null)),
    reviewers: reviewers.flat(),
    routed: Object.entries(config.routing).flatMap(([role, name]) =>
      name === undefined ? [] : [rowOf(role, name, null)]
    ),
    today: yield* Effect.option(log.spent)
  } satisfies Omit<ModelsReport.Survey, "own" | "asked">
})

/** With models off, what `auto` would ask is what there is to know. */
const imagined = (config: ReflexionConfig): ReflexionConfig =>
  config.model === "off" ? { ...config, model: "auto" } : config

const isWell = ({ config, judging, own }: ModelsReport.Survey): boolean =>
  own.every(({ standing }) => standing.state !== "unread") &&
  (config.model === "off" || judging.some(({ state }) => state === "ready"))

const usage = (problem: string) => new UsageError({ command: "reflexion models", problem })

const show = Effect.fnUntraced(function* ({ format }: Given) {
  const { cwd } = yield* CliProcess
  const config = yield* Settings.workspace(yield* Settings.user, cwd)
  const found = yield* Effect.provide(survey(imagined(config)), ConfiguredModels.layer(imagined(config)))
  const own = yield* Effect.forEach(Hosts.all, (host) =>
    Effect.map(OwnStanding.seenAt(host.name, cwd), (standing) => ({ host, standing }))
  )
  const seen = { ...found, config, own, asked: yield* Asked.today }
  const text =
    format === "json"
      ? escaped(JSON.stringify(ModelsReport.json(seen), null, 2))
      : ModelsReport.text(yield* Terminal.style, seen)
  yield* Console.log(text)
  yield* Ref.set(yield* ExitStatus, isWell(seen) ? 0 : 1)
})

/**
 * Looks, prints what it saw, and leaves the exit status; or says yes or no to a host's own small model.
 *
 * @category programs
 */
export const run = Effect.fn("ModelSurvey.run")(function* (given: Given) {
  const [word, ...rest] = given.words
  if (word === undefined) return yield* show(given)
  if (given.format !== null) return yield* usage(`--format is for the list, not for ${oneLine(word.slice(0, 60))}`)
  if (word === "on" || word === "off") {
    yield* OwnOffer.change(word, rest)
    const host = yield* hostNamed("models", rest)
    return yield* HookLine.update(yield* requestFor(host, "global"))
  }
  return yield* usage(`"${oneLine(word.slice(0, 60))}" is none of on, off${hint(word, ["on", "off"])}`)
})
