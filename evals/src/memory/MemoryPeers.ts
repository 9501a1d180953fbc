/**
 * What the memory is measured against. The databases and indexes are needed for nothing else, so the benchmark installs
 * them itself, in a folder of their own and in these versions.
 */
import type { Reflection } from "@reflexion/core/Reflection"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Path from "node:path"

const versions = {
  "better-sqlite3": "12.11.1",
  lmdb: "3.5.6",
  minisearch: "7.2.0",
  "wink-bm25-text-search": "3.1.2",
  "wink-nlp-utils": "2.1.0"
}

const npm = process.platform === "win32" ? "npm.cmd" : "npm"

/** Installs them once. */
export const install = (folder: string): NodeJS.Require => {
  const manifest = JSON.stringify({ private: true, dependencies: versions })
  const [file, stamp] = [Path.join(folder, "package.json"), Path.join(folder, "installed.json")]
  if (!Fs.existsSync(stamp) || Fs.readFileSync(stamp, "utf8") !== manifest) {
    process.stderr.write(`installing ${Object.keys(versions).join(", ")} in ${folder} …\n`)
    Fs.mkdirSync(folder, { recursive: true })
    Fs.writeFileSync(file, manifest)
    const { status } = spawnSync(npm, ["install", "--no-audit", "--no-fund", "--silent"], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"],
      shell: process.platform === "win32"
    })
    if (status !== 0) throw new Error(`npm could not install them in ${folder}`)
    Fs.writeFileSync(stamp, manifest)
  }
  return createRequire(file)
}

/** A store that is measured, all as an Effect program would have them. */
export interface Peer {
  readonly name: string
  readonly recent: (subtask: string) => Effect.Effect<ReadonlyArray<Reflection>, unknown>
  /** Done when the reflection will outlast a power cut. What begins at the same time may share a commit. */
  readonly append: (reflection: Reflection) => Effect.Effect<void, unknown>
  readonly close: () => Promise<void>
}

interface Statement {
  readonly run: (...values: ReadonlyArray<string | number>) => unknown
  readonly all: (...values: ReadonlyArray<string | number>) => ReadonlyArray<string>
  readonly pluck: () => Statement
}

interface Sqlite {
  readonly pragma: (text: string) => unknown
  readonly exec: (text: string) => unknown
  readonly prepare: (text: string) => Statement
  readonly transaction: <A>(work: (input: A) => void) => (input: A) => void
  readonly close: () => void
}

/** Write-ahead log, each commit synchronised before it is acknowledged. */
export const sqlite = (require: NodeJS.Require, path: string, initial: Iterable<Reflection>): Peer => {
  const Database: new (path: string) => Sqlite = require("better-sqlite3")
  const db = new Database(path)
  db.pragma("journal_mode = WAL")
  db.pragma("synchronous = FULL")
  db.exec(`create table reflections (id text primary key, task text, subtask text, attempt integer, body text);
    create index by_subtask on reflections (subtask, attempt);
    create index by_task on reflections (task)`)
  const put = db.prepare("insert or replace into reflections values (?, ?, ?, ?, ?)")
  const get = db.prepare("select body from reflections where subtask = ? order by attempt desc limit 3").pluck()
  const add = (one: Reflection): void => {
    put.run(one.id, one.taskId, one.subtaskId, one.attemptNumber, JSON.stringify(one))
  }
  const addAll = db.transaction((all: Iterable<Reflection>) => {
    for (const one of all) add(one)
  })
  addAll(initial)
  let waiting: { all: Array<Reflection>; done: Promise<void> } | null = null
  /** One transaction for all that were begun at the same time. */
  const commit = (): void => {
    const all = waiting?.all ?? []
    waiting = null
    if (all.length > 1) addAll(all)
    else all.forEach(add)
  }
  db.pragma("wal_checkpoint(TRUNCATE)")
  return {
    name: "better-sqlite3",
    recent: (subtask) => Effect.sync(() => get.all(subtask).map((text): Reflection => JSON.parse(text))),
    append: (one) =>
      Effect.promise(() => {
        if (waiting === null) {
          waiting = { all: [], done: Promise.resolve() }
          waiting.done = Promise.resolve().then(commit)
        }
        waiting.all.push(one)
        return waiting.done
      }),
    close: async () => db.close()
  }
}

interface Lmdb<A> {
  readonly put: (key: ReadonlyArray<string | number> | string, value: A) => Promise<boolean>
  readonly putSync: (key: ReadonlyArray<string | number> | string, value: A) => void
  readonly getRange: (options: object) => Iterable<{ readonly value: A }>
  readonly openDB: <B>(options: object) => Lmdb<B>
  readonly transactionSync: (work: () => void) => void
  readonly flushed: Promise<unknown>
  readonly close: () => Promise<void>
}

const chunk = 10_000

const keyOf = (one: Reflection): ReadonlyArray<string | number> => [one.subtaskId, one.attemptNumber, one.id]

/** Reflections by subtask and attempt, so that one range has what is asked for; ids and tasks beside. */
export const lmdb = (require: NodeJS.Require, path: string, initial: Iterable<Reflection>): Peer => {
  const { open }: { readonly open: (options: object) => Lmdb<Reflection> } = require("lmdb")
  const db = open({ path, mapSize: 8 * 2 ** 30 })
  const ids = db.openDB<ReadonlyArray<string | number>>({ name: "ids" })
  const tasks = db.openDB<string>({ name: "tasks", dupSort: true, encoding: "ordered-binary" })
  const addSync = (one: Reflection): void => {
    const key = keyOf(one)
    db.putSync(key, one)
    ids.putSync(one.id, key)
    tasks.putSync(one.taskId, one.id)
  }
  const add = (one: Reflection): void => {
    const key = keyOf(one)
    void db.put(key, one)
    void ids.put(one.id, key)
    void tasks.put(one.taskId, one.id)
  }
  let some: Array<Reflection> = []
  const flush = (): void => {
    const now = some
    some = []
    db.transactionSync(() => now.forEach(addSync))
  }
  for (const one of initial) {
    some.push(one)
    if (some.length === chunk) flush()
  }
  flush()
  return {
    name: "lmdb",
    recent: (subtask) =>
      Effect.sync(() => {
        const range = { start: [subtask, Number.MAX_SAFE_INTEGER], end: [subtask], reverse: true, limit: 3 }
        return Array.from(db.getRange(range), ({ value }) => value)
      }),
    append: (one) =>
      Effect.promise(() => {
        add(one)
        return db.flushed
      }),
    close: () => db.close()
  }
}

/** An index of texts: the places of the best three. */
export interface Finder {
  readonly name: string
  readonly find: (text: string) => Promise<ReadonlyArray<number>>
}

interface Wink {
  readonly defineConfig: (config: object) => void
  readonly definePrepTasks: (tasks: ReadonlyArray<unknown>) => void
  readonly addDoc: (doc: object, id: number) => void
  readonly consolidate: () => void
  readonly search: (text: string, limit: number) => ReadonlyArray<readonly [number | string, number]>
}

interface WinkUtils {
  readonly string: Readonly<Record<"lowerCase" | "removeExtraSpaces" | "tokenize0", unknown>>
  readonly tokens: Readonly<Record<"removeWords" | "stem", unknown>>
}

export const wink = (require: NodeJS.Require, texts: ReadonlyArray<string>): Finder => {
  const bm25: () => Wink = require("wink-bm25-text-search")
  const utils: WinkUtils = require("wink-nlp-utils")
  const engine = bm25()
  engine.defineConfig({ fldWeights: { text: 1 } })
  engine.definePrepTasks([
    utils.string.lowerCase,
    utils.string.removeExtraSpaces,
    utils.string.tokenize0,
    utils.tokens.removeWords,
    utils.tokens.stem
  ])
  for (const [index, text] of texts.entries()) engine.addDoc({ text }, index)
  engine.consolidate()
  return { name: "wink-bm25", find: async (text) => engine.search(text, 3).map(([id]) => Number(id)) }
}

interface Mini {
  readonly addAll: (documents: ReadonlyArray<object>) => void
  readonly search: (text: string) => ReadonlyArray<{ readonly id: number }>
}

export const miniSearch = (require: NodeJS.Require, texts: ReadonlyArray<string>): Finder => {
  const MiniSearch: new (options: object) => Mini = require("minisearch")
  const engine = new MiniSearch({ fields: ["text"] })
  engine.addAll(texts.map((text, id) => ({ id, text })))
  return {
    name: "MiniSearch",
    find: async (text) =>
      engine
        .search(text)
        .slice(0, 3)
        .map(({ id }) => id)
  }
}
