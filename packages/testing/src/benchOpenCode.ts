/**
 * What the plugin costs OpenCode, with the real binary: a turn of 3,000 message deltas against the same turn without it,
 * both in this run and in turns; and a review in a session of 2,000 messages against one in a session of 4,000, and, with
 * the first one after OpenCode was begun anew, against OpenCode's own listing of those messages. The processes are those of
 * the tests, without the last stage of OpenCode's compiler.
 *
 * A turn is measured twice. In one process that serves a folder with the plugin and one without, where little but the
 * plugin differs; and in pairs of processes, one with it and one without, where its code is loaded in one of them only, and
 * where two processes of one program differ by more than a plugin costs. Two folders without it, measured as the first
 * two are, tell how far the measure itself is off.
 *
 * With `--quick` one process and a few rounds tell whether the plugin surely costs too much: a target counts as missed there
 * where all of the interval lies beyond it, of which the rounds are the sample; and a review at 2,000 messages is held
 * against one at 500, which a cost that grows with the session would make four times as long.
 *
 *     npm run bench:opencode [-- --processes 6 --pairs 12 | --quick]
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Process from "node:process"
import * as Url from "node:url"
import { parseArgs } from "node:util"
import { eventually } from "./contract/HostContract.ts"
import * as World from "./contract/HostContractWorld.ts"
import { asides } from "./scenarios/OpenCodeScenario.ts"
import * as OpenCodeHost from "./hosts/OpenCodeHost.ts"
import * as Sandbox from "./sandbox/Sandbox.ts"
import * as ScriptedChat from "./servers/ScriptedChat.ts"
import { sound } from "./sandbox/ShopProject.ts"

const { values: options } = parseArgs({
  options: {
    processes: { type: "string", default: "6" },
    pairs: { type: "string", default: "12" },
    quick: { type: "boolean", default: false }
  }
})
const counts = { processes: Number(options.processes), pairs: Number(options.pairs) }
if (!Object.values(counts).every((count) => Number.isSafeInteger(count) && count > 1)) {
  Process.stderr.write(
    "bench:opencode: --processes and --pairs are whole numbers of two or more: one has no interval\n"
  )
  Process.exit(2)
}

/** So many turns of each kind, after some in which all warm up. */
const rounds = { together: 30, apart: 5, quick: 12, warmUp: 4 }
const reviewed = options.quick ? 6 : 12
const opened = options.quick ? 3 : 9

/**
 * `next` and `first`: a review at 2,000 messages takes at most so many times as long as OpenCode takes to list them. The
 * first one reads them all, and is let off the milliseconds that it may wait for the reading ahead. In a hurry a review is over
 * its target where it takes twice that: on a machine whose cores others use it waits for collections of OpenCode's garbage,
 * 0.33 where it is 0.16 to 0.21 otherwise. What a review asks OpenCode for the tests count.
 */
const targets = { overhead: 1.05, next: options.quick ? 0.5 : 0.25, first: 3, wait: 1000 }

/** How many times as long a review may take with more messages: few of them are measured in a hurry. */
const growth = options.quick
  ? { few: 500, many: 2000, target: 2, words: "four times as many" }
  : { few: 2000, many: 4000, target: 1.25, words: "twice as many" }
const deltas = 3000

const plugin = Url.fileURLToPath(new URL("../../opencode/dist/server.js", import.meta.url))

const print = (line: string): void => {
  Process.stdout.write(`${line}\n`)
}

const median = (all: ReadonlyArray<number>): number =>
  all.toSorted((left, right) => left - right)[Math.floor(all.length / 2)] ?? Number.NaN

/** A session of a server, in a folder. */
interface Served {
  readonly sandbox: Sandbox.Sandbox
  readonly server: OpenCodeHost.Server
  readonly path: { readonly id: string }
  readonly query: { readonly directory: string }
}

const sessionIn = Effect.fnUntraced(function* (of: Pick<Served, "sandbox" | "server">, directory: string) {
  const query = { directory }
  const { id } = yield* OpenCodeHost.ask("no session", () => of.server.client.session.create({ query, body: {} }))
  return { ...of, path: { id }, query } satisfies Served
})

const configOf = (plugins: ReadonlyArray<string>) => ({ plugin: plugins.map((file) => `file://${file}`) })

/** A server, whose model answers every prompt in so many pieces. */
const serveIn = Effect.fnUntraced(function* (sandbox: Sandbox.Sandbox, plugins: ReadonlyArray<string>, pieces: number) {
  const answer = { content: [{ text: "word ".repeat(pieces), deltas: pieces }] }
  const always = { name: "answer", when: () => true, replies: [answer] as const }
  const model = yield* ScriptedChat.make({
    turns: [],
    rules: [...asides({ title: "Words", summary: "Words." }), always]
  })
  return yield* OpenCodeHost.serve({ sandbox, url: model.url, config: configOf(plugins) })
})

/** The same with a sandbox and a session of its own. */
const serve = Effect.fnUntraced(function* (plugins: ReadonlyArray<string>, pieces: number) {
  const sandbox = yield* Sandbox.make({ name: "shop", project: sound })
  const server = yield* serveIn(sandbox, plugins, pieces)
  return yield* sessionIn({ sandbox, server }, sandbox.workspace)
})

/** From the prompt to its answer, in milliseconds: the call returns when the turn is over. */
const turn = ({ path, query, server }: Served) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const parts = [{ type: "text" as const, text: "Go on." }]
    yield* OpenCodeHost.ask("no answer", () =>
      server.client.session.prompt({ path, query, body: { model: OpenCodeHost.model, parts } })
    )
    return performance.now() - begun
  })

interface Pair {
  readonly bare: Served
  readonly loaded: Served
}

/**
 * Two folders of one server, of which the second has the plugins. The folder in which the server was begun is neither of
 * them: turns in it are slower by a tenth, with and without a plugin.
 */
const together = (plugins: ReadonlyArray<string>) => (isBareFirst: boolean) =>
  Effect.gen(function* () {
    const server = yield* serve([], deltas)
    const files = yield* FileSystem.FileSystem
    const folder = Effect.fnUntraced(function* (name: string, of: ReadonlyArray<string>) {
      const path = `${server.sandbox.workspace}-${name}`
      yield* files.copy(server.sandbox.workspace, path)
      yield* files.writeFileString(`${path}/opencode.json`, JSON.stringify(configOf(of)))
      return yield* sessionIn(server, path)
    })
    const folders = { bare: folder("bare", []), loaded: folder("loaded", plugins) }
    return yield* isBareFirst ? Effect.all(folders) : Effect.all({ loaded: folders.loaded, bare: folders.bare })
  })

const servers = { bare: serve([], deltas), loaded: serve([plugin], deltas) }

const apart = (isBareFirst: boolean) =>
  isBareFirst ? Effect.all(servers) : Effect.all({ loaded: servers.loaded, bare: servers.bare })

interface Turns {
  readonly bare: number
  readonly loaded: number
}

/**
 * Both take turns. A turn follows the other's within the second and a half that a stop waits for its review: so no turn has
 * the review of the one before in it, whose time is measured apart.
 */
const turns = Effect.fnUntraced(function* ({ bare, loaded }: Pair, isBareFirst: boolean, count: number) {
  const found: Array<Turns> = []
  for (let round = -rounds.warmUp; round < count; round++) {
    const first = yield* turn(isBareFirst ? bare : loaded)
    const second = yield* turn(isBareFirst ? loaded : bare)
    if (round >= 0) found.push(isBareFirst ? { bare: first, loaded: second } : { bare: second, loaded: first })
  }
  return found
})

/** Student's t for 95 %, near enough. */
const wide = (degrees: number): number => 1.96 + 2.5 / degrees + 3 / degrees ** 2

/** The geometric mean of ratios, and how far it may be off. */
const meanOf = (ratios: ReadonlyArray<number>) => {
  const logs = ratios.map(Math.log)
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1)
  const off = wide(logs.length - 1) * Math.sqrt(variance / logs.length)
  return { ratio: Math.exp(mean), low: Math.exp(mean - off), high: Math.exp(mean + off) }
}

interface Plan<R> {
  readonly made: (isBareFirst: boolean) => Effect.Effect<Pair, unknown, R>
  readonly times: number
  readonly count: number
  readonly what: string
}

const said = (what: string, found: ReadonlyArray<Turns>, { high, low, ratio }: ReturnType<typeof meanOf>): void => {
  const [without, within] = [median(found.map(({ bare }) => bare)), median(found.map(({ loaded }) => loaded))]
  print(
    `  ${what}: ${without.toFixed(0)} ms and ${within.toFixed(0)} ms: ${ratio.toFixed(3)}×, 95 % between ${low.toFixed(3)} and ${high.toFixed(3)}`
  )
}

const ratioOf = ({ bare, loaded }: Turns): number => loaded / bare

/** Each process, or pair of them, counts once. */
const measured = <R>({ count, made, times, what }: Plan<R>) =>
  Effect.gen(function* () {
    const all: Array<ReadonlyArray<Turns>> = []
    for (let number = 0; number < times; number++) {
      const isBareFirst = number % 2 === 0
      all.push(yield* Effect.scoped(Effect.flatMap(made(isBareFirst), (pair) => turns(pair, isBareFirst, count))))
    }
    const mean = meanOf(all.map((found) => median(found.map(ratioOf))))
    said(`${what}, ${count} rounds each`, all.flat(), mean)
    return mean
  })

const overhead = Effect.gen(function* () {
  const { pairs, processes } = counts
  const shared = { times: processes, count: rounds.together }
  yield* measured({ ...shared, made: together([]), what: `two folders, neither with it, ${processes} processes` })
  const one = yield* measured({
    ...shared,
    made: together([plugin]),
    what: `two folders, the second with it, ${processes} processes`
  })
  const two = yield* measured({ made: apart, times: pairs, count: rounds.apart, what: `${pairs} pairs of processes` })
  const met = one.ratio <= targets.overhead && two.ratio <= targets.overhead
  print(`  target ${targets.overhead}× by both: ${met ? "met" : "missed"}`)
  return met
})

/** Every round counts, half of them in the one order and half in the other. */
const quickOverhead = Effect.scoped(
  Effect.gen(function* () {
    const pair = yield* together([plugin])(true)
    const found = [...(yield* turns(pair, true, rounds.quick / 2)), ...(yield* turns(pair, false, rounds.quick / 2))]
    const mean = meanOf(found.map(ratioOf))
    said(`two folders, the second with it, one process, ${found.length} rounds`, found, mean)
    const isOver = mean.low > targets.overhead
    const verdict = mean.ratio <= targets.overhead ? "met" : isOver ? "missed" : "not shown to be missed"
    print(`  target ${targets.overhead}×: ${verdict}`)
    return !isOver
  })
)

const store = ({ path, query, server }: Served, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) => {
      const parts = [{ type: "text" as const, text: `Remark ${index}: ${"word ".repeat(40)}` }]
      const body = { model: OpenCodeHost.model, noReply: true, parts }
      return OpenCodeHost.ask("not stored", () => server.client.session.prompt({ path, query, body }))
    },
    { discard: true }
  )

const durations = (log: { readonly state: string }, sessionId: string) =>
  Effect.map(World.decisions(log, sessionId), (all) => all.flatMap(({ durationMs }) => durationMs ?? []))

/** The time of the review of a turn. */
const review = Effect.fnUntraced(function* (served: Served) {
  const log = { state: `${served.sandbox.home}/.local/state/reflexion` }
  const before = (yield* durations(log, served.path.id)).length
  yield* turn(served)
  const found = yield* eventually(
    "the review",
    Effect.map(durations(log, served.path.id), (all) => (all.length > before ? all : null))
  )
  return found.at(-1) ?? Number.NaN
})

/** The same for the first turn in a session that a server begun anew knows nothing of. */
const reviewOpened = (before: Served) =>
  Effect.scoped(Effect.flatMap(serveIn(before.sandbox, [plugin], 3), (server) => review({ ...before, server })))

const times = (all: ReadonlyArray<number>): string =>
  `median ${median(all).toFixed(1)} ms, at most ${Math.max(...all).toFixed(1)} ms`

/** How long a server begun anew, without the plugin, takes to list the messages of a session. */
const listing = (before: Served) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { client } = yield* serveIn(before.sandbox, [], 3)
      const begun = performance.now()
      yield* OpenCodeHost.ask("no messages", () => client.session.messages({ path: before.path, query: before.query }))
      return performance.now() - begun
    })
  )

/** The time of some reviews in a session of so many messages, and of the first ones after it was opened so many times. */
const reviews = Effect.fnUntraced(function* (messages: number, openings = 0) {
  const served = yield* serve([plugin], 3)
  yield* store(served, messages)
  yield* review(served)
  const next = yield* Effect.replicateEffect(review(served), reviewed)
  print(`  ${String(messages).padStart(5)} messages: ${times(next)}`)
  yield* served.server.stop
  const first = yield* Effect.replicateEffect(reviewOpened(served), openings)
  const whole = yield* Effect.replicateEffect(listing(served), openings)
  if (openings > 0) {
    print(`  the first one after opening, ${openings} times: ${times(first)}`)
    print(`  OpenCode's own listing of the messages: ${times(whole)}`)
  }
  return { next: median(next), first: median(first), listing: median(whole) }
})

const program = Effect.gen(function* () {
  print(`A turn of ${deltas} deltas, without the plugin and with it`)
  const light = yield* options.quick ? quickOverhead : overhead
  print("\nA review by evidence, as the host's process measures it")
  const few = yield* Effect.scoped(reviews(growth.few, options.quick ? 0 : opened))
  const many = yield* Effect.scoped(reviews(growth.many, options.quick ? opened : 0))
  const asked = options.quick ? many : few
  const share = { next: asked.next / asked.listing, first: Math.max(0, asked.first - targets.wait) / asked.listing }
  const quick = share.next <= targets.next && share.first <= targets.first
  print(
    `  ${share.next.toFixed(2)}× the listing, target ${targets.next}×; the first one, less a second of waiting, ${share.first.toFixed(2)}×, target ${targets.first}×: ${quick ? "met" : "missed"}`
  )
  const flat = many.next / few.next <= growth.target
  print(
    `  ${(many.next / few.next).toFixed(2)}× at ${growth.words}, target ${growth.target}×: ${flat ? "met" : "missed"}`
  )
  const met = light && quick && flat
  print(met ? "\nEvery target is met." : "\nA target is missed.")
  return met
})

process.exitCode = (await Effect.runPromise(Effect.scoped(Effect.provide(program, NodeContext.layer)))) ? 0 : 1
