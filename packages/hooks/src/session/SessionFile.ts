/** What a hook saves about a session. With the lock, only one hook of a session decides at a time. */
import type { Condition } from "@reflexion/core/internal/session/donewhen/Conditions"
import { safeName } from "@reflexion/core/internal/base/system/FileNames"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import type { Nudge } from "@reflexion/core/internal/review/tiers/Progress"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import type { LastStop } from "./RecordTail.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

export interface Session {
  readonly review: ReviewState.ReviewState
  /** Identifies the last stop that was decided. */
  readonly stop: string | null
  /** In ms since the epoch. */
  readonly stoppedAt: number
  readonly tool: { readonly print: string; readonly count: number } | null
  /** The configuration problem that the user last saw. */
  readonly told: string | null
  /** The reason why checks did not run, as the user last saw it. */
  readonly unrun?: string
  /** The lessons that the agent got at the start. */
  readonly lessons?: ReadonlyArray<string>
  readonly reminded?: Nudge
  /** The agent's run that the user last interrupted. */
  readonly interrupted: string | null
  readonly known?: LastStop
  /** The stop that waits for the hook that runs after the turn. */
  readonly left?: string
  /** A message for the user at the next prompt. */
  readonly owed?: string
}

export interface Key {
  readonly directories: UserDirectories
  readonly host: string
  readonly sessionId: string
  /** The program's version. Another version's data about a verdict is not used. */
  readonly build: string
}

type Of = Omit<Key, "build">

const none: Session = {
  review: ReviewState.initial,
  stop: null,
  stoppedAt: 0,
  tool: null,
  told: null,
  interrupted: null
}

export const folder = (directories: UserDirectories, host: string): string =>
  Path.join(directories.state, "sessions", safeName(host))

export const fileOf = (key: Of, ending = "json"): string =>
  Path.join(folder(key.directories, key.host), `${safeName(key.sessionId)}.${ending}`)

/** The user's commands. Each command has its own file, so a damaged state file or a running review cannot change it. */
export type Word = "stopped" | "attended" | "model" | "donewhen" | "nochecks"

const words: ReadonlyArray<Word> = ["stopped", "attended", "model", "donewhen", "nochecks"]

/** Null if the file does not exist or cannot be read. */
const wordOf = (key: Of, word: Word): string | null => {
  try {
    return PlainFiles.read(fileOf(key, word))
  } catch {
    return null
  }
}

/** Null removes the command. */
export const say = (key: Of, word: Word, text: string | null): void => {
  const file = fileOf(key, word)
  if (text === null) FS.rmSync(file, { force: true })
  else PlainFiles.write(file, text)
}

/** True even if the file cannot be read. */
export const isStopped = (key: Of): boolean => FS.existsSync(fileOf(key, "stopped"))

export const isUnchecked = (key: Of): boolean => FS.existsSync(fileOf(key, "nochecks"))

/** True after "here", false after "away", null without such a command. */
export const isAttended = (key: Of): boolean | null => {
  const said = wordOf(key, "attended")
  return said === "here" ? true : said === "away" ? false : null
}

export const modelWordOf = (key: Of): "on" | "off" | null => {
  const said = wordOf(key, "model")
  return said === "on" || said === "off" ? said : null
}

/** Empty if the conditions cannot be read. */
export const doneWhenOf = (key: Of): ReadonlyArray<Condition> => {
  try {
    // Only reflexion writes this file, in the user's own folder, so its content is not checked.
    return JSON.parse(wordOf(key, "donewhen") ?? "[]")
  } catch {
    return []
  }
}

const header = "reflexion-session-1"

export interface LoadedSession {
  readonly session: Session
  readonly problem: string | null
}

const damaged = (why: string): LoadedSession => ({
  session: none,
  problem: `the saved state of the session was reset: ${why}`
})

const parse = (key: Key, text: string): LoadedSession => {
  const [head = "", body = ""] = Checksum.unseal(text) ?? []
  const [magic, build] = head.split(" ")
  if (magic !== header) return damaged("it was damaged")
  const saved: Session = JSON.parse(body)
  const { known: _, reminded: __, ...others } = saved
  const session = build === key.build ? saved : others
  return { session: { ...session, review: ReviewState.resume(saved.review) }, problem: null }
}

const loadState = (key: Key): LoadedSession => {
  try {
    const text = PlainFiles.read(fileOf(key))
    return text === null ? { session: none, problem: null } : parse(key, text)
  } catch (cause) {
    // If the file cannot be replaced either, `save` reports the error.
    return damaged(messageOf(cause))
  }
}

/** If the user stopped reflexion, the review is off, even if the saved state is damaged. */
export const load = (key: Key): LoadedSession => {
  const loaded = loadState(key)
  const { review } = loaded.session
  return isStopped(key) ? { ...loaded, session: { ...loaded.session, review: { ...review, enabled: false } } } : loaded
}

/** If the caller cannot save, it must not nudge. Secrets were removed from quoted texts before. */
export const save = (key: Key, session: Session): void =>
  PlainFiles.write(fileOf(key), Checksum.seal(`${header} ${key.build}`, JSON.stringify(session)))

/** Null if another process holds the lock longer than `patience` ms. */
export const locked = <A>(key: Of, patience: number, work: () => A, ending = "json"): A | null => {
  try {
    return FileLock.within(`${fileOf(key, ending)}.lock`, patience, work)
  } catch (cause) {
    if (cause instanceof FileLock.Busy) return null
    throw cause
  }
}

const keptMs = 30 * 86_400_000

/** Removes files that did not change for 30 days, except the user's own commands. */
export const prune = (place: string, now: number): void => {
  if (!FS.existsSync(place)) return
  for (const name of FS.readdirSync(place)) {
    if (words.some((word) => name.endsWith(`.${word}`))) continue
    const file = Path.join(place, name)
    const found = FS.lstatSync(file, { throwIfNoEntry: false })
    if (found !== undefined && now - found.mtimeMs > keptMs) FS.rmSync(file, { force: true, recursive: true })
  }
}
