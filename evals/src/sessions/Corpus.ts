/** Labelled stops of real sessions, which lie outside the repository. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import * as Zlib from "node:zlib"
import type { Row } from "../measure/Metrics.ts"

/** One line of a `stops.jsonl`. A turn that a push sent on has several stops: `stoppedAt`, the last event's, says which. */
export interface Stop {
  readonly session: string
  readonly turn: number
  readonly userMessageAt: string
  readonly stoppedAt?: string
  readonly sample: string
  readonly kinds: ReadonlyArray<string>
  readonly push: boolean | null
  readonly why: ReadonlyArray<string>
}

/** A labelled stop with the verdict on it and what a reader needs to understand both. */
export interface JudgedStop extends Row {
  /** Whether it would be pushed if every rule went as far as it ever may. */
  readonly atUtmost: boolean
  readonly status: string
  readonly pattern: string | null
  readonly reason: string
  readonly why: ReadonlyArray<string>
  readonly finalText: string
  readonly repeatedCalls: number
  readonly modelCalls: number
  readonly tokens: number
}

/** The suites of labelled stops that are recorded and have floors: folders of the corpus. */
export const names = ["claude-code", "claude-code-more", "codex"] as const

/** Your own labels, as a report gives them, with the sessions of any host. No floor and no record is of them. */
export const own = "report"

const repository = fileURLToPath(new URL("../../../", import.meta.url))

/** Where the corpus is: `REFLEXION_CORPUS`, else beside the repository; null where there is none. */
export const directory = (): string | null => {
  const candidate = process.env["REFLEXION_CORPUS"] ?? Path.join(repository, "../shared/data")
  return Fs.existsSync(candidate) ? candidate : null
}

export const skipped =
  "skipped: no corpus, or not all of it. It is looked for in ../shared/data beside the repository, or where REFLEXION_CORPUS points."

const ending = /\.jsonl?(?:\.gz)?$/u

/** The session files of a suite, by session id: lines of a host, or the one document that `opencode export` prints. */
export const sessionFiles = (suite: string): ReadonlyMap<string, string> => {
  const folder = Path.join(suite, "sessions")
  if (!Fs.existsSync(folder)) return new Map()
  const files = Fs.readdirSync(folder).filter((name) => ending.test(name))
  return new Map(files.map((name) => [name.replace(ending, ""), Path.join(folder, name)]))
}

/** The bytes of a file, unpacked where it is packed. */
export const bytes = (file: string): Uint8Array => {
  const raw = Fs.readFileSync(file)
  return file.endsWith(".gz") ? Zlib.gunzipSync(raw) : raw
}

/** Whether the corpus has labelled stops in this folder. */
export const hasStops = (suite: string): boolean => Fs.existsSync(Path.join(suite, "stops.jsonl"))

/** The folders of labelled stops that the corpus has. */
export const present = (root: string): ReadonlyArray<(typeof names)[number]> =>
  names.filter((name) => hasStops(Path.join(root, name)))

/** The labels of a suite, none where it is absent. */
export const stops = (suite: string): ReadonlyArray<Stop> =>
  hasStops(suite)
    ? Fs.readFileSync(Path.join(suite, "stops.jsonl"), "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => {
          const stop: Stop = JSON.parse(line)
          return stop
        })
    : []

/** How many labels the recorded suites have. */
export const labels = (root: string): number =>
  present(root).reduce((sum, name) => sum + stops(Path.join(root, name)).length, 0)

/** What is to be said of labels that were looked for and not found; nothing where there are none. */
export const notFound = (what: string, found: number, wanted: number): ReadonlyArray<string> =>
  found === wanted ? [] : [`${what}: ${wanted - found} of ${wanted} labelled stops are in no session`]
