/** What a session's user says to reflexion with a command, or the agent for them with a tool, and what is answered. */
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
import { unquoted } from "../decoder/User.ts"
import * as Guidance from "../host/Guidance.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { EventInbox } from "../host/OpenCodeHost.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { AskingModel, never } from "../models/AskingModel.ts"
import * as Decided from "./decided.ts"
import type { Platform } from "./tiers.ts"

type RuleLimits = ReflexionConfig["ruleLimits"]

/** Levels that the services of a plugin have in common for as long as it runs. */
export type Limits = { -readonly [Rule in keyof RuleLimits]: RuleLimits[Rule] }

/** What the user is told, and which rules go no further than to tell from now on. */
interface Marked {
  readonly text: string
  readonly lowered: ReadonlyArray<keyof RuleLimits>
}

/** Marks the last nudge of a session in the project with this root as wrong. May throw. */
export type MarkWrong = (sessionId: string, root: string) => Marked

/** Lowers what is marked in the limits that the plugin judges by, which are read again for each message of the user's. */
export const lowering = ({ lowered, text }: Marked, limits: Limits): string => {
  for (const rule of lowered) if (limits[rule] !== "off") limits[rule] = "tell"
  return text
}

/** `mark` may throw; `waits`: whether the process ends with the command, so that it has to wait for what that began. */
interface Service {
  readonly verify: (checks: ReadonlyArray<ActiveCheck>) => Effect.Effect<string, never, OpenCodeClient | Platform>
  readonly mark: (sessionId: string) => string
  readonly waits: boolean
}

/** By what commands are carried out. Without a layer nothing can be run, and no mark is kept. */
export class Commanding extends Context.Reference<Commanding>()("@reflexion/opencode/Commanding", {
  defaultValue: (): Service => ({
    verify: () => Effect.succeed(Answers.noCheck),
    mark: () => "reflexion keeps no marks here.",
    waits: true
  })
}) {}

/** What was typed, as the host tells of it. */
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

/** Adds our command to the host's; a command of the user's own by that name stays. Says whether ours is there. */
export const configure = (config: Record<string, unknown>): boolean => {
  const commands = Json.object(config["command"])
  if (Object.hasOwn(commands, name)) return false
  config["command"] = { ...commands, [name]: definition }
  return true
}

/** Under our name, and meant for us: under another's command of that name only our own words are. */
export const isOurs = ({ arguments: given = "", command }: TypedCommand, answers: boolean): boolean =>
  command === name &&
  (answers || /^(?:stop|start|status|away|here|wrong|(?:done-when|model|checks)\b.*)$/is.test(given.trim()))

/** Marks what another command is made into: its file may be a project's, and none of it is what the user said. */
export const mark = ({ arguments: given = "", command }: TypedCommand, parts: Array<unknown>): void => {
  const typed = Mark.command({ name: command, arguments: given })
  for (const [index, part] of parts.entries()) {
    if (Json.isObject(part) && part["type"] === "text")
      parts[index] = { ...part, metadata: { ...Json.object(part["metadata"]), ...typed } }
  }
}

/** The only way to end a command before it becomes a prompt; the text is for the host's log. */
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

/** Agents of an agent's are not reviewed, and turning one off would turn nothing off for the user. */
export const notOfChild =
  "reflexion does not review a session that another one started, so there is nothing to turn off or on here: say it in the user's own session."

export type Word = "stop" | "start" | "status"

export const isWord = (word: string): word is Word => word === "stop" || word === "start" || word === "status"

const unkept =
  "reflexion cannot read or write down how it stands in this session: `reflexion doctor opencode` says why."

/** Off where that cannot be written down as well, as long as the process lasts; on only where it can. */
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
  yield* Effect.mapError(states.setStopped(sessionId, word === "stop"), () => unkept)
  if (word === "start") yield* told
  // Where no program reviews by the host's events, none writes it down.
  if (waits || problem !== null)
    yield* Decided.write(sessionId, { event: "command", decision: word, reason: `by the ${by}` })
})

/** Does what the word says, and tells how reflexion stands then, and how the model does. */
export const perform = Effect.fnUntraced(function* (sessionId: string, word: Word, by: "user" | "agent") {
  if (word !== "status") yield* keep(sessionId, word, by)
  const [states, config, problem, asking] = yield* Effect.all([
    ReviewStates,
    CurrentConfig,
    Decided.CurrentProblem,
    AskingModel
  ])
  const loaded = yield* Effect.mapError(states.load(sessionId), () => unkept)
  const state = loaded ?? ReviewState.initial
  const words = Answers.standing(state, { config, problem })
  const model = state.enabled ? yield* asking.standing(sessionId) : ""
  return model === "" ? words : `${words} ${model}`
})

const inWords = <A, E extends Error, R>(work: Effect.Effect<A, E, R>) => Effect.mapError(work, ({ message }) => message)

/** Keeps whether the user is there. */
const present = Effect.fnUntraced(function* (sessionId: string, word: "away" | "here") {
  const [words, { attended }] = yield* Effect.all([SessionWords, CurrentConfig])
  yield* inWords(words.say(sessionId, "attended", word))
  return Answers.presence(word === "here", { setting: attended })
})

/** Keeps when the user calls the task done; what cannot be understood takes nothing back. */
const conditioned = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const words = yield* SessionWords
  const text = given.trim().slice(0, Answers.maxConditions)
  const message = Answers.conditions(text, {})
  if (text !== "" && DoneWhen.parse(text).length === 0) return yield* Effect.fail(message)
  yield* inWords(words.say(sessionId, "donewhen", text))
  return message
})

/** What the user says or asks of the session's model. A configuration that asks none was read when the plugin began. */
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
  if (word === "on") yield* inWords(log.again({ at, host: "opencode", session: sessionId }))
  return yield* asking.told(sessionId)
})

const wrong = Effect.fnUntraced(function* (sessionId: string) {
  const commanding = yield* Commanding
  return yield* Effect.try({
    try: () => commanding.mark(sessionId),
    catch: (cause) => `reflexion could not mark the nudge: ${cause instanceof Error ? cause.message : String(cause)}`
  })
})

/** Shows the user what comes of it, and what came in the way. */
export const shown = Effect.fnUntraced(function* <R>(work: Effect.Effect<string, string, R>) {
  const client = yield* OpenCodeClient
  const toast = yield* Effect.match(work, {
    onFailure: (message) => ({ message, variant: "warning" as const }),
    onSuccess: (message) => ({ message, variant: "info" as const })
  })
  yield* Effect.ignore(client.toast(toast))
  return toast.message
})

/** The configuration of the project and of the session. */
const configOf = Effect.fnUntraced(function* (sessionId: string) {
  const problem = yield* Decided.CurrentProblem
  if (problem !== null) return yield* Effect.fail(Notice.problem(problem))
  return withMore(yield* CurrentConfig, yield* (yield* SessionWords).doneWhen(sessionId))
})

/** Shows the checks that may be run, and turns them off and on in a session. */
const checks = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const word = given.trim().toLowerCase()
  const words = yield* SessionWords
  if (word !== "" && word !== "on" && word !== "off") return yield* Effect.fail(Answers.checksWords({}))
  if (word !== "") yield* inWords(words.say(sessionId, "nochecks", word === "off" ? word : ""))
  return Answers.checks(yield* configOf(sessionId), { isOff: yield* words.unchecked(sessionId) })
})

/** Runs the checks that may be run in the project, and shows the user how each went. */
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

/** What comes of a word of the user's, in words for them. */
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

/** Answers a command on the screen, and without asking a model: its first word, and the text behind it as it was typed. */
export const answer = Effect.fnUntraced(function* ({ arguments: given = "", sessionID }: TypedCommand) {
  const [, first = "status", text = ""] = /^(\S+)\s*(.*)$/s.exec(unquoted(given.trim())) ?? []
  const word = first.toLowerCase()
  if (word === "checks" && text.trim().toLowerCase() === "run") return yield* verify(sessionID)
  yield* shown(done(sessionID, word, unquoted(text)))
})
