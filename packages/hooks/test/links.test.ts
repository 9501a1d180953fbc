/**
 * A workspace may contain a link instead of a file of ours. No matter who writes there, the link's target stays
 * unchanged.
 */
import { NodeContext } from "@effect/platform-node"
import { assert, describe } from "@effect/vitest"
import { OutcomeLog } from "@reflexion/core/OutcomeLog"
import * as SampleFailure from "@reflexion/testing/samples/SampleFailure"
import { Effect, Layer, Predicate } from "effect"
import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { outcome as outcomeOf } from "../../core/test/support/outcomes.ts"
import { live } from "../../core/test/support/works.ts"
import * as Settings from "../src/config/Settings.ts"
import * as Trust from "../src/config/Trust.ts"
import * as Outcomes from "../src/memory/Outcomes.ts"
import * as RepoDisk from "../src/places/RepoDisk.ts"
import { decisions, edited, failures, inScratch, scratch, type Scratch } from "./support/session.ts"

const outcome = outcomeOf({ id: "o1" })

const fileOf = ({ root }: Scratch, name: string): string => join(root, ".reflection", name)

const byProgram = (scratched: Scratch) =>
  Effect.flatMap(OutcomeLog, (log) => log.append(outcome)).pipe(
    Effect.provide(Layer.provide(OutcomeLog.Live({ path: fileOf(scratched, "outcomes.jsonl") }), NodeContext.layer))
  )

const byHook = ({ hook, root }: Scratch) =>
  Effect.try(() => Outcomes.add({ root, outcome, now: hook.now(), retentionDays: 30 }))

const failed = (all: ReadonlyArray<string>) => (all.length === 0 ? Effect.void : Effect.fail(all.join("\n")))

/** Stops failing sessions; each is nudged. Returns the errors in the hook's log. */
const stopped = (scratched: Scratch, ids: ReadonlyArray<string> = ["s1", "s2", "s3"]) =>
  Effect.suspend(() => {
    const words = "I changed how the total is rounded."
    const red = SampleFailure.output("rounds half up", "45", "44.9")
    for (const id of ids)
      assert.strictEqual(edited(scratched, id).runs("npm test", red, true).says(words).stop(words)._tag, "nudge")
    return failed(failures(scratched))
  })

const load = ({ hook: { build, directories, env, settle }, root }: Scratch): Settings.EffectiveConfig =>
  Settings.load({ build, directories, env, settle, root })

const trusted = ({ hook: { directories }, root }: Scratch) =>
  Effect.try(() => Trust.trust(directories, Trust.Workspace.at(directories, root)))

const torn = '{"id":"whole"}\n{"id":"to'

type Row = readonly [what: string, name: string, run: (scratched: Scratch) => Effect.Effect<unknown, unknown>]

const rows: ReadonlyArray<Row> = [
  ["a program adds an outcome", "outcomes.jsonl", byProgram],
  ["a hook adds an outcome", "outcomes.jsonl", byHook],
  ["a hook learns", "reflections.jsonl", stopped],
  ["a hook finds something", "findings.jsonl", stopped],
  ["a program keeps a torn line", "outcomes.jsonl.torn", byProgram],
  ["a hook keeps a torn line", "outcomes.jsonl.torn", byHook],
  ["a project's configuration is read", "config.json", (it) => failed([load(it).problem ?? []].flat())],
  ["a project is trusted", "config.json", trusted],
  ["git is told what to ignore", ".gitignore", stopped]
]

const kinds = { "hard link": linkSync, "symbolic link": symlinkSync }

const cases = Object.entries(kinds).flatMap(([kind, link]) => rows.map((row) => [kind, ...row, link] as const))

const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const textOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "error") ? `${String(cause)} ${textOf(cause.error)}` : String(cause)

describe("a link in a workspace", () => {
  for (const [kind, what, name, run, link] of cases)
    live(`that is a ${kind} is refused when ${what}: ${name}`, function* () {
      const scratched = yield* scratch
      const elsewhere = join(scratched.home, "elsewhere")
      put(elsewhere, torn)
      put(fileOf(scratched, "other"), "")
      link(elsewhere, fileOf(scratched, name))
      const sibling = name.endsWith(".torn") ? fileOf(scratched, "outcomes.jsonl") : null
      if (sibling !== null) put(sibling, torn)
      const stats = () => (({ ino, mode, mtimeMs }) => ({ ino, mode, mtimeMs }))(statSync(elsewhere))
      const before = stats()
      const exit = yield* Effect.either(run(scratched))
      assert.deepStrictEqual([readFileSync(elsewhere, "utf8"), stats()], [torn, before])
      if (sibling !== null) assert.strictEqual(readFileSync(sibling, "utf8"), torn)
      // A link at `.gitignore` is replaced or left alone.
      if (name === ".gitignore") return assert.strictEqual(exit._tag, "Right")
      if (exit._tag === "Right") return assert.fail("it was not refused")
      assert.include(textOf(exit.left), kind)
      assert.include(textOf(exit.left), fileOf(scratched, name))
    })

  live("is followed in the user's own directories, for backups and dotfiles", function* () {
    const scratched = yield* scratch
    const { home, hook, root } = scratched
    const own = join(hook.directories.config, "config.json")
    put(own, '{"maxAttempts":2}')
    linkSync(own, join(home, "dotfile"))
    assert.strictEqual(load(scratched).config.maxAttempts, 2)
    yield* trusted(scratched)
    linkSync(join(hook.directories.state, "trust.json"), join(home, "backup"))
    assert.strictEqual(Trust.Workspace.at(hook.directories, root).status, "trusted")
    yield* stopped(scratched)
    linkSync(join(hook.directories.state, "log.jsonl"), join(home, "log"))
    const before = decisions(scratched).length
    yield* stopped(scratched, ["s4"])
    assert.isAbove(decisions(scratched).length, before)
  })

  inScratch("is not read, and neither is a special file or one that is too large", ({ put: write, root }) => {
    const read = (name: string) => RepoDisk.answer({ want: "read", path: join(root, name) })
    write("AGENTS.md", "Run the tests.")
    assert.strictEqual(read("AGENTS.md"), "Run the tests.")
    symlinkSync(join(root, "AGENTS.md"), join(root, "link.md"))
    write("huge.md", "")
    truncateSync(join(root, "huge.md"), 2 ** 31)
    execFileSync("mkfifo", [join(root, "pipe.md")])
    for (const name of ["link.md", "huge.md", "pipe.md", "absent.md", "."]) assert.isNull(read(name), name)
  })
})
