/** What a session's user says to reflexion with a command, or the agent for them with a tool, and what is answered. */
import type { AgentHost } from "@reflexion/core/AgentHost"
import { AskLog } from "@reflexion/core/AskLog"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as DoneWhen from "@reflexion/core/internal/session/donewhen/DoneWhen"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as Answers from "@reflexion/core/internal/review/records/Answers"
import * as Notice from "@reflexion/core/internal/review/records/Notice"
import type { DecisionLog } from "@reflexion/core/DecisionLog"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import { ReviewStates } from "@reflexion/core/ReviewStates"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Verifying from "./verifying.ts"
import * as Mark from "../decoder/Mark.ts"
import { unquoted } from "../decoder/User.ts"
import * as Guidance from "../host/Guidance.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { EventInbox } from "../host/OpenCodeHost.ts"
import { SessionWords } from "../host/SessionWords.ts"
import { AskingModel, never } from "../models/AskingModel.ts"
import * as Decided from "./decided.ts"
import { CurrentProblem } from "./problem.ts"
import { WrongPush } from "./wrongPush.ts"

/** What was typed, as the host tells of it. */
export interface Typed {
  readonly command: string
  readonly sessionID: string
  readonly arguments?: string
}

const name = "reflection"

const definition = {
  description:
    "reflexion in this session: stop, start, status, model on|off, away, here, wrong, verify, done-when CONDITIONS, set TEXT, clear",
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
export const isOurs = ({ arguments: given = "", command }: Typed, answers: boolean): boolean =>
  command === name &&
  (answers || /^(?:stop|start|status|away|here|wrong|verify|(?:done-when|model)\b.*)$/is.test(given.trim()))

/** Marks what another command is made into: its file may be a project's, and none of it is what the user said. */
export const mark = ({ arguments: given = "", command }: Typed, parts: Array<unknown>): void => {
  const typed = Mark.command({ name: command, arguments: given })
  for (const [index, part] of parts.entries()) {
    if (Json.isObject(part) && part["type"] === "text")
      parts[index] = { ...part, metadata: { ...Json.object(part["metadata"]), ...typed } }
  }
}

/** The only way to end a command before it becomes a prompt; the text is for the host's log. */
export class Answered extends Error {
  override readonly name = "ReflexionAnswered"
  constructor() {
    super("reflexion answered this command on the screen; no model was asked")
  }
}

export const isChild = Effect.fnUntraced(function* (sessionId: string) {
  const client = yield* OpenCodeClient
  const session = yield* Effect.orElseSucceed(client.session(sessionId), () => ({}) as Json.Json)
  return typeof session["parentID"] === "string"
})

/** Agents of an agent's are not reviewed, and turning one off would turn nothing off for the user. */
export const notOfChild =
  "reflexion does not review a session that another one started, so there is nothing to turn off or on here: say it in the user's own session."

export type Word = "stop" | "start" | "status"

export const isWord = (word: string): word is Word => word === "stop" || word === "start" || word === "status"

const failures: Readonly<Record<Word, string>> = {
  stop: "reflexion could not be turned off for good, for that cannot be written down: `reflexion doctor opencode` says why.",
  start: "reflexion could not be turned on, for that cannot be written down: `reflexion doctor opencode` says why.",
  status: "reflexion cannot read how it stands in this session: `reflexion doctor opencode` says why."
}

/** Written down here where no program reviews by the host's events: on the command line, and under a broken configuration. */
const logged = Effect.fnUntraced(function* (sessionId: string, decision: "stop" | "start", by: "user" | "agent") {
  const [{ waits }, problem] = yield* Effect.all([Verifying.Verifying, CurrentProblem])
  if (waits || problem !== null) yield* Decided.write(sessionId, { event: "command", decision, reason: `by the ${by}` })
})

/** Off where that cannot be written down as well, as long as the process lasts; on only where it can. */
const keep = Effect.fnUntraced(function* (sessionId: string, word: "stop" | "start", by: "user" | "agent") {
  const [states, { tell }] = yield* Effect.all([ReviewStates, EventInbox])
  const at = yield* Clock.currentTimeMillis
  const told = Effect.sync(() =>
    tell({ sessionId, name: "command", event: { _tag: "Command", command: word, by, at } })
  )
  if (word === "stop") yield* told
  yield* Effect.mapError(states.setStopped(sessionId, word === "stop"), () => failures[word])
  if (word === "start") yield* told
  yield* logged(sessionId, word, by)
})

/** Does what the word says, and tells how reflexion stands then, and how the model does. */
export const perform = Effect.fnUntraced(function* (sessionId: string, word: Word, by: "user" | "agent") {
  if (word !== "status") yield* keep(sessionId, word, by)
  const [states, config, problem, asking] = yield* Effect.all([
    ReviewStates,
    CurrentConfig,
    CurrentProblem,
    AskingModel
  ])
  const loaded = yield* Effect.mapError(states.load(sessionId), () => failures.status)
  const state = loaded ?? ReviewState.initial
  const words = Answers.standing(state, { config, problem })
  const model = state.enabled ? yield* asking.standing(sessionId) : ""
  return model === "" ? words : `${words} ${model}`
})

/** Keeps whether the user is there. */
const present = Effect.fnUntraced(function* (sessionId: string, word: "away" | "here") {
  const [words, { attended }] = yield* Effect.all([SessionWords, CurrentConfig])
  yield* Effect.mapError(words.say(sessionId, "attended", word), ({ message }) => message)
  return Answers.presence(word === "here", { setting: attended })
})

/** Keeps when the user calls the task done; what cannot be understood takes nothing back. */
const conditioned = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const words = yield* SessionWords
  const text = given.trim().slice(0, Answers.maxConditions)
  const message = Answers.conditions(text, {})
  if (text !== "" && DoneWhen.parse(text).length === 0) return yield* Effect.fail(message)
  yield* Effect.mapError(words.say(sessionId, "donewhen", text), (error) => error.message)
  return message
})

/**
 * Who never asks one is not turned off, and not turned on either: the configuration was read when the plugin began. To turn it
 * on is newer than what nobody answered.
 */
const allow = Effect.fnUntraced(function* (sessionId: string, word: "on" | "off") {
  const [words, log, { model }] = yield* Effect.all([SessionWords, AskLog, CurrentConfig])
  if (model === "off") return yield* Effect.fail(never)
  yield* Effect.mapError(words.say(sessionId, "model", word), ({ message }) => message)
  if (word === "off") return
  const at = DateTime.formatIso(yield* DateTime.now)
  yield* Effect.mapError(log.again({ at, host: "opencode", session: sessionId }), ({ message }) => message)
})

/** Whether a model is asked in the session, as the user says and as they are told. */
export const model = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const word = given.trim().toLowerCase()
  if (word !== "" && word !== "on" && word !== "off")
    return yield* Effect.fail(
      "reflexion knows `/reflection model`, `/reflection model on` and `/reflection model off`."
    )
  const problem = yield* CurrentProblem
  if (problem !== null) return yield* Effect.fail(Notice.problem(problem))
  if (word !== "") yield* allow(sessionId, word)
  return yield* Effect.flatMap(AskingModel, ({ told }) => told(sessionId))
})

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const wrong = Effect.fnUntraced(function* (sessionId: string) {
  const marks = yield* WrongPush
  return yield* Effect.try({
    try: () => marks.mark(sessionId).text,
    catch: (cause) => `reflexion could not mark the push: ${reasonOf(cause)}`
  })
})

const usage =
  "reflexion knows `/reflection` with stop, start, status, model, model on, model off, away, here, wrong, verify, done-when CONDITIONS, set TEXT and clear."

type Needs = AgentHost | DecisionLog | EventInbox | Guidance.Guidance | OpenCodeClient | ReviewStates | CurrentConfig

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
    case "done-when":
      return ofUser(conditioned(sessionId, text))
    case "wrong":
      return wrong(sessionId)
    case "set":
      return Effect.mapError(Guidance.set(sessionId, text), ({ message, reason }) =>
        reason === "empty" ? usage : message
      )
    case "clear":
      return Effect.mapError(Guidance.clear(sessionId), ({ message }) => message)
    default:
      return Effect.fail(usage)
  }
}

/** The first word, and the text behind it as it was typed. */
const read = (given: string): { readonly word: string; readonly text: string } => {
  const [, word = "status", text = ""] = /^(\S+)\s*(.*)$/s.exec(unquoted(given.trim())) ?? []
  return { word: word.toLowerCase(), text: unquoted(text) }
}

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

/** Answers a command on the screen, and without asking a model. */
export const answer = Effect.fnUntraced(function* ({ arguments: given = "", sessionID }: Typed) {
  const { text, word } = read(given)
  if (word === "verify") return yield* Verifying.perform(sessionID)
  if (word === "stop") yield* Verifying.end(sessionID)
  yield* shown(done(sessionID, word, text))
})
