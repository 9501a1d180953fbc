/**
 * The files in which OpenCode kept sessions before it had a database: one for a session, one for each of its messages,
 * one for each of their parts.
 */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Json from "@reflexion/core/internal/base/json/Json"
import * as JsonLines from "@reflexion/core/internal/base/json/JsonLines"
import * as RecordFiles from "@reflexion/core/internal/session/transcript/RecordFiles"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

const maxMessages = 20_000

/**
 * A session's file of the old storage in the form of an export, none for any other file.
 *
 * @category accessors
 */
export const read = Effect.fn("OpenCodeStorage.read")(function* (
  file: string
): Effect.fn.Return<Option.Option<Json.Json>, PlatformError, FileSystem.FileSystem | Path.Path> {
  const storage = yield* storageOf(file)
  if (storage === null) return Option.none()
  const info = yield* value(file)
  const id = Json.string(info["id"])
  if (id === null) return Option.none()
  const infos = yield* messages(storage, id)
  if (infos.length === 0) return Option.none()
  const parts = yield* partsIn(storage)
  const all = yield* Effect.forEach(infos, (message) =>
    Effect.map(parts(message), (own) => ({ info: message, parts: own }))
  )
  return Option.some({ info, messages: all })
})

/** The folder of the old storage that a session's file is in: `session/<project>/<session>.json` below it. */
const storageOf = Effect.fnUntraced(function* (file: string) {
  const path = yield* Path.Path
  const sessions = path.dirname(path.dirname(path.resolve(file)))
  const isSession = /^ses_[\w-]{1,200}\.json$/.test(path.basename(file)) && path.basename(sessions) === "session"
  return isSession ? path.dirname(sessions) : null
})

const value = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return Json.object(JsonLines.first(yield* fs.readFileString(file)))
})

const valuesIn = Effect.fnUntraced(function* (folder: string) {
  const path = yield* Path.Path
  const names = (yield* RecordFiles.list(folder)).filter((name) => name.endsWith(".json")).toSorted()
  return yield* Effect.forEach(names.slice(0, maxMessages), (name) => value(path.join(folder, name)), {
    concurrency: 16
  })
})

const created = (info: Json.Json): number => Json.number(Json.object(info["time"])["created"]) ?? 0

const isName = (id: string): boolean => /^[\w-]{1,200}$/.test(id)

const messages = Effect.fnUntraced(function* (storage: string, id: string) {
  if (!isName(id)) return []
  const path = yield* Path.Path
  const found = yield* valuesIn(path.join(storage, "message", id))
  return found.toSorted((left, right) => created(left) - created(right))
})

/** Where a message's parts have no folder of their own, they lie beside those of all others. */
const partsIn = Effect.fnUntraced(function* (storage: string) {
  const path = yield* Path.Path
  const beside = yield* valuesIn(path.join(storage, "part"))
  return (message: Json.Json) => {
    const id = Json.text(message["id"])
    const own = isName(id) ? valuesIn(path.join(storage, "part", id)) : Effect.succeed([])
    return Effect.map(own, (parts) => (parts.length > 0 ? parts : beside.filter((part) => part["messageID"] === id)))
  }
})
