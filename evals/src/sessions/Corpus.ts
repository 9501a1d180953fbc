/** Reads labelled stops of real sessions. These are outside the repository. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import * as Zlib from "node:zlib"

/** A line of `stops.jsonl`. A turn with nudges has several stops. `stoppedAt` is the time of the stop's last event. */
export interface Stop {
  readonly session: string
  readonly turn: number
  readonly userMessageAt: string
  readonly stoppedAt?: string
  readonly sample: string
  readonly kinds: ReadonlyArray<string>
  /** True if a nudge would have been right. Null if the readers disagree. */
  readonly push: boolean | null
  readonly why: ReadonlyArray<string>
}

const repository = fileURLToPath(new URL("../../../", import.meta.url))

/** `REFLEXION_CORPUS`, or a folder next to the repository. Null if it does not exist. */
export const directory = (): string | null => {
  const candidate = process.env["REFLEXION_CORPUS"] ?? Path.join(repository, "../shared/data")
  return Fs.existsSync(candidate) ? candidate : null
}

const ending = /\.jsonl?(?:\.gz)?$/u

/** The files by session id: lines of a host, or the document that `opencode export` prints. */
export const sessionFiles = (folder: string): ReadonlyMap<string, string> => {
  const sessions = Path.join(folder, "sessions")
  if (!Fs.existsSync(sessions)) return new Map()
  const files = Fs.readdirSync(sessions).filter((name) => ending.test(name))
  return new Map(files.toSorted().map((name) => [name.replace(ending, ""), Path.join(sessions, name)]))
}

export const bytes = (file: string): Uint8Array => {
  const raw = Fs.readFileSync(file)
  return file.endsWith(".gz") ? Zlib.gunzipSync(raw) : raw
}

const stopsFile = (folder: string): string => Path.join(folder, "stops.jsonl")

/** The folders with labelled stops: this folder and the folders directly in it. */
export const foldersOf = (data: string): ReadonlyArray<string> =>
  [data, ...Fs.readdirSync(data).map((name) => Path.join(data, name))]
    .filter((folder) => Fs.existsSync(stopsFile(folder)))
    .toSorted()

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
