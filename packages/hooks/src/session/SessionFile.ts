/**
 * What a hook keeps of a session between two of its runs: one file per host and session in the user's state directory,
 * under a checksum, and a lock so that two hooks of one session never decide at once.
 */
import type { Condition } from "@reflexion/core/internal/session/donewhen/Conditions"
import { safeName } from "@reflexion/core/internal/base/system/FileNames"
import type { Reminder } from "@reflexion/core/internal/review/tiers/Progress"
import * as ReviewState from "@reflexion/core/internal/review/machine/ReviewState"
import * as FS from "node:fs"
import * as Path from "node:path"
import * as Checksum from "../places/Checksum.ts"
import * as FileLock from "@reflexion/core/internal/base/system/FileLock"
import * as PlainFiles from "@reflexion/core/internal/base/system/PlainFiles"
import type { Known } from "./RecordTail.ts"
import type { UserDirectories } from "../places/UserDirectories.ts"

/**
 * `stop` identifies the stop that was decided last, `stoppedAt` says when, in ms since the epoch; `tool` is the row of identical tool calls that runs at present;
 * `told` the configuration problem that the user was told of, `unrun` why no check is run, if they were told; `interrupted`
 * the run of the agent that the user interrupted last, as the host names it; `taught`: the agent was told of earlier sessions,
 * with `lessons`, by their ids; `reminded`: the reminder that it was given last; `known`: what the record's end may not have.
 *
 * @category models
 */
export interface Session {
  readonly review: ReviewState.ReviewState
  readonly stop: string | null
  readonly stoppedAt: number
  readonly tool: { readonly print: string; readonly count: number } | null
  readonly told: string | null
  readonly unrun?: string
  readonly taught?: boolean
  readonly lessons?: ReadonlyArray<string>
  readonly reminded?: Reminder
  readonly interrupted: string | null
  readonly known?: Known
  /** The stop that is left to the hook that goes on after the turn. */
  readonly left?: string
  /** What the user is to be told at the next prompt. */
  readonly owed?: string
}

/**
 * Which session's file. `build` identifies the program: what another program kept of a verdict is of no use.
 *
 * @category models
 */
export interface Key {
  readonly directories: UserDirectories
  readonly host: string
  readonly sessionId: string
  readonly build: string
}

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

/**
 * The file of a session, or one beside it of another ending, which goes with it.
 *
 * @category accessors
 */
export const fileOf = (key: Omit<Key, "build">, ending = "json"): string =>
  Path.join(folder(key.directories, key.host), `${safeName(key.sessionId)}.${ending}`)

const header = "reflexion-session-1"

/**
 * A session as it was found. `problem` says that what was saved could not be used; `seen` identifies what lay there.
 *
 * @category models
 */
export interface Loaded {
  readonly session: Session
  readonly problem: string | null
  readonly seen: string
}

const damaged = (why: string, seen: string): Loaded => ({
  session: none,
  problem: `the saved state was begun again: ${why}`,
  seen
})

/** What lies there: its head, which has the checksum of the rest. */
const seenIn = (text: string | null): string => (text === null ? "" : text.slice(0, text.indexOf("\n") + 1))

const parse = (key: Key, text: string): Loaded => {
  const seen = seenIn(text)
  const [magic, build, sum] = seen.trimEnd().split(" ")
  const body = text.slice(seen.length)
  if (magic !== header || sum !== Checksum.ofText(body)) return damaged("it was damaged", seen)
  // The checksum vouches for the shape: only `save` writes it.
  const saved: Session & { readonly fold?: unknown } = JSON.parse(body)
  // Versions before this one kept what they had read of the record.
  const { fold: _, known, reminded, ...rest } = saved
  const own = { ...(reminded !== undefined && { reminded }), ...(known !== undefined && { known }) }
  const session = { ...rest, review: ReviewState.resume(saved.review), ...(build === key.build && own) }
  return { session, problem: null, seen }
}

/** Nothing but a folder in a file's place keeps it from being written or taken away for ever. */
const put = (file: string, text: string): void => {
  PlainFiles.moveFolder(file)
  PlainFiles.write(file, text)
}

const takeAway = (file: string): void => {
  if (!PlainFiles.moveFolder(file)) FS.rmSync(file, { force: true })
}

/**
 * How the files end that keep the user's word about a session: to stop, whether they are there, whether a model is asked, and
 * when the task is done. Each is a file of its own, for it outlasts a state that is damaged and a review that is under way.
 *
 * @category words
 */
export const endings = { stopped: "stopped", attended: "attended", model: "model", doneWhen: "donewhen" } as const

/** What is kept under an ending, null for nothing or for what cannot be read. */
const wordOf = (key: Key, ending: keyof typeof endings): string | null => {
  try {
    return PlainFiles.read(fileOf(key, endings[ending]))
  } catch {
    return null
  }
}

/** Keeps a word until the user says otherwise; null takes it back. Throws what the file system throws. */
const say = (key: Key, ending: keyof typeof endings, word: string | null): void => {
  const file = fileOf(key, endings[ending])
  if (word === null) takeAway(file)
  else put(file, word)
}

/**
 * Whether the user stopped reflexion in this session.
 *
 * @category words
 */
export const isStopped = (key: Key): boolean => {
  try {
    // A folder in its place is nobody's word.
    return !FS.lstatSync(fileOf(key, endings.stopped)).isDirectory()
  } catch (cause) {
    if (PlainFiles.isAbsent(cause)) return false
    throw cause
  }
}

export const setStopped = (key: Key, isOff: boolean): void => say(key, "stopped", isOff ? "" : null)

const [here, away] = ["here", "away"]

/**
 * Whether the user has said that they are there, or that nobody is; null where they have said neither.
 *
 * @category words
 */
export const isAttended = (key: Key): boolean | null => {
  const said = wordOf(key, "attended")
  return said === here ? true : said === away ? false : null
}

export const setAttended = (key: Key, isHere: boolean): void => say(key, "attended", isHere ? here : away)

/**
 * Whether the user turned the questions to a model on or off in this session; null where they have done neither.
 *
 * @category words
 */
export const modelWordOf = (key: Key): "on" | "off" | null => {
  const said = wordOf(key, "model")
  return said === "on" || said === "off" ? said : null
}

export const setModelWord = (key: Key, word: "on" | "off"): void => say(key, "model", word)

/**
 * When the user calls the task done, as it was understood; nothing where they have said nothing.
 *
 * @category words
 */
export const doneWhenOf = (key: Key): ReadonlyArray<Condition> => {
  try {
    // Only `setDoneWhen` writes it, in a folder of the user's own.
    return JSON.parse(wordOf(key, "doneWhen") ?? "[]")
  } catch {
    return []
  }
}

export const setDoneWhen = (key: Key, all: ReadonlyArray<Condition>): void =>
  say(key, "doneWhen", all.length === 0 ? null : JSON.stringify(all))

/**
 * The saved session; a fresh one where there is none, or where what is there is of no use. It is off if the user said so,
 * whatever became of the rest.
 *
 * @category reading
 */
export const load = (key: Key): Loaded => {
  const loaded = loadState(key)
  const { review } = loaded.session
  return isStopped(key) ? { ...loaded, session: { ...loaded.session, review: { ...review, enabled: false } } } : loaded
}

const loadState = (key: Key): Loaded => {
  try {
    const text = PlainFiles.read(fileOf(key))
    return text === null ? { session: none, problem: null, seen: "" } : parse(key, text)
  } catch (cause) {
    // What cannot be replaced either will say so when it is saved.
    return damaged(cause instanceof Error ? cause.message : String(cause), unreadable)
  }
}

const unreadable = "unreadable"

const isAsSeen = (key: Key, seen: string): boolean =>
  seen === unreadable || seen === seenIn(PlainFiles.read(fileOf(key)))

/**
 * Saves over what was `seen`; whatever quotes somebody has lost its secrets before: nothing if another process has saved since. Throws then, and what the
 * file system throws: who cannot save must not push.
 *
 * @category writing
 */
export const save = (key: Key, session: Session, seen: string): void => {
  const body = JSON.stringify(session)
  const wasFolder = PlainFiles.moveFolder(fileOf(key))
  if (!wasFolder && !isAsSeen(key, seen)) throw new Error("another hook of this session has decided meanwhile")
  PlainFiles.write(fileOf(key), `${header} ${key.build} ${Checksum.ofText(body)}\n${body}`)
}

/**
 * Takes the lock of one of a session's files, null if another process holds it. One that a killed process left is taken over.
 * The answer gives it back.
 *
 * @category locking
 */
export const lock = (key: Omit<Key, "build">, now: number, ending = "json"): (() => void) | null => {
  const place = `${fileOf(key, ending)}.lock`
  try {
    return FileLock.take(place, now)?.release ?? null
  } catch (cause) {
    if (!PlainFiles.moveFolder(place)) throw cause
    return FileLock.take(place, now)?.release ?? null
  }
}

const nap = new Int32Array(new SharedArrayBuffer(4))
const napMs = 10

/**
 * The same, waiting for it up to `patience` ms, also where the clock stands still or is set back.
 *
 * @category locking
 */
export const lockWithin = (
  key: Omit<Key, "build">,
  patience: number,
  now: () => number,
  ending = "json"
): (() => void) | null => {
  const until = now() + patience
  for (let waited = 0; ; waited += napMs) {
    const taken = lock(key, now(), ending)
    if (taken !== null || waited >= patience || now() >= until) return taken
    Atomics.wait(nap, 0, 0, napMs)
  }
}
