/**
 * The data that a hook saves about a session for its next run. A lock ensures that two hooks of one session never
 * decide at the same time.
 */
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
  /** Identifies the last stop that was decided. Null if there was none. */
  readonly stop: string | null
  /** The time of that stop, in ms since the epoch. */
  readonly stoppedAt: number
  /** The current series of identical tool calls. */
  readonly tool: { readonly print: string; readonly count: number } | null
  /** Identifies the configuration problem that the user last saw. Null if there was none. */
  readonly told: string | null
  /** The last reason for not running checks that the user saw. */
  readonly unrun?: string
  /** The ids of the lessons that the agent got at the start. */
  readonly lessons?: ReadonlyArray<string>
  /** The last nudge that the agent got. */
  readonly reminded?: Nudge
  /** The host's id of the agent's run that the user last interrupted. */
  readonly interrupted: string | null
  /** Data from the last stop that the end of the record may lack. */
  readonly known?: LastStop
  /** The stop that waits for the hook that runs after the turn. */
  readonly left?: string
  /** A message for the user at the next prompt. */
  readonly owed?: string
}

/** Identifies a session's file. */
export interface Key {
  readonly directories: UserDirectories
  readonly host: string
  readonly sessionId: string
  /** Identifies the program. Data about a verdict is not used if another version of the program saved the file. */
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

/**
 * The user's commands for a session. Each command has its own file, so neither a damaged state file nor a running
 * review can change it.
 */
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

/** Saves a command's value until the user changes it. Null removes it. Throws what the file system throws. */
export const say = (key: Of, word: Word, text: string | null): void => {
  const file = fileOf(key, word)
  if (text === null) FS.rmSync(file, { force: true })
  else PlainFiles.write(file, text)
}

/** True if the user stopped reflexion in this session. This is also true if the file exists but cannot be read. */
export const isStopped = (key: Of): boolean => FS.existsSync(fileOf(key, "stopped"))

/** True if the user turned the checks off in this session. */
export const isUnchecked = (key: Of): boolean => FS.existsSync(fileOf(key, "nochecks"))

/** True if the user said "here". False if the user said "away". Null if there was no such command. */
export const isAttended = (key: Of): boolean | null => {
  const said = wordOf(key, "attended")
  return said === "here" ? true : said === "away" ? false : null
}

/** Whether the user turned the model on or off in this session. Null if there was no such command. */
export const modelWordOf = (key: Of): "on" | "off" | null => {
  const said = wordOf(key, "model")
  return said === "on" || said === "off" ? said : null
}

/** The user's conditions for a finished task. Empty if there are none or they cannot be read. */
export const doneWhenOf = (key: Of): ReadonlyArray<Condition> => {
  try {
    // The content is not checked, because only reflexion writes this file, in the user's own folder.
    return JSON.parse(wordOf(key, "donewhen") ?? "[]")
  } catch {
    return []
  }
}

const header = "reflexion-session-1"

/** A session as it was loaded. */
export interface LoadedSession {
  readonly session: Session
  /** Why the saved state could not be used. Null if there was no problem. */
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
    // If the file also cannot be replaced, `save` reports the error.
    return damaged(messageOf(cause))
  }
}

/**
 * Returns the saved session, or a new one. If the user stopped reflexion, the review is off, even if the saved state is
 * damaged.
 */
export const load = (key: Key): LoadedSession => {
  const loaded = loadState(key)
  const { review } = loaded.session
  return isStopped(key) ? { ...loaded, session: { ...loaded.session, review: { ...review, enabled: false } } } : loaded
}

/**
 * Throws what the file system throws. A caller that cannot save must not nudge. Secrets were already removed from
 * quoted texts.
 */
export const save = (key: Key, session: Session): void =>
  PlainFiles.write(fileOf(key), Checksum.seal(`${header} ${key.build}`, JSON.stringify(session)))

/** Runs `work` under the session's lock. Returns null if another process holds the lock longer than `patience` ms. */
export const locked = <A>(key: Of, patience: number, work: () => A, ending = "json"): A | null => {
  try {
    return FileLock.within(`${fileOf(key, ending)}.lock`, patience, work)
  } catch (cause) {
    if (cause instanceof FileLock.Busy) return null
    throw cause
  }
}

const keptMs = 30 * 86_400_000

/** Removes files that did not change for 30 days. The user's own commands stay until the user takes them back. */
export const prune = (place: string, now: number): void => {
  if (!FS.existsSync(place)) return
  for (const name of FS.readdirSync(place)) {
    if (words.some((word) => name.endsWith(`.${word}`))) continue
    const file = Path.join(place, name)
    const found = FS.lstatSync(file, { throwIfNoEntry: false })
    if (found !== undefined && now - found.mtimeMs > keptMs) FS.rmSync(file, { force: true, recursive: true })
  }
}
