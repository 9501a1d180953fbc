/**
 * What the plugin costs OpenCode, with the real binary: a turn of 3,000 message deltas against the same turn without it,
 * both in this run and in turns; and a review in a session of 2,000 messages against one in a session of 20.
 *
 *     npm run bench:opencode [-- --pairs 20 --rounds 5]
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Process from "node:process"
import * as Url from "node:url"
import { parseArgs } from "node:util"
import { eventually } from "./HostContract.ts"
import * as World from "./HostContractWorld.ts"
import { asides } from "./OpenCodeScenario.ts"
import * as OpenCodeHost from "./OpenCodeHost.ts"
import * as Sandbox from "./Sandbox.ts"
import * as ScriptedChat from "./ScriptedChat.ts"
import { sound } from "./ShopProject.ts"

const { values: options } = parseArgs({
  options: { pairs: { type: "string", default: "20" }, rounds: { type: "string", default: "5" } }
})
const pairs = Number(options.pairs)
const rounds = Number(options.rounds)
const reviewed = 12

const targets = { overhead: 1.05, review: 50 }
const deltas = 3000
const warmUp = 4

const plugin = Url.fileURLToPath(new URL("../../opencode/dist/server.js", import.meta.url))

const print = (line: string): void => {
  Process.stdout.write(`${line}\n`)
}

const median = (all: ReadonlyArray<number>): number =>
  all.toSorted((left, right) => left - right)[Math.floor(all.length / 2)] ?? Number.NaN

/** A server of its own, whose model answers every prompt in so many pieces. */
const serve = Effect.fnUntraced(function* (plugins: ReadonlyArray<string>, pieces: number) {
  const sandbox = yield* Sandbox.make({ name: "shop", project: sound })
  const answer = { content: [{ text: "word ".repeat(pieces), deltas: pieces }] }
  const always = { name: "answer", when: () => true, replies: [answer] as const }
  const model = yield* ScriptedChat.make({
    turns: [],
    rules: [...asides({ title: "Words", summary: "Words." }), always]
  })
  const config = { plugin: plugins.map((file) => `file://${file}`) }
  const server = yield* OpenCodeHost.serve({ sandbox, url: model.url, config })
  const { id } = yield* OpenCodeHost.ask("no session", () => server.client.session.create({ body: {} }))
  return { sandbox, server, path: { id } }
})

type Served = Effect.Effect.Success<ReturnType<typeof serve>>

/** From the prompt to its answer, in milliseconds: the call returns when the turn is over. */
const turn = ({ path, server }: Served) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const parts = [{ type: "text" as const, text: "Go on." }]
    yield* OpenCodeHost.ask("no answer", () =>
      server.client.session.prompt({ path, body: { model: OpenCodeHost.model, parts } })
    )
    return performance.now() - begun
  })

interface Pair {
  readonly bare: number
  readonly loaded: number
}

/**
 * Two processes that take turns, in the rounds before the first to warm up. A turn follows the other's within the second and
 * a half that a stop waits for its review: so no turn has the review of the one before in it, whose time is measured apart.
 */
const pair = Effect.fnUntraced(function* (order: "bare first" | "loaded first") {
  const bare = yield* serve([], deltas)
  const loaded = yield* serve([plugin], deltas)
  const found: Array<Pair> = []
  for (let round = -warmUp; round < rounds; round++) {
    const first = yield* turn(order === "bare first" ? bare : loaded)
    const second = yield* turn(order === "bare first" ? loaded : bare)
    if (round < 0) continue
    found.push(order === "bare first" ? { bare: first, loaded: second } : { bare: second, loaded: first })
  }
  return found
})

/** Student's t for 95 % where there are some twenty pairs. */
const wide = 2.09

/** The geometric mean of ratios, and how far it may be off. */
const meanOf = (ratios: ReadonlyArray<number>) => {
  const logs = ratios.map(Math.log)
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1)
  const off = wide * Math.sqrt(variance / logs.length)
  return { ratio: Math.exp(mean), low: Math.exp(mean - off), high: Math.exp(mean + off) }
}

/**
 * Two processes of one program differ by more than a plugin costs, and by chance: so each pair of them counts once, and
 * many pairs say more than many turns.
 */
const overhead = Effect.gen(function* () {
  const all: Array<ReadonlyArray<Pair>> = []
  for (let number = 0; number < pairs; number++)
    all.push(yield* Effect.scoped(pair(number % 2 === 0 ? "bare first" : "loaded first")))
  const { high, low, ratio } = meanOf(all.map((turns) => median(turns.map((one) => one.loaded / one.bare))))
  const [without, within] = [median(all.flat().map((one) => one.bare)), median(all.flat().map((one) => one.loaded))]
  print(
    `A turn of ${deltas} deltas, ${pairs} pairs of processes, ${rounds} rounds each: ${without.toFixed(0)} ms without the plugin, ${within.toFixed(0)} ms with it`
  )
  const met = ratio <= targets.overhead
  print(
    `  mean ratio ${ratio.toFixed(3)}×, 95 % between ${low.toFixed(3)} and ${high.toFixed(3)}   target ${targets.overhead}×  ${met ? "met" : "missed"}`
  )
  return met
})

const store = ({ path, server }: Served, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => index),
    (index) => {
      const parts = [{ type: "text" as const, text: `Remark ${index}: ${"word ".repeat(40)}` }]
      const body = { model: OpenCodeHost.model, noReply: true, parts }
      return OpenCodeHost.ask("not stored", () => server.client.session.prompt({ path, body }))
    },
    { discard: true }
  )

const durations = (log: { readonly state: string }, sessionId: string) =>
  Effect.map(World.decisions(log, sessionId), (all) => all.flatMap(({ durationMs }) => durationMs ?? []))

/** The time of each of some reviews in a session of so many messages, the first apart: it reads the whole session. */
const reviews = Effect.fnUntraced(function* (messages: number) {
  const served = yield* serve([plugin], 3)
  yield* store(served, messages)
  const log = { state: `${served.sandbox.home}/.local/state/reflexion` }
  const times: Array<number> = []
  for (let number = 1; number <= reviewed + 1; number++) {
    yield* turn(served)
    const found = yield* eventually(
      `review ${number}`,
      Effect.map(durations(log, served.path.id), (all) => (all.length >= number ? all : null))
    )
    times.push(found.at(-1) ?? Number.NaN)
  }
  const [first = Number.NaN, ...next] = times
  print(
    `  ${String(messages).padStart(5)} messages: first ${first.toFixed(0)} ms, then median ${median(next).toFixed(1)} ms, at most ${Math.max(...next).toFixed(1)} ms`
  )
  return median(next)
})

const program = Effect.gen(function* () {
  const light = yield* overhead
  print("\nA review by evidence, as the host's process measures it")
  const small = yield* Effect.scoped(reviews(20))
  const large = yield* Effect.scoped(reviews(2000))
  const quick = large < targets.review
  print(
    `  ${(large / small).toFixed(2)}× of the small session's   target ${targets.review} ms  ${quick ? "met" : "missed"}`
  )
  print(light && quick ? "\nEvery target is met." : "\nA target is missed.")
  return light && quick
})

process.exitCode = (await Effect.runPromise(Effect.scoped(Effect.provide(program, NodeContext.layer)))) ? 0 : 1
