/** Real sessions with labelled stops, which live next to the repository; `REFLEXION_CORPUS` names another place. */
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Url from "node:url"
import * as Zlib from "node:zlib"

/**
 * The folder of the collections, whether it is there or not.
 *
 * @category accessors
 */
export const directory =
  process.env["REFLEXION_CORPUS"] ?? Url.fileURLToPath(new URL("../../../../../shared/data", import.meta.url))

export const has = (collection: string): boolean => FS.existsSync(Path.join(directory, collection, "stops.jsonl"))

/**
 * What to say of tests that need a collection.
 *
 * @category accessors
 */
export const title = (collection: string): string =>
  has(collection) ? "with the corpus" : "skipped: no corpus at REFLEXION_CORPUS or ../shared/data"

/**
 * A stop that a reader labelled: its turn is the index of the user's message.
 *
 * @category models
 */
export interface Stop {
  readonly session: string
  readonly turn: number
  readonly userMessageAt: string
}

export const stops = (collection: string): ReadonlyArray<Stop> =>
  FS.readFileSync(Path.join(directory, collection, "stops.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

/**
 * The files of a collection's sessions.
 *
 * @category accessors
 */
export const sessions = (collection: string): ReadonlyArray<string> => {
  const folder = Path.join(directory, collection, "sessions")
  return FS.readdirSync(folder).map((name) => Path.join(folder, name))
}

/**
 * A file's bytes, unpacked where it is packed.
 *
 * @category accessors
 */
export const bytes = (file: string): Uint8Array =>
  file.endsWith(".gz") ? Zlib.gunzipSync(FS.readFileSync(file)) : FS.readFileSync(file)
