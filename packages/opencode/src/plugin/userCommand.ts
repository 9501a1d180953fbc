/** The command that the user types, answered on the screen and without asking a model. */
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as Effect from "effect/Effect"
import * as Verifying from "../checks/Verifying.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import * as Keeping from "../guidance/Keeping.ts"
import { isWord as isPresence } from "../host/Presence.ts"
import * as ModelSwitch from "./modelSwitch.ts"
import * as Switching from "./switching.ts"
import * as Mark from "../decoder/Mark.ts"
import { unquoted } from "../decoder/User.ts"
import * as WrongPush from "./wrongPush.ts"

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
  command === name && (answers || isOwnWord(given.trim().toLowerCase()))

const isOwnWord = (word: string): boolean =>
  Switching.isWord(word) ||
  isPresence(word) ||
  word === "wrong" ||
  word === "verify" ||
  /^(?:done-when|model)\b/.test(word)

/** Marks what another command is made into: its file may be a project's, and none of it is what the user said. */
export const mark = ({ arguments: given = "", command }: Typed, parts: Array<unknown>): void => {
  const typed = Mark.command({ name: command, arguments: given })
  for (const [index, part] of parts.entries()) {
    if (Json.isObject(part) && part["type"] === "text")
      parts[index] = { ...part, metadata: { ...Json.object(part["metadata"]), ...typed } }
  }
}

const usage =
  "reflexion knows `/reflection` with stop, start, status, model, model on, model off, away, here, wrong, verify, done-when CONDITIONS, set TEXT and clear."

/** The first word, and the text behind it as it was typed. */
const read = (given: string): { readonly word: string; readonly text: string } => {
  const [, word = "status", text = ""] = /^(\S+)\s*(.*)$/s.exec(unquoted(given.trim())) ?? []
  return { word: word.toLowerCase(), text: unquoted(text) }
}

/** What the user is told of the guidance, as its tool tells the agent. */
const kept = (sessionId: string, change: "set" | "clear", text: string) =>
  (change === "set" ? Keeping.set(sessionId, text) : Keeping.clear(sessionId)).pipe(
    Effect.map((message) => ({ message, variant: "info" as const })),
    Effect.catchAll(({ message, reason }) =>
      Effect.succeed({ message: reason === "empty" ? usage : message, variant: "warning" as const })
    )
  )

export const answer = Effect.fnUntraced(function* ({ arguments: given = "", sessionID }: Typed) {
  const { text, word } = read(given)
  if (word === "stop") yield* Verifying.end(sessionID)
  if (Switching.isWord(word)) return yield* Effect.asVoid(Switching.perform(sessionID, word, "user"))
  if (isPresence(word)) return yield* Effect.asVoid(Switching.tell(sessionID, word))
  if (word === "wrong") return yield* WrongPush.perform(sessionID)
  if (word === "verify") return yield* Verifying.perform(sessionID)
  if (word === "model") return yield* Effect.asVoid(ModelSwitch.show(sessionID, text))
  if (word === "done-when") return yield* Effect.asVoid(Switching.tellConditions(sessionID, text))
  const client = yield* OpenCodeClient
  const isGuidance = word === "set" || word === "clear"
  const toast = isGuidance ? yield* kept(sessionID, word, text) : { message: usage, variant: "warning" as const }
  yield* client.toast(toast)
})

/** The only way to end a command before it becomes a prompt; the text is for the host's log. */
export class Answered extends Error {
  override readonly name = "ReflexionAnswered"
  constructor() {
    super("reflexion answered this command on the screen; no model was asked")
  }
}
