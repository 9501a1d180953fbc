/** Labelled stops of real sessions, which lie outside the repository. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import * as Zlib from "node:zlib"

/** One line of a `stops.jsonl`. A turn that a nudge sent on has several stops: `stoppedAt`, the last event's, says which. */
export interface Stop {
  readonly session: string
  readonly turn: number
  readonly userMessageAt: string
  readonly stoppedAt?: string
  readonly sample: string
  readonly kinds: ReadonlyArray<string>
  /** Whether sending the agent on would have been right; null where the readers differ. */
  readonly push: boolean | null
  readonly why: ReadonlyArray<string>
}

const repository = fileURLToPath(new URL("../../../", import.meta.url))

/** Where the corpus is: `REFLEXION_CORPUS`, else next to the repository; null where there is none. */
export const directory = (): string | null => {
  const candidate = process.env["REFLEXION_CORPUS"] ?? Path.join(repository, "../shared/data")
  return Fs.existsSync(candidate) ? candidate : null
}

const ending = /\.jsonl?(?:\.gz)?$/u

/** The session files of a folder by session id: lines of a host, or the one document that `opencode export` prints. */
export const sessionFiles = (folder: string): ReadonlyMap<string, string> => {
  const sessions = Path.join(folder, "sessions")
  if (!Fs.existsSync(sessions)) return new Map()
  const files = Fs.readdirSync(sessions).filter((name) => ending.test(name))
  return new Map(files.toSorted().map((name) => [name.replace(ending, ""), Path.join(sessions, name)]))
}

/** The bytes of a file, unpacked where it is packed. */
export const bytes = (file: string): Uint8Array => {
  const raw = Fs.readFileSync(file)
  return file.endsWith(".gz") ? Zlib.gunzipSync(raw) : raw
}

const stopsFile = (folder: string): string => Path.join(folder, "stops.jsonl")

/** The folders of labelled stops in a folder, or that folder itself. */
export const foldersOf = (data: string): ReadonlyArray<string> =>
  [data, ...Fs.readdirSync(data).map((name) => Path.join(data, name))]
    .filter((folder) => Fs.existsSync(stopsFile(folder)))
    .toSorted()

/** The labels of a folder. */
export const stops = (folder: string): ReadonlyArray<Stop> =>
  Fs.readFileSync(stopsFile(folder), "utf8")
    .split("\n")
    .flatMap((line, index) => {
      if (line.trim() === "") return []
      try {
        const stop: Stop = JSON.parse(line)
        return [stop]
      } catch (error) {
        throw new Error(`${stopsFile(folder)}, line ${index + 1} is no JSON: ${String(error)}`, { cause: error })
      }
    })
