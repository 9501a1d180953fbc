import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { works } from "../../core/test/support/works.ts"

const page = readFileSync(new URL("../../../docs/library.md", import.meta.url), "utf8")

/** The scripts of the page, in its order. */
const scripts = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].map(([, script = ""]) => script)

/** The only script with these words. */
const scriptWith = (words: string): string => {
  const [script = "", ...more] = scripts.filter((one) => one.includes(words))
  assert.isTrue(script !== "" && more.length === 0, `one script of docs/library.md has "${words}"`)
  return script
}

const recording = (name: string): string =>
  fileURLToPath(new URL(`../../testing/recordings/claude-code/${name}.jsonl`, import.meta.url))

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url))

/** An agent that claims too much until it is told a lesson. Then it does what the lesson says. */
const agent = `#!/bin/sh
case "$3" in
  *"Learning from Previous Failures"*) cp "${recording("fixed-and-tested")}" "$2" ;;
  *) cp "${recording("claim-contradicted")}" "$2" ;;
esac
`

const failing = `const { test } = require("node:test")
const assert = require("node:assert")
test("takes ten percent off", () => assert.equal(49.9, 45))
`

/**
 * A project that has the programs and files that the page names. It runs the page's scripts with `bash -e`, which ends
 * at the first failure.
 */
const project = Effect.acquireRelease(
  Effect.sync(() => {
    const root = mkdtempSync(join(tmpdir(), "reflexion-shell-"))
    const put = (name: string, text: string): void => {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    for (const name of ["shop", "home", "programs"]) mkdirSync(join(root, name))
    put("programs/reflexion", `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
    put("programs/my-agent", agent)
    put("shop/nightly-deploy.sh", "#!/bin/sh\nexit 1\n")
    for (const name of ["programs/reflexion", "programs/my-agent", "shop/nightly-deploy.sh"])
      chmodSync(join(root, name), 0o755)
    put("shop/package.json", '{ "name": "shop", "scripts": { "test": "node --test" } }')
    put("shop/test/cart.test.js", failing)
    execFileSync("git", ["init", "-q", join(root, "shop")])
    const cwd = join(root, "shop")
    const env = {
      HOME: join(root, "home"),
      PATH: [join(root, "programs"), dirname(process.execPath), process.env["PATH"]].join(delimiter)
    }
    const run = (script: string) => {
      const { status, stderr, stdout } = spawnSync("bash", ["-e", "-c", script], { cwd, env, encoding: "utf8" })
      return { status, out: stdout.trim(), err: stderr.trim() }
    }
    const session = (name: string, as = "session.jsonl"): void => {
      mkdirSync(dirname(join(cwd, as)), { recursive: true })
      copyFileSync(recording(name), join(cwd, as))
    }
    return { root, cwd, run, session }
  }),
  ({ root }) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

const missing = "the tests failed before the last edit (cart.js), and did not run since (`npm test`)"

describe("the shell scripts of docs/library.md", () => {
  it("they need jq, git and find → these are here", () => {
    const { status } = spawnSync("bash", ["-c", "command -v jq git find"], { encoding: "utf8" })
    assert.strictEqual(status, 0, "install jq, git and find: Debian has them as `apt-get install -y jq git findutils`")
  })

  works("judging a session → done, not done with the reason, or an error", function* () {
    const { run, session } = yield* project
    const isDone = scriptWith("case $status in")
    session("claim-contradicted")
    assert.deepStrictEqual(run(isDone), { status: 0, out: `not done: Not done: ${missing}.`, err: "" })
    session("fixed-and-tested")
    assert.deepStrictEqual(run(isDone), { status: 0, out: "done", err: "" })
    assert.include(run(isDone.replaceAll("session.jsonl", "none.jsonl")).err, "could not judge")
  })

  works("attempts → the second one has the lesson, and is done", function* () {
    const { cwd, run } = yield* project
    const { out, status } = run(scriptWith("my-agent"))
    assert.deepStrictEqual([status, out], [0, "done in attempt 2"])
    assert.include(readFileSync(join(cwd, "lesson.json"), "utf8"), "shop/discount")
  })

  works("all sessions since yesterday → those that should continue", function* () {
    const { cwd, run, session } = yield* project
    session("claim-contradicted", "sessions/a/one.jsonl")
    session("fixed-and-tested", "sessions/b/two.jsonl")
    assert.strictEqual(run(scriptWith("-mtime -1")).out, `sessions/a/one.jsonl: Not done: ${missing}.`)
    assert.lengthOf(readFileSync(join(cwd, "verdicts.ndjson"), "utf8").trim().split("\n"), 2)
  })

  works("a session that is not stuck, and a failed command → no nudge, and a lesson", function* () {
    const { cwd, run, session } = yield* project
    session("claim-contradicted")
    assert.strictEqual(run(scriptWith("--show stuck")).status, 0)
    assert.include(readFileSync(join(cwd, "stuck.json"), "utf8"), '"version"')
    const learned = run(scriptWith("npm test > output.txt"))
    assert.strictEqual(learned.status, 0)
    assert.match(learned.out, /^## Learning from Previous Failures\n[\s\S]*takes ten percent off/u)
  })

  works("a deploy that fails each night → reported once, at the third failure", function* () {
    const { run } = yield* project
    const told = [1, 2, 3, 4].map(() => run(scriptWith("nightly-deploy.sh")))
    const statuses = told.map(({ status }) => status)
    assert.deepStrictEqual(statuses, [0, 0, 0, 0])
    assert.deepStrictEqual([told[0]?.out, told[1]?.out, told[3]?.out], ["", "", ""])
    assert.match(told[2]?.out ?? "", /3 times in a row/u)
  })

  it("the page has six scripts → each is run here", () => {
    assert.strictEqual(scripts.length, 6)
  })
})
