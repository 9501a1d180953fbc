/** A folder for as long as a scope lasts; what a killed process left of one is cleared away by the next. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { refuseLink } from "../../ground/system/PlainFiles.ts"
import * as Lock from "./lock.ts"

const prefix = "reflexion-copy-"
const noted = ".folder"

/** Whose holder lives keeps its lock. */
const patience = "300 millis"

const remove = Effect.fnUntraced(function* (note: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (!(yield* Lock.acquire(`${note}.lock`, patience))) return
  const folder = (yield* fs.readFileString(note)).trim()
  if (path.isAbsolute(folder) && path.basename(folder).startsWith(prefix)) {
    yield* refuseLink(folder)
    yield* fs.remove(folder, { recursive: true, force: true })
  }
  yield* fs.remove(note, { force: true })
}, Effect.scoped)

const sweep = Effect.fnUntraced(function* (notes: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const left = (yield* fs.readDirectory(notes)).filter((name) => name.endsWith(noted)).slice(0, 20)
  yield* Effect.forEach(left, (name) => Effect.ignore(remove(path.join(notes, name))), { discard: true })
})

/** `notes`: a folder of the user's own state, in which it is noted until it is gone. */
export const passingFolder = Effect.fnUntraced(function* (notes: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  yield* fs.makeDirectory(notes, { recursive: true, mode: 0o700 })
  yield* Effect.ignore(sweep(notes))
  const id = (yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)).toString(36)
  const note = path.join(notes, `${id}${noted}`)
  yield* Lock.acquire(`${note}.lock`, patience)
  const folder = yield* fs.makeTempDirectoryScoped({ prefix })
  yield* Effect.acquireRelease(fs.writeFileString(note, folder, { mode: 0o600 }), () =>
    Effect.ignore(fs.remove(note, { force: true }))
  )
  return yield* fs.realPath(folder)
})
