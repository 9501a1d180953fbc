/**
 * The benchmark of the memory against databases and search libraries, in one run: reading what was learned of a subtask,
 * appends that wait for the disk, one by one and 64 at a time, reads and appends with a turn for each, opening and
 * rebuilding the index, the memory that it takes, and what is similar to a failure. Every figure is the median over rounds in
 * which all take turns.
 */
import type { Reflection } from "@reflexion/core/Reflection"
import { ReflexionStore } from "@reflexion/core/ReflexionStore"
import * as NodeLogDisk from "@reflexion/node/NodeLogDisk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import * as Corpus from "./memory/MemoryCorpus.ts"
import * as Peers from "./memory/MemoryPeers.ts"
import { generator } from "./measure/Metrics.ts"

const script = fileURLToPath(import.meta.url)
const root = Path.dirname(Path.dirname(Path.dirname(script)))

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,100000,1000000" },
    similar: { type: "string", default: "100000" },
    rounds: { type: "string", default: "5" },
    folder: { type: "string", default: Os.tmpdir() },
    child: { type: "string" },
    path: { type: "string", default: "" },
    records: { type: "string", default: "0" }
  }
})

const rounds = Number(options.rounds)

const print = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type Store = Context.Tag.Service<ReflexionStore>

const opened = async (path: string): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> => {
  const scope = await Effect.runPromise(Scope.make())
  const layer = Layer.provide(ReflexionStore.Live({ path }), NodeLogDisk.layer)
  const context = await Effect.runPromise(Scope.extend(Layer.build(layer), scope))
  return {
    store: Context.get(context, ReflexionStore),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const ours = async (path: string): Promise<Peers.Peer> => {
  const { close, store } = await opened(path)
  return {
    name: "reflexion",
    recent: (subtask) => store.getRecent(subtask),
    append: store.append,
    close
  }
}

/** A log of so many records, as the store itself would have written it. */
const writeLog = (path: string, size: number): void => {
  const descriptor = Fs.openSync(path, "w", 0o600)
  let lines = ""
  for (let index = 0; index < size; index += 1) {
    lines += `${JSON.stringify(Corpus.record(index))}\n`
    if (lines.length < 4_000_000 && index < size - 1) continue
    Fs.writeSync(descriptor, lines)
    lines = ""
  }
  Fs.fsyncSync(descriptor)
  Fs.closeSync(descriptor)
}

function* records(from: number, to: number): Generator<Reflection> {
  for (let index = from; index < to; index += 1) yield Corpus.record(index)
}

const misses: Array<string> = []

const verdict = (what: string, isMet: boolean): string => {
  if (!isMet) misses.push(what)
  return isMet ? "" : "  MISSED"
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work()
  return (performance.now() - begin) / 1000
}

/** What is compiled while it runs is compiled once more for a store that was just opened; native code is not. */
const warmUp = 2

const everyRound = Array.from({ length: warmUp + rounds }, (_, round) => round)

const isTarget = (what: string, ratio: number): string => verdict(what, ratio > 1)

/** For what has no target. */
const noTarget = (): string => ""

/**
 * Operations per second of each, and how far the first is ahead: the median of the rounds' ratios. Another begins in each
 * round, for what one leaves to the disk the next may have to wait for.
 */
const race = async (
  what: string,
  peers: ReadonlyArray<Peers.Peer>,
  operations: number,
  work: (peer: Peers.Peer, round: number) => Promise<unknown>,
  judged: (what: string, ratio: number) => string = isTarget
): Promise<void> => {
  const taken = peers.map((): Array<number> => [])
  for (const round of everyRound)
    for (const [turn] of peers.entries()) {
      const index = (turn + round) % peers.length
      const peer = peers[index]
      const time = peer === undefined ? Number.NaN : await seconds(() => work(peer, round))
      if (round >= warmUp) taken[index]?.push(time)
    }
  const [own = [], ...others] = taken
  const rate = (times: ReadonlyArray<number>): string => Math.round(operations / median(times)).toLocaleString("en")
  const ahead = others.map((times, index) => {
    const ratio = median(times.map((time, round) => time / (own[round] ?? time)))
    return `${ratio.toFixed(2)}× ${peers[index + 1]?.name} (${rate(times)})${judged(`${what} against ${peers[index + 1]?.name}`, ratio)}`
  })
  print(`  ${what.padEnd(48)} ${rate(own).padStart(9)}/s  ${ahead.join("  ")}`)
}

const readEach = (peer: Peers.Peer, subtasks: ReadonlyArray<string>): Promise<number> =>
  Effect.runPromise(
    Effect.gen(function* () {
      let found = 0
      for (const subtask of subtasks) found += (yield* peer.recent(subtask)).length
      return found
    })
  )

const append = (peer: Peers.Peer, all: ReadonlyArray<Reflection>, concurrency: 1 | "unbounded"): Promise<void> =>
  Effect.runPromise(Effect.forEach(all, peer.append, { concurrency, discard: true }))

const nextTurn = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** As a server does that is asked now and then: nothing that only one turn of the event loop gains is gained. */
const inTurns = <A>(all: ReadonlyArray<A>, work: (one: A) => Effect.Effect<unknown, unknown>): Promise<void> =>
  Effect.runPromise(Effect.forEach(all, (one) => Effect.zipRight(nextTurn, work(one)), { discard: true }))

const logIn = (folder: string): string => Path.join(folder, "reflections.jsonl")

/** All with the same records. */
const peersIn = async (
  folder: string,
  size: number,
  require: NodeJS.Require
): Promise<readonly [Peers.Peer, ...ReadonlyArray<Peers.Peer>]> => {
  Fs.mkdirSync(folder)
  writeLog(logIn(folder), size)
  return [
    await ours(logIn(folder)),
    Peers.sqlite(require, Path.join(folder, "peer.sqlite"), records(0, size)),
    Peers.lmdb(require, Path.join(folder, "peer.lmdb"), records(0, size))
  ]
}

/** As in a program that has run for some seconds: what is compiled while it runs is slow until then, what is native is not. */
const warm = async (folder: string, require: NodeJS.Require): Promise<void> => {
  const size = 1000
  const peers = await peersIn(folder, size, require)
  const subtasks = Array.from({ length: 30_000 }, (_, index) => Corpus.subtaskOf(index % size))
  const all = [...records(size, size + 12_000)]
  for (const peer of peers) {
    await readEach(peer, subtasks)
    await append(peer, all.slice(0, 4000), 1)
    for (let from = 4000; from < all.length; from += 64) await append(peer, all.slice(from, from + 64), "unbounded")
    await peer.close()
  }
  Fs.rmSync(folder, { recursive: true })
}

const against = async (size: number, folder: string, require: NodeJS.Require): Promise<void> => {
  const peers = await peersIn(folder, size, require)
  const bytes = Fs.statSync(logIn(folder)).size
  print(`${size.toLocaleString("en")} records of ${Math.round(bytes / size)} bytes`)
  const next = generator(size)
  const reads = 20_000
  const lists = everyRound.map(() => Array.from({ length: reads }, () => Corpus.subtaskOf(Math.floor(next() * size))))
  await race(`${size}: last 3 of a subtask`, peers, reads, (peer, round) => readEach(peer, lists[round] ?? []))
  let fresh = size
  const more = new Map<string, ReadonlyArray<Reflection>>()
  /** The same records for each of them. */
  const batch = (key: string, count: number): ReadonlyArray<Reflection> => {
    const known = more.get(key) ?? [...records(fresh, fresh + count)]
    if (!more.has(key)) fresh += count
    more.set(key, known)
    return known
  }
  const [single, batches, apart] = [1000, 20, 300]
  for (const round of everyRound) {
    batch(`one ${round}`, single)
    batch(`apart ${round}`, apart)
    for (let each = 0; each < batches; each += 1) batch(`many ${round} ${each}`, 64)
  }
  await race(`${size}: synced append`, peers, single, (peer, round) => append(peer, batch(`one ${round}`, single), 1))
  await race(`${size}: 64 concurrent synced`, peers, batches * 64, async (peer, round) => {
    for (let each = 0; each < batches; each += 1) await append(peer, batch(`many ${round} ${each}`, 64), "unbounded")
  })
  const alone = 2000
  await race(
    `${size}: last 3, each in a turn of its own`,
    peers,
    alone,
    (peer, round) => inTurns((lists[round] ?? []).slice(0, alone), peer.recent),
    noTarget
  )
  await race(
    `${size}: synced append, each in a turn of its own`,
    peers,
    apart,
    (peer, round) => inTurns(batch(`apart ${round}`, apart), peer.append),
    noTarget
  )
  for (const peer of peers) await peer.close()
}

/** What a process of its own reports. */
interface Report {
  readonly seconds: number
  /** Since opening began, until the side file was there; null for so few records that it is not made. */
  readonly side: number | null
  /** The file alone, from the disk and from the system's cache. */
  readonly reading: number
  readonly cached: number
  readonly resident: number
  readonly found: number
}

const child = (name: string, path: string, size: number): Report =>
  JSON.parse(
    spawnSync(process.execPath, [script, "--child", name, "--path", path, "--records", String(size)], {
      encoding: "utf8"
    }).stdout
  )

/** Once through the file, a megabyte at a time. */
const readThrough = async (path: string): Promise<void> => {
  const chunk = new Uint8Array(1024 * 1024)
  const descriptor = Fs.openSync(path, "r")
  while (Fs.readSync(descriptor, chunk) > 0);
  Fs.closeSync(descriptor)
}

/** Has the system forget the file's content, where it has GNU's dd. */
const forget = (path: string): void => {
  spawnSync("dd", [`if=${path}`, "iflag=nocache", "count=0"], { stdio: "ignore" })
}

/** Of so many records a side file is made. */
const withSide = 2000

/** It is written while the program goes on; a minute is far more than it takes. */
const sideWritten = async (path: string): Promise<void> => {
  const until = performance.now() + 60_000
  while (!Fs.existsSync(`${path}.index`)) {
    if (performance.now() > until) throw new Error(`${path}.index was not written`)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Opens the memory, looks for a few hundred subtasks, adds a record, and says what that took. */
const report = async (name: string, path: string): Promise<Report> => {
  forget(path)
  const reading = await seconds(() => readThrough(path))
  const cached = await seconds(() => readThrough(path))
  if (name === "rebuild") {
    Fs.rmSync(`${path}.index`, { force: true })
    forget(path)
  }
  const begin = performance.now()
  const { close, store } = await opened(path)
  await Effect.runPromise(store.getRecent("task-0/step-0"))
  const time = (performance.now() - begin) / 1000
  let side: number | null = null
  if (Number(options.records) >= withSide) {
    await sideWritten(path)
    side = (performance.now() - begin) / 1000
  }
  let found = 0
  for (let index = 0; index < 500; index += 1)
    found += (await Effect.runPromise(store.getRecent(Corpus.subtaskOf(index * 97)))).length
  await Effect.runPromise(store.append({ ...Corpus.record(0), id: `of ${process.pid}` }))
  await Effect.runPromise(store.getRecent("task-0/step-0"))
  const resident = process.memoryUsage().rss
  await close()
  return { seconds: time, side, reading, cached, resident, found }
}

const of = (reports: ReadonlyArray<Report>, figure: (one: Report) => number): number => median(reports.map(figure))

const opening = (path: string, size: number): void => {
  const several = (name: string): ReadonlyArray<Report> => Array.from({ length: rounds }, () => child(name, path, size))
  const rebuilt = several("rebuild")
  const open = several("open")
  const time = of(open, (one) => one.seconds)
  const ratio = of(rebuilt, (one) => one.seconds / one.reading)
  const resident = Math.max(...[...open, ...rebuilt].map((one) => one.resident)) / 1e6
  print(`Opening ${size.toLocaleString("en")} records, in a process of its own`)
  print(`  from the side file: ${time.toFixed(3)} s (target: 0.3 s)${verdict("opening", time < 0.3)}`)
  print(
    `  index rebuilt: ${of(rebuilt, (one) => one.seconds).toFixed(2)} s, reading the file from the disk ${of(rebuilt, (one) => one.reading).toFixed(2)} s: ${ratio.toFixed(2)}× (target: 3×)${verdict("rebuilding", ratio < 3)}; from the system's cache ${of(rebuilt, (one) => one.cached).toFixed(2)} s`
  )
  const sides = rebuilt.flatMap(({ side }) => (side === null ? [] : [side]))
  if (sides.length > 0)
    print(
      `  ready in ${of(rebuilt, (one) => one.seconds).toFixed(2)} s, side file written after ${median(sides).toFixed(2)} s`
    )
  print(`  resident: ${resident.toFixed(0)} MB (target: 250 MB)${verdict("resident memory", resident < 250)}`)
}

const textOf = ({ actionItems, analysis, suggestion, tags }: Reflection): string =>
  [analysis, suggestion, ...actionItems, ...tags].join("\n")

const similar = async (size: number, folder: string, require: NodeJS.Require): Promise<void> => {
  const { queries, reflections } = Corpus.retrieval(size, 200)
  const path = Path.join(folder, "similar.jsonl")
  Fs.writeFileSync(path, reflections.map((one) => `${JSON.stringify(one)}\n`).join(""), { mode: 0o600 })
  const { close, store } = await opened(path)
  const places = new Map(reflections.map(({ id }, index) => [id, index]))
  const find = async (text: string): Promise<ReadonlyArray<number>> =>
    (await Effect.runPromise(store.similar(text, {}, 3))).map(({ reflection }) => places.get(reflection.id) ?? -1)
  const texts = reflections.map(textOf)
  print(`Similar reflections among ${size.toLocaleString("en")}, ${queries.length} failures`)
  const begin = performance.now()
  const before = process.memoryUsage()
  await find(queries[0]?.text ?? "")
  const after = process.memoryUsage()
  print(
    `  index of words made in ${((performance.now() - begin) / 1000).toFixed(1)} s, ${((after.heapUsed + after.external - before.heapUsed - before.external) / 1e6).toFixed(0)} MB`
  )
  const rates = new Map<string, number>()
  for (const make of [
    (): Peers.Finder => ({ name: "reflexion", find }),
    () => Peers.wink(require, texts),
    () => Peers.miniSearch(require, texts)
  ]) {
    const finder = make()
    // The others are slow, and their speed is no target.
    const few = finder.name === "reflexion" ? queries : queries.slice(0, 60)
    const times: Array<number> = []
    let hits = 0
    for (const { text, topic } of few) {
      let found: ReadonlyArray<number> = []
      times.push((await seconds(async () => (found = await finder.find(text)))) * 1000)
      if (found.some((place) => Corpus.topicOf(place, size) === topic)) hits += 1
    }
    const rate = hits / few.length
    rates.set(finder.name, rate)
    const time = median(times)
    const ninety = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN
    const said = finder.name === "reflexion" ? verdict("similar in 20 ms", time < 20) : ""
    print(
      `  ${finder.name.padEnd(12)} p50 ${time.toFixed(1)} ms, p95 ${ninety.toFixed(1)} ms, hit@3 ${rate.toFixed(2)}${said}`
    )
  }
  const own = rates.get("reflexion") ?? 0
  const best = Math.max(rates.get("wink-bm25") ?? 0, rates.get("MiniSearch") ?? 0)
  print(`  hit@3 of the better of them: ${best.toFixed(2)}${verdict("hit@3", own >= best)}`)
  await close()
}

const main = async (): Promise<void> => {
  const require = Peers.install(Path.join(root, "node_modules", ".cache", "reflexion-bench-memory"))
  const folder = Fs.mkdtempSync(Path.join(options.folder, "reflexion-bench-"))
  try {
    const sizes = options.sizes.split(",").filter(Boolean).map(Number)
    print(`Node ${process.versions.node}, ${Os.cpus().length} cores, ${rounds} rounds, in ${folder}`)
    if (sizes.length > 0) await warm(Path.join(folder, "warm"), require)
    for (const size of sizes) {
      const place = Path.join(folder, String(size))
      await against(size, place, require)
      if (size === Math.max(...sizes)) opening(logIn(place), size)
      Fs.rmSync(place, { recursive: true })
    }
    if (Number(options.similar) > 0) await similar(Number(options.similar), folder, require)
    print(misses.length === 0 ? "\nEvery target is met." : `\nMissed: ${misses.join("; ")}`)
    process.exitCode = misses.length === 0 ? 0 : 1
  } finally {
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}

if (options.child === undefined) await main()
else print(JSON.stringify(await report(options.child, options.path)))
