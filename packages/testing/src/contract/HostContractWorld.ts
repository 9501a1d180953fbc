/** The world of a case: a sandbox with reflexion installed for a host, and what a test can observe of the hooks. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Process from "node:process"
import * as Url from "node:url"
import { HostFault, eventually, orFault, type Host, type Live, type Start } from "./HostContract.ts"
import { textOf, type World } from "./files.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import { broken } from "../sandbox/ShopProject.ts"

export { filesBelow, records, type World } from "./files.ts"

/** The built command line, or another build to test. */
export const bin =
  Process.env["REFLEXION_CLI"] ?? Url.fileURLToPath(new URL("../../../cli/dist/bin.js", import.meta.url))

export const marketplace = bin.replace(/[^/\\]*$/, "marketplace")

const Decision = Schema.parseJson(
  Schema.Struct({
    at: Schema.String,
    host: Schema.String,
    sessionId: Schema.NullOr(Schema.String),
    directory: Schema.NullOr(Schema.String),
    event: Schema.String,
    decision: Schema.String,
    reason: Schema.String,
    attempt: Schema.NullOr(Schema.Number),
    durationMs: Schema.optional(Schema.NullOr(Schema.Number))
  })
)

const decodeDecision = Schema.decodeUnknown(Decision)

export type Decision = typeof Decision.Type

/** `nudges`: the numbers of the nudges in the model's last request, for example `1/3`. */
export interface Outcome {
  readonly nudges: ReadonlyArray<string>
  readonly requests: number
  readonly notices: ReadonlyArray<string>
  readonly decisions: ReadonlyArray<Decision>
}

export const reflexion = ({ sandbox }: Pick<World, "sandbox">, ...args: ReadonlyArray<string>) =>
  Sandbox.execute(sandbox, Process.execPath, bin, ...args).pipe(orFault(`reflexion ${args.join(" ")} failed`))

export const bare = Effect.fnUntraced(function* (host: Host, project: Sandbox.Project = broken) {
  const path = yield* Path.Path
  const sandbox = yield* Sandbox.make({ name: "shop", project })
  const at = (...parts: ReadonlyArray<string>) => path.join(sandbox.home, ...parts, "reflexion")
  const world: World = {
    host,
    sandbox,
    state: at(".local", "state"),
    cache: at(".cache"),
    config: at(".config"),
    data: at(".local", "share")
  }
  return world
}, orFault("the sandbox could not be made"))

export const make = (host: Host, project?: Sandbox.Project) =>
  bare(host, project).pipe(Effect.tap((world) => reflexion(world, "install", host.name)))

export const start = ({ host, sandbox }: World, options: Omit<Start, "sandbox">) => host.start({ sandbox, ...options })

export const kinds = ({ decisions }: Pick<Outcome, "decisions">): ReadonlyArray<string> =>
  decisions.map(({ decision }) => decision)

export const prompt = (live: Live, text: string) => Effect.zipRight(live.send(text), live.ended)

export const decisions = (world: Pick<World, "state">, sessionId?: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const log = path.join(world.state, "log.jsonl")
    const there = yield* Effect.orElseSucceed(fs.exists(log), () => false)
    if (!there) return []
    // The text after the last line break may be incomplete.
    const lines = (yield* fs.readFileString(log)).split("\n").slice(0, -1)
    const all = yield* Effect.forEach(lines, (line) => decodeDecision(line))
    return sessionId === undefined ? all : all.filter((decision) => decision.sessionId === sessionId)
  }).pipe(orFault("the decision log could not be read"))

const marker = /\[reflexion (\d\/\d)\]/g

export const finish = (world: World, live: Live) =>
  Effect.gen(function* () {
    yield* live.close
    const requests = (yield* live.requests).filter(({ answeredBy }) => answeredBy.startsWith("turn "))
    const unscripted = (yield* live.requests).filter(({ answeredBy }) => answeredBy === "unscripted")
    if (unscripted.length > 0) {
      const detail = `the model was asked more than is scripted: ${unscripted[0]?.lastUser.slice(0, 2000)}`
      return yield* new HostFault({ detail })
    }
    const outcome: Outcome = {
      nudges: Array.from((requests.at(-1)?.conversation ?? "").matchAll(marker), ([, attempt]) => attempt ?? ""),
      requests: requests.length,
      notices: yield* live.notices,
      decisions: yield* decisions(world, live.sessionId)
    }
    return outcome
  })

export const play = (world: World, options: Omit<Start, "sandbox"> & { readonly prompts: ReadonlyArray<string> }) =>
  Effect.scoped(
    Effect.gen(function* () {
      const live = yield* start(world, options)
      yield* Effect.forEach(options.prompts, (text) => prompt(live, text), { discard: true })
      return { ...(yield* finish(world, live)), sessionId: live.sessionId }
    })
  )

export const reviews = ({ sandbox }: World): string => `${sandbox.workspace}/.reflection`

export const stateFile = ({ host, state }: World, sessionId: string): string =>
  `${state}/sessions/${host.name}/${sessionId}.json`

export const recorded = (live: Live, text: string) =>
  eventually(
    `"${text}" in the record`,
    Effect.gen(function* () {
      const record = yield* live.record
      const found = record === null ? null : yield* textOf(record)
      return found?.includes(text) === true ? true : null
    })
  )

export const noticed = (live: Live, what: RegExp) =>
  eventually(
    `the notice ${what}`,
    Effect.map(live.notices, (notices) => notices.find((notice) => what.test(notice)) ?? null)
  )

export const decided = (world: Pick<World, "state">, what: string, accept: (decision: Decision) => boolean) =>
  eventually(
    `the decision: ${what}`,
    Effect.map(decisions(world), (all) => all.find(accept) ?? null)
  )
