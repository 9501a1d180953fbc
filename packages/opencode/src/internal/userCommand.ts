/** The command that the user types, answered on the screen and without asking a model. */
import * as Json from "@reflexion/core/Json"
import * as Effect from "effect/Effect"
import { OpenCodeClient } from "../OpenCodeClient.ts"
import * as Switching from "./switching.ts"

export interface Typed {
  readonly command: string
  readonly sessionID: string
  readonly arguments?: string
}

const name = "reflection"

const definition = {
  description: "reflexion in this session: stop, start or status",
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
  command === name && (answers || Switching.isWord(given.trim().toLowerCase()))

const usage = "reflexion knows `/reflection stop`, `/reflection start` and `/reflection status`."

export const answer = Effect.fnUntraced(function* ({ arguments: given = "", sessionID }: Typed) {
  const [word = "status"] = given
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((one) => one !== "")
  if (Switching.isWord(word)) return yield* Effect.asVoid(Switching.perform(sessionID, word, "user"))
  const client = yield* OpenCodeClient
  yield* client.toast({ message: usage, variant: "warning" })
})

/** The only way to end a command before it becomes a prompt; the text is for the host's log. */
export class Answered extends Error {
  override readonly name = "ReflexionAnswered"
  constructor() {
    super("reflexion answered this command on the screen; no model was asked")
  }
}
