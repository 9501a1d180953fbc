import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Verification } from "@reflexion/core/internal/checks/Verification"
import { Effect } from "effect"
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { worksWith } from "../../core/test/support/works.ts"
import * as CheckSandbox from "../src/models/CheckSandbox.ts"
import { scratch, type Scratch } from "./support/session.ts"

const onDisk = worksWith(NodeContext.layer, it.scopedLive)

/** Replaces the host's program: it notes its arguments, and then runs the words after `--`. */
const passing = (args: string) => `echo "$@" >> ${args}; while [ "$1" != -- ]; do shift; done; shift; exec "$@"`

/** Makes a folder `.git` if there is none, as Codex does. It leaves the folder there, as a killed Codex does. */
const placing = (args: string) => `[ -e .git ] || mkdir .git; ${passing(args)}`

const install = ({ home }: Scratch, lines: (args: string) => string): CheckSandbox.Options => {
  mkdirSync(join(home, "bin"), { recursive: true })
  writeFileSync(join(home, "bin", "codex"), `#!/bin/sh\n${lines(join(home, "args"))}\n`, { mode: 0o755 })
  const env = { HOME: home, PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}` }
  const state = join(home, "checks")
  return { cwd: join(home, "shop"), env, state, host: "codex", record: null }
}

const recordOf = ({ home }: Scratch, ...policies: ReadonlyArray<object>): string => {
  const record = join(home, "rollout.jsonl")
  const lines = policies.map((sandbox_policy) => JSON.stringify({ type: "turn_context", payload: { sandbox_policy } }))
  writeFileSync(
    record,
    [...lines, JSON.stringify({ type: "event_msg", payload: { text: '"turn_context"' } })].join("\n")
  )
  return record
}

const open = { type: "danger-full-access" }
const closed = { type: "workspace-write", network_access: false }

describe("where a check is run", () => {
  onDisk("host without a sandbox → outside; sandbox missing or failing → nowhere", function* () {
    const scratched = yield* scratch
    const options = install(scratched, passing)
    const find = (over: Partial<CheckSandbox.Options>) => CheckSandbox.find({ ...options, ...over })
    assert.deepStrictEqual(yield* find({ host: "claude-code" }), { words: [], offline: false })
    // A project's own program is none.
    scratched.put("bin/codex", "#!/bin/sh\nexit 0\n")
    chmodSync(join(scratched.root, "bin", "codex"), 0o755)
    for (const PATH of ["/nowhere", join(scratched.root, "bin")])
      assert.isNull(yield* find({ env: { ...options.env, PATH } }))
    for (const line of ["exit 1", "echo panicked >&2; exit 101"])
      assert.isNull(yield* CheckSandbox.find(install(scratched, () => line)))
  })

  onDisk("a check gets the running turn's rights, but writes at most in the project", function* () {
    const scratched = yield* scratch
    const options = install(scratched, passing)
    const of = (record: string) =>
      Effect.map(CheckSandbox.find({ ...options, record }), (place) => [
        ...(place?.words ?? []).flatMap((word) => /^(?:sandbox_mode|\w+\.network_access)=(.*)/.exec(word)?.[1] ?? []),
        place?.offline
      ])
    const [writes, reads] = ['"workspace-write"', '"read-only"']
    for (const [policies, ...expected] of [
      [[closed, open], writes, "true", false],
      [[open, closed], writes, "false", true],
      [[{ ...closed, network_access: true }], writes, "true", false],
      [[{ type: "read-only" }], reads, "false", true],
      [[], writes, "false", true]
    ] as const)
      assert.deepStrictEqual(yield* of(recordOf(scratched, ...policies)), [...expected])
    assert.deepStrictEqual(yield* of(join(scratched.home, "absent")), [writes, "false", true])
  })
})

const named = `import { test } from "node:test"
test("rounds half up", () => { throw new Error("4.5") })
`

describe("a check in a sandbox", () => {
  onDisk("decides nothing if the sandbox may have caused its failure", function* () {
    const scratched = yield* scratch
    const options = install(scratched, passing)
    scratched.put("total.test.mjs", named)
    const resultOf = Effect.fnUntraced(function* (record: string, command: string) {
      const place = yield* CheckSandbox.find({ ...options, record })
      const verification = CheckSandbox.verification(place, options.state)
      const request = { directory: scratched.root, checks: [{ name: "tests", command }], gates: ["tests"] }
      const run = Effect.flatMap(Verification, (service) => service.run(request))
      const [result] = yield* Effect.provide(run, verification)
      return result?.result
    })
    const denied = "echo 'Error: listen EPERM: operation not permitted 0.0.0.0'; exit 1"
    const offline = recordOf(scratched, closed)
    assert.strictEqual(yield* resultOf(offline, denied), "unavailable")
    assert.strictEqual(yield* resultOf(offline, "false"), "unavailable")
    assert.strictEqual(yield* resultOf(offline, "node --test total.test.mjs"), "failed")
    assert.strictEqual(yield* resultOf(offline, "true"), "passed")
    const online = recordOf(scratched, open)
    assert.strictEqual(yield* resultOf(online, denied), "unavailable")
    assert.strictEqual(yield* resultOf(online, "false"), "failed")
  })

  onDisk("a `.git` folder that the host leaves is removed, but a repository's own stays", function* () {
    const scratched = yield* scratch
    const plain = join(scratched.home, "plain")
    mkdirSync(plain)
    const options = { ...install(scratched, placing), cwd: plain }
    const place = yield* CheckSandbox.find(options)
    for (const directory of [plain, scratched.root]) {
      const check = { name: "tests", command: "sleep 30", timeout: 1 }
      const request = { directory, checks: [check], gates: ["tests"] }
      const run = Effect.flatMap(Verification, (service) => service.run(request))
      yield* Effect.provide(run, CheckSandbox.verification(place, options.state))
    }
    assert.isFalse(existsSync(join(plain, ".git")))
    assert.isTrue(existsSync(join(scratched.root, ".git", "HEAD")))
  })
})
