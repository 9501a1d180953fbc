/** `/reflection model`: whether a model is asked in a session, as the user says and as they are told. */
import * as Notice from "@reflexion/core/internal/turn/records/Notice"
import { CurrentConfig } from "@reflexion/core/ReflexionConfig"
import { AskLog } from "@reflexion/core/AskLog"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as ModelWord from "../host/ModelWord.ts"
import { OpenCodeClient } from "../host/OpenCodeClient.ts"
import { AskingModel, never } from "../models/AskingModel.ts"
import { CurrentProblem } from "./problem.ts"
import { childs, isChild } from "./switching.ts"

const usage = "reflexion knows `/reflection model`, `/reflection model on` and `/reflection model off`."

/**
 * Who never asks one is not turned off, and not turned on either: the configuration was read when the plugin began. To turn it
 * on is newer than what nobody answered.
 */
const say = Effect.fnUntraced(function* (sessionId: string, word: ModelWord.Word) {
  const { model } = yield* CurrentConfig
  if (model === "off") return yield* Effect.fail(never)
  const words = yield* ModelWord.ModelWord
  yield* Effect.mapError(words.say(sessionId, word), ({ message }) => message)
  if (word === "off") return
  const log = yield* AskLog
  const at = DateTime.formatIso(yield* DateTime.now)
  yield* Effect.mapError(log.again({ at, host: "opencode", session: sessionId }), ({ message }) => message)
})

/** Does what the word says, and tells how it stands then; the error is for the user as well. */
export const perform = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const word = given.trim().toLowerCase()
  if (yield* isChild(sessionId)) return yield* Effect.fail(childs)
  if (word !== "" && !ModelWord.isWord(word)) return yield* Effect.fail(usage)
  const problem = yield* CurrentProblem
  if (problem !== null) return yield* Effect.fail(Notice.problem(problem))
  if (word !== "") yield* say(sessionId, word)
  const { told } = yield* AskingModel
  return yield* told(sessionId)
})

/** On the screen. */
export const show = Effect.fnUntraced(function* (sessionId: string, given: string) {
  const client = yield* OpenCodeClient
  const toast = yield* Effect.match(perform(sessionId, given), {
    onFailure: (message) => ({ message, variant: "warning" as const }),
    onSuccess: (message) => ({ message, variant: "info" as const })
  })
  yield* Effect.ignore(client.toast(toast))
})
