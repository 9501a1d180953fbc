/** Handles the commands to reflexion, from the user or from the agent's tool. Each has an answer. */
import type { AgentHost } from "@reflexion/core/AgentHost"
import { AskLog } from "@reflexion/core/AskLog"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import { withMore } from "@reflexion/core/internal/session/config/DoneWhenGates"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import { type ActiveCheck, CurrentConfig, type ReflexionConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Mark from "../decoder/Mark.ts"
import { CurrentProgram } from "../decoder/Program.ts"
import { unquoted } from "../decoder/User.ts"
import * as Guidance from "../host/Guidance.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { EventInbox } from "../host/OpenCodeHost.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { AskingModel, never } from "../models/AskingModel.ts"
import * as Decided from "./decided.ts"
import type { Platform } from "./tiers.ts"

type RuleLimits = ReflexionConfig["ruleLimits"]

/** The plugin's services share these levels, which can change while the plugin runs. */
export type Limits = { -readonly [Rule in keyof RuleLimits]: RuleLimits[Rule] }

interface Marked {
  readonly text: string
  /** In this project, these rules no longer nudge and only inform the user. */
  readonly lowered: ReadonlyArray<keyof RuleLimits>
}

/** May throw. */
export type MarkWrong = (sessionId: string, root: string) => Marked

/** Lowers the limits of these rules. The limits are read again at each message of the user. */
export const lowering = ({ lowered, text }: Marked, limits: Limits): string => {
  for (const rule of lowered) if (limits[rule] !== "off") limits[rule] = "tell"
  return text
}

interface Service {
  readonly verify: (checks: ReadonlyArray<ActiveCheck>) => Effect.Effect<string, never, OpenCodeClient | Platform>
  readonly mark: (sessionId: string) => string
  /** True if the process ends with the command. Then the command waits for all work that it starts. */
  readonly waits: boolean
}

/** If there is no layer, no check can be run, and no mark is saved. */
export class Commanding extends Context.Reference<Commanding>()("@reflexion/opencode/Commanding", {
  defaultValue: (): Service => ({
    verify: () => Effect.succeed(Answers.noCheck),
    mark: () => "reflexion keeps no marks here.",
    waits: true
  })
}) {}

export interface TypedCommand {
  readonly command: string
  readonly sessionID: string
  readonly arguments?: string
}

const name = "reflection"

const definition = {
  description:
    "reflexion in this session: stop, start, status, model on|off, away, here, wrong, checks [run|on|off], done-when CONDITIONS, set TEXT, clear",
  template: "Say only this: reflexion's plugin did not answer the command."
}

/** Adds our command if the user has no command with this name. True if it was added. */
export const configure = (config: Record<string, unknown>): boolean => {
  const commands = Json.object(config["command"])
  if (Object.hasOwn(commands, name)) return false
  config["command"] = { ...commands, [name]: definition }
  return true
}

/** True if the command is for us. If the user has another command with our name, only our own arguments are for us. */
export const isOurs = ({ arguments: given = "", command }: TypedCommand, answers: boolean): boolean =>
  command === name &&
  (answers || /^(?:stop|start|status|away|here|wrong|(?:done-when|model|checks)\b.*)$/is.test(given.trim()))

/** Marks another command's text, because it may come from a project's file and is not the user's own text. */
export const mark = ({ arguments: given = "", command }: TypedCommand, parts: Array<unknown>): void => {
  const typed = Mark.command({ name: command, arguments: given })
  for (const [index, part] of parts.entries()) {
    if (Json.isObject(part) && part["type"] === "text")
      parts[index] = { ...part, metadata: { ...Json.object(part["metadata"]), ...typed } }
  }
}

/** Thrown to end a command before it becomes a prompt. There is no other way. The text goes to the host's log. */
export class CommandEnd extends Error {
  override readonly name = "ReflexionAnswered"
  constructor() {
    super("reflexion answered this command on the screen; no model was asked")
  }
}

export const isChild = Effect.fnUntraced(function* (sessionId: string) {
  const client = yield* OpenCodeClient
  const session = yield* Effect.orElseSucceed(client.session(sessionId), (): Json.Json => ({}))
  return typeof session["parentID"] === "string"
})

/** Subagents are not reviewed, so turning off their sessions would change nothing for the user. */
export const notOfChild =
  "reflexion does not review a session that another session started, so there is nothing to turn off or on here: use the user's own session."

export type Word = "stop" | "start" | "status"

export const isWord = (word: string): word is Word => word === "stop" || word === "start" || word === "status"

const unkept = <A, R>(work: Effect.Effect<A, unknown, R>) =>
  Effect.flatMap(CurrentProgram, ({ name }) =>
    Effect.mapError(
      work,
      () => `reflexion cannot read or save its state in this session: \`reflexion doctor ${name}\` shows why.`
    )
  )

/** If a "stop" cannot be saved, it works until the process ends. A "start" works only if it can be saved. */
const keep = Effect.fnUntraced(function* (sessionId: string, word: "stop" | "start", by: "user" | "agent") {
  const [states, { tell }, { waits }, problem] = yield* Effect.all([
    ReviewStates,
    EventInbox,
    Commanding,
    Decided.CurrentProblem
  ])
  const at = yield* Clock.currentTimeMillis
  const told = Effect.sync(() =>
    tell({ sessionId, name: "command", event: { _tag: "Command", command: word, by, at } })
  )
  if (word === "stop") yield* told
  yield* unkept(states.setStopped(sessionId, word === "stop"))
  if (word === "start") yield* told
  // Here no review program runs that would log the command.
  if (waits || problem !== null)
    yield* Decided.write(sessionId, { event: "command", decision: word, reason: `by the ${by}` })
})

/** Returns the state of reflexion and of the model. */
export const perform = Effect.fnUntraced(function* (sessionId: string, word: Word, by: "user" | "agent") {
  if (word !== "status") yield* keep(sessionId, word, by)
  const [states, config, problem, asking] = yield* Effect.all([
    ReviewStates,
    CurrentConfig,
    Decided.CurrentProblem,
    AskingModel
  ])
  const loaded = yield* unkept(states.load(sessionId))
  const state = loaded ?? ReviewState.initial
  const { tellsOnly } = yield* CurrentProgram
  const words = Answers.standing(state, { config, problem, tellsOnly })
  const model = state.enabled ? yield* asking.standing(sessionId) : ""
  return model === "" ? words : `${words} ${model}`
})

const inWords = <A, E extends Error, R>(work: Effect.Effect<A, E, R>) => Effect.mapError(work, ({ message }) => message)

const present = Effect.fnUntraced(function* (sessionId: string, word: "away" | "here") {
  const [words, { attended }] = yield* Effect.all([SessionWords, CurrentConfig])
  yield* inWords(words.say(sessionId, "attended", word))
  return Answers.presence(word === "here", { setting: attended })
})

/** Replaces the earlier conditions only if the text can be understood. */
const conditioned = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const words = yield* SessionWords
  const text = given.trim().slice(0, Answers.maxConditions)
  const message = Answers.conditions(text, {})
  if (text !== "" && DoneWhen.parse(text).length === 0) return yield* Effect.fail(message)
  yield* inWords(words.say(sessionId, "donewhen", text))
  return message
})

/** Uses the configuration that was read when the plugin started. */
export const model = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const word = given.trim().toLowerCase()
  const [asking, words, log, config, problem] = yield* Effect.all([
    AskingModel,
    SessionWords,
    AskLog,
    CurrentConfig,
    Decided.CurrentProblem
  ])
  const isSaid = word === "on" || word === "off"
  if (word !== "" && !isSaid)
    return yield* Effect.fail(
      "reflexion knows `/reflection model`, `/reflection model on` and `/reflection model off`."
    )
  if (problem !== null) return yield* Effect.fail(Notice.problem(problem))
  if (isSaid && config.model === "off") return yield* Effect.fail(never)
  if (isSaid) yield* inWords(words.say(sessionId, "model", word))
  const at = DateTime.formatIso(yield* DateTime.now)
  if (word === "on") yield* inWords(log.again({ at, host: (yield* CurrentProgram).name, session: sessionId }))
  return yield* asking.told(sessionId)
})

const wrong = Effect.fnUntraced(function* (sessionId: string) {
  const commanding = yield* Commanding
  return yield* Effect.try({
    try: () => commanding.mark(sessionId),
    catch: (cause) => `reflexion could not mark the nudge: ${cause instanceof Error ? cause.message : String(cause)}`
  })
})

export const shown = Effect.fnUntraced(function* <R>(work: Effect.Effect<string, string, R>) {
  const client = yield* OpenCodeClient
  const toast = yield* Effect.match(work, {
    onFailure: (message) => ({ message, variant: "warning" as const }),
    onSuccess: (message) => ({ message, variant: "info" as const })
  })
  yield* Effect.ignore(client.toast(toast))
  return toast.message
})

const configOf = Effect.fnUntraced(function* (sessionId: string) {
  const problem = yield* Decided.CurrentProblem
  if (problem !== null) return yield* Effect.fail(Notice.problem(problem))
  return withMore(yield* CurrentConfig, yield* (yield* SessionWords).doneWhen(sessionId))
})

const checks = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const word = given.trim().toLowerCase()
  const words = yield* SessionWords
  if (word !== "" && word !== "on" && word !== "off") return yield* Effect.fail(Answers.checksWords({}))
  if (word !== "") yield* inWords(words.say(sessionId, "nochecks", word === "off" ? word : ""))
  return Answers.checks(yield* configOf(sessionId), { isOff: yield* words.unchecked(sessionId) })
})

const verify = Effect.fnUntraced(function* (sessionId: string) {
  const { verify: run, waits } = yield* Commanding
  const config = yield* Effect.either(configOf(sessionId))
  if (Either.isLeft(config)) return yield* shown(Effect.fail(config.left))
  if (config.right.checks.length === 0) return yield* shown(Effect.succeed(Answers.noCheck))
  const work = Effect.gen(function* () {
    const text = yield* shown(run(config.right.checks))
    const reason = `the user asked for the checks: ${text}`
    yield* Decided.write(sessionId, { event: "command", decision: "none", reason })
  })
  yield* waits ? Effect.ignore(work) : Effect.forkDaemon(work)
})

const usage =
  "reflexion knows `/reflection` with stop, start, status, model, model on, model off, away, here, wrong, checks, checks run, checks on, checks off, done-when CONDITIONS, set TEXT and clear."

type Needs = AgentHost | DecisionLog | EventInbox | OpenCodeClient | ReviewStates | CurrentConfig

const done = (sessionId: string, word: string, text: string): Effect.Effect<string, string, Needs> => {
  const ofUser = <R>(work: Effect.Effect<string, string, R>) =>
    Effect.flatMap(isChild(sessionId), (is) => (is ? Effect.fail(notOfChild) : work))
  if (isWord(word)) return ofUser(perform(sessionId, word, "user"))
  switch (word) {
    case "away":
    case "here":
      return ofUser(present(sessionId, word))
    case "model":
      return ofUser(model(sessionId, text))
    case "checks":
      return ofUser(checks(sessionId, text))
    case "done-when":
      return ofUser(conditioned(sessionId, text))
    case "wrong":
      return wrong(sessionId)
    case "set":
      return Guidance.clean(text) === "" ? Effect.fail(usage) : inWords(Guidance.set(sessionId, text))
    case "clear":
      return inWords(Guidance.clear(sessionId))
    default:
      return Effect.fail(usage)
  }
}

/** The first word is the command, and the rest is used as typed. */
export const answer = Effect.fnUntraced(function* ({ arguments: given = "", sessionID }: TypedCommand) {
  const [, first = "status", text = ""] = /^(\S+)\s*(.*)$/s.exec(unquoted(given.trim())) ?? []
  const word = first.toLowerCase()
  if (word === "checks" && text.trim().toLowerCase() === "run") return yield* verify(sessionID)
  yield* shown(done(sessionID, word, unquoted(text)))
})
