/** What a hook keeps of a session between two runs, and a lock so that two hooks of one session never decide at once. */
import type { Condition } from "@reflexion/core/internal/session/donewhen/Conditions"
import { safeName } from "@reflexion/core/internal/base/system/FileNames"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import { messageOf } from "@reflexion/core/internal/base/text/Text"
import type { Reminder } from "@reflexion/core/internal/review/tiers/Progress"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import type { LastStop } from "./RecordTail.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

export interface Session {
  readonly review: ReviewState.ReviewState
  /** Identifies the stop that was decided last. */
  readonly stop: string | null
  /** When it was, in ms since the epoch. */
  readonly stoppedAt: number
  /** The row of identical tool calls that runs at present. */
  readonly tool: { readonly print: string; readonly count: number } | null
  /** The problem of the configuration that the user was told of. */
  readonly told: string | null
  /** Why no check is run, if the user was told. */
  readonly unrun?: string
  /** What the agent was told of earlier sessions, by ids. */
  readonly lessons?: ReadonlyArray<string>
  /** The reminder that the agent was given last. */
  readonly reminded?: Reminder
  /** The run of the agent that the user interrupted last, as the host names it. */
  readonly interrupted: string | null
  /** What the record's end may not have. */
  readonly known?: LastStop
  /** The stop that is left to the hook that goes on after the turn. */
  readonly left?: string
  /** What the user is to be told at the next prompt. */
  readonly owed?: string
}

/** Which session's file. `build` identifies the program: what another program kept of a verdict is of no use. */
export interface Key {
  readonly directories: UserDirectories
  readonly host: string
  readonly sessionId: string
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

/** The user's words about a session: each a file of its own, for it outlasts a damaged state and a review under way. */
export type Word = "stopped" | "attended" | "model" | "donewhen" | "nochecks"

const words: ReadonlyArray<Word> = ["stopped", "attended", "model", "donewhen", "nochecks"]

/** Null for nothing, and for what cannot be read. */
const wordOf = (key: Of, word: Word): string | null => {
  try {
    return PlainFiles.read(fileOf(key, word))
  } catch {
    return null
  }
}

/** Keeps a word until the user says otherwise; null takes it back. Throws what the file system throws. */
export const say = (key: Of, word: Word, text: string | null): void => {
  const file = fileOf(key, word)
  if (text === null) FS.rmSync(file, { force: true })
  else PlainFiles.write(file, text)
}

/** Whether the user stopped reflexion in this session: what cannot be read is their word, too. */
export const isStopped = (key: Of): boolean => FS.existsSync(fileOf(key, "stopped"))

/** Whether the user turned the checks off in this session. */
export const isUnchecked = (key: Of): boolean => FS.existsSync(fileOf(key, "nochecks"))

/** Whether the user has said that they are there ("here"), or that nobody is ("away"). */
export const isAttended = (key: Of): boolean | null => {
  const said = wordOf(key, "attended")
  return said === "here" ? true : said === "away" ? false : null
}

/** Whether the user turned the questions to a model on or off in this session. */
export const modelWordOf = (key: Of): "on" | "off" | null => {
  const said = wordOf(key, "model")
  return said === "on" || said === "off" ? said : null
}

/** When the user calls the task done, as it was understood. */
export const doneWhenOf = (key: Of): ReadonlyArray<Condition> => {
  try {
    // Only we write it, in a folder of the user's own.
    return JSON.parse(wordOf(key, "donewhen") ?? "[]")
  } catch {
    return []
  }
}

const header = "reflexion-session-1"

/** A session as it was found. `problem` says that what was saved could not be used. */
export interface LoadedSession {
  readonly session: Session
  readonly problem: string | null
}

const damaged = (why: string): LoadedSession => ({ session: none, problem: `the saved state was begun again: ${why}` })

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
    // What cannot be replaced either will say so when it is saved.
    return damaged(messageOf(cause))
  }
}

/** The saved session, else a fresh one. It is off if the user said so, whatever became of the rest. */
export const load = (key: Key): LoadedSession => {
  const loaded = loadState(key)
  const { review } = loaded.session
  return isStopped(key) ? { ...loaded, session: { ...loaded.session, review: { ...review, enabled: false } } } : loaded
}

/** Throws what the file system throws: who cannot save must not nudge. What quotes somebody has lost its secrets before. */
export const save = (key: Key, session: Session): void =>
  PlainFiles.write(fileOf(key), Checksum.seal(`${header} ${key.build}`, JSON.stringify(session)))

/** What is done while no other process has the lock; null where one has it for longer than `patience`, in ms. */
export const locked = <A>(key: Of, patience: number, work: () => A, ending = "json"): A | null => {
  try {
    return FileLock.within(`${fileOf(key, ending)}.lock`, patience, work)
  } catch (cause) {
    if (cause instanceof FileLock.Busy) return null
    throw cause
  }
}

const keptMs = 30 * 86_400_000

/** Removes files that nobody touched for 30 days, save the user's words: these hold until they are taken back. */
export const prune = (place: string, now: number): void => {
  if (!FS.existsSync(place)) return
  for (const name of FS.readdirSync(place)) {
    if (words.some((word) => name.endsWith(`.${word}`))) continue
    const file = Path.join(place, name)
    const found = FS.lstatSync(file, { throwIfNoEntry: false })
    if (found !== undefined && now - found.mtimeMs > keptMs) FS.rmSync(file, { force: true, recursive: true })
  }
}
