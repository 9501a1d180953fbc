/** A workspace may bring a hard link instead of a file of ours. No matter who writes there, the file elsewhere stays. */
import { assert, describe, it } from "@effect/vitest"
import type { AttemptOutcome } from "@reflexion/core/AttemptOutcome"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import { NodeContext } from "@effect/platform-node"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect, Layer, Predicate } from "effect"
import { existsSync, linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Outcomes from "../src/memory/Outcomes.ts"
import * as Settings from "../src/config/Settings.ts"
import * as Trust from "../src/config/Trust.ts"
import { decisions, edited, failures, scratch, type Scratch } from "./support/session.ts"

const outcome: AttemptOutcome = {
  id: "o1",
  taskId: "prices",
  sessionId: "s1",
  objective: "Refresh the shop's price list.",
  status: "failed",
  durationMs: 1500,
  tools: [],
  loaded: [],
  resultLength: 0,
  backend: "codex",
  at: "2026-03-01T10:00:00.000Z"
}

const fileOf = ({ root }: Scratch, name: string): string => join(root, ".reflection", name)

const outcomeAdded = (scratched: Scratch) =>
  Effect.flatMap(OutcomeLog, (log) => log.append(outcome)).pipe(
    Effect.provide(Layer.provide(OutcomeLog.Live({ path: fileOf(scratched, "outcomes.jsonl") }), NodeContext.layer))
  )

const hostOutcomeAdded = ({ hook, root }: Scratch) =>
  Effect.try(() => Outcomes.add({ root, outcome, now: hook.now(), retentionDays: 30 }))

/** What the hook's log says went wrong at a stop that fails. */
const stopped = (scratched: Scratch, ids: ReadonlyArray<string> = ["s1", "s2", "s3"]) =>
  Effect.sync(() => {
    const words = "I changed how the total is rounded."
    const red = SampleFailure.output("rounds half up", "45", "44.9")
    for (const id of ids) edited(scratched, id).runs("npm test", red, true).says(words).stop(words)
    return failures(scratched)
  })

const failed = (all: ReadonlyArray<string>) => (all.length === 0 ? Effect.void : Effect.fail(all.join("\n")))

const load = ({ hook: { build, directories, env, settle }, root }: Scratch): Settings.EffectiveConfig =>
  Settings.load({ build, directories, env, settle, root })

interface Row {
  readonly what: string
  readonly name: string
  /** Files that are there next to it. */
  readonly beside?: Readonly<Record<string, string>>
  readonly run: (scratched: Scratch) => Effect.Effect<unknown, unknown>
}

const torn = '{"id":"whole"}\n{"id":"to'

const memory = "reflections.jsonl"

const refused: ReadonlyArray<Row> = [
  { what: "a program adds an outcome", name: "outcomes.jsonl", run: outcomeAdded },
  { what: "a hook adds an outcome", name: "outcomes.jsonl", run: hostOutcomeAdded },
  { what: "a hook learns", name: memory, run: (it) => Effect.flatMap(stopped(it), failed) },
  { what: "a hook finds something", name: "findings.jsonl", run: (it) => Effect.flatMap(stopped(it), failed) },
  {
    what: "a program keeps a torn line",
    name: "outcomes.jsonl.torn",
    beside: { "outcomes.jsonl": torn },
    run: outcomeAdded
  },
  {
    what: "a hook keeps a torn line",
    name: "outcomes.jsonl.torn",
    beside: { "outcomes.jsonl": torn },
    run: hostOutcomeAdded
  },
  {
    what: "a project's configuration is read",
    name: "config.json",
    run: (it) => failed([load(it).problem ?? []].flat())
  },
  {
    what: "a project is trusted",
    name: "config.json",
    run: ({ hook, root }) => Effect.try(() => Trust.trust(hook.directories, Trust.Workspace.at(hook.directories, root)))
  }
]

const leftAlone: ReadonlyArray<Row> = [
  {
    what: "a list of what git leaves out",
    name: ".gitignore",
    run: (it) => Effect.flatMap(stopped(it), failed)
  }
]

const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A row's file as a link to one elsewhere, which has a torn end; what came of the run, and whether that is as it was. */
const linked = ({ beside = {}, name, run }: Row) =>
  Effect.gen(function* () {
    const scratched = yield* scratch
    const elsewhere = join(scratched.home, "elsewhere")
    put(elsewhere, torn)
    put(fileOf(scratched, "other"), "")
    linkSync(elsewhere, fileOf(scratched, name))
    for (const [other, text] of Object.entries(beside)) put(fileOf(scratched, other), text)
    const before = statSync(elsewhere)
    const exit = yield* Effect.either(run(scratched))
    assert.strictEqual(readFileSync(elsewhere, "utf8"), torn)
    const after = statSync(elsewhere)
    assert.deepStrictEqual([after.ino, after.mode, after.mtimeMs], [before.ino, before.mode, before.mtimeMs])
    for (const [other, text] of Object.entries(beside)) {
      if (!existsSync(fileOf(scratched, other))) assert.fail(other)
      if (exit._tag === "Left") assert.strictEqual(readFileSync(fileOf(scratched, other), "utf8"), text)
    }
    return { exit, scratched }
  })

const textOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "error") ? `${String(cause)} ${textOf(cause.error)}` : String(cause)

describe("a hard link in a workspace", () => {
  it.scopedLive.each(refused)("is refused where $what", (row) =>
    Effect.gen(function* () {
      const { exit, scratched } = yield* linked(row)
      if (exit._tag === "Right") assert.fail("it was not refused")
      assert.include(textOf(exit.left), "hard link")
      assert.include(textOf(exit.left), fileOf(scratched, row.name))
    })
  )

  it.scopedLive.each(leftAlone)("is replaced or left alone: $what", (row) =>
    Effect.gen(function* () {
      const { exit } = yield* linked(row)
      assert.strictEqual(exit._tag, "Right", exit._tag === "Left" ? textOf(exit.left) : "")
    })
  )

  it.scopedLive(
    "is followed in the user's own directories, where a backup or a user who keeps dotfiles makes them",
    () =>
      Effect.gen(function* () {
        const scratched = yield* scratch
        const { home, hook, root } = scratched
        const own = join(hook.directories.config, "config.json")
        put(own, '{"maxAttempts":2}')
        linkSync(own, join(home, "dotfile"))
        assert.strictEqual(load(scratched).config.maxAttempts, 2)
        Trust.trust(hook.directories, Trust.Workspace.at(hook.directories, root))
        linkSync(join(hook.directories.state, "trust.json"), join(home, "backup"))
        assert.strictEqual(Trust.Workspace.at(hook.directories, root).status, "trusted")
        yield* stopped(scratched)
        linkSync(join(hook.directories.state, "log.jsonl"), join(home, "log"))
        const before = decisions(scratched).length
        assert.deepStrictEqual(yield* stopped(scratched, ["s4"]), [])
        assert.isAbove(decisions(scratched).length, before)
      })
  )
})
