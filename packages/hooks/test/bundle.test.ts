import { assert, describe, it } from "@effect/vitest"
import { execFile, spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Os from "node:os"
import * as Path from "node:path"
import { promisify } from "node:util"
import { hosts } from "../../../scripts/bundle-hooks.mjs"
import { built, bundled, place } from "./support/bundled.ts"

const forbidden =
  /node_modules\/effect\/|@effect\/|yaml|packages\/core\/src\/.*\/(?:JudgeService|TurnReview|Artifacts|AgentHost|ReviewStates)\.ts/

const attempt = {
  taskId: null,
  sessionId: "s1",
  objective: "Round the total of the cart once.",
  status: "failed",
  durationMs: 1,
  tools: [],
  loaded: [],
  resultLength: 1,
  backend: "codex",
  at: new Date().toISOString()
}

const settings = { consecutive_failure_limit: 3, lookback_seconds: 86_400, min_result_length: 50 }

/** A process that waits for the others before it looks, and says what it would tell the user: nothing where it fails. */
const looking = (folder: string, root: string, at: number): Promise<string> =>
  promisify(execFile)(process.execPath, [
    "-e",
    `const { run } = require(${JSON.stringify(Path.join(folder, "hook-findings.cjs"))})
     while (Date.now() < ${at});
     try { console.log(run(${JSON.stringify({ root, now: at, settings })})) } catch {}`
  ]).then(({ stdout }) => stdout.trim())

const rules =
  /packages\/core\/src\/memory\/(?:cycle\/ReflectionLook|rules\/(?:ReflectionRules|RuleFinding|RulesState|chance|counts|skillRules|snapshot|taskRules))\.ts$/

const isNight = process.env["REFLEXION_TESTS"] === "night"

// What it is made of is known from bundling it once more; both have the same parts.
describe.each(Object.keys(hosts).slice(0, isNight ? 2 : 1))("the hook of %s", (host) => {
  const made = () => bundled(host)

  it("has what a stop needs, no service, no schema and at most 845,000 bytes", async () => {
    const files = await made()
    const bytes = ["hook.cjs", "hook-main.cjs"].map((name) => Buffer.byteLength(files[name]?.text ?? ""))
    assert.isAbove(Math.min(...bytes), 500)
    assert.isAtMost((bytes[0] ?? 0) + (bytes[1] ?? 0), 845_000)
    for (const name of ["hook.cjs", "hook-main.cjs", "hook-learned.cjs", "hook-outcome.cjs", "hook-findings.cjs"]) {
      const inputs = Object.values(files[name]?.metafile.outputs ?? {}).flatMap((output) => Object.keys(output.inputs))
      assert.isAbove(inputs.length, 0)
      assert.deepStrictEqual(
        inputs.filter((input) => forbidden.test(input)),
        []
      )
      // Only an attempt that failed has the rules look.
      assert.strictEqual(
        inputs.some((input) => rules.test(input)),
        name === "hook-findings.cjs",
        name
      )
    }
  })
})

describe.each(Object.keys(hosts))("the files of the hook of %s", (host) => {
  const files = Object.fromEntries(
    Fs.readdirSync(built(host))
      .filter((name) => name.endsWith(".cjs"))
      .map((name) => [name, { text: Fs.readFileSync(Path.join(built(host), name), "utf8") }])
  )

  it("is ASCII, for it is read without decoding, and names its own content", () => {
    for (const { text } of Object.values(files)) assert.match(text ?? "", /^[\0-\x7f]+$/)
    const [, build] = /([0-9a-f]{16})-/.exec(files["hook.cjs"]?.text ?? "") ?? []
    assert.isDefined(build)
    assert.notStrictEqual(build, "0".repeat(16))
    assert.include(files["hook-main.cjs"]?.text, build)
  })

  it("finds its parts in its folder, and this Node knows every flag that it sets", async () => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-bundle-"))
    try {
      place(host, folder)
      const texts = ["hook-main.cjs", "hook-outcome.cjs"].map((name) => files[name]?.text ?? "")
      const wanted = [...texts.join("").matchAll(/require\("\.\/([\w.-]+)"\)/g)]
      assert.sameMembers(
        [...new Set(wanted.map(([, name]) => name))],
        [
          "hook-settings.cjs",
          "hook-asking.cjs",
          "hook-toml.cjs",
          "hook-compaction.cjs",
          "hook-consulted.cjs",
          "hook-learned.cjs",
          "hook-outcome.cjs",
          "hook-findings.cjs"
        ]
      )
      for (const name of ["compaction", "consulted", "learned", "outcome", "findings"].map(
        (part) => `./hook-${part}.cjs`
      ))
        assert.isFunction(createRequire(Path.join(folder, "hook.cjs"))(name).run)
      assert.isFunction(createRequire(Path.join(folder, "hook.cjs"))("./hook-consulted.cjs").verify)
      const asking = createRequire(Path.join(folder, "hook.cjs"))("./hook-asking.cjs")
      assert.isFalse(asking.isLogin(host, { HOME: folder, ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }))
      const toml = createRequire(Path.join(folder, "hook.cjs"))("./hook-toml.cjs")
      assert.deepEqual(toml.parse("[tool.poe.tasks]\ncheck = 'pytest'"), {
        tool: { poe: { tasks: { check: "pytest" } } }
      })
      const root = Path.join(folder, "shop")
      Fs.mkdirSync(Path.join(root, ".reflection"), { recursive: true })
      const log = [1, 2, 3]
        .map((id) => `${JSON.stringify({ ...attempt, id: `o${id}`, sessionId: `s${id}` })}\n`)
        .join("")
      Fs.writeFileSync(Path.join(root, ".reflection", "outcomes.jsonl"), log)
      const at = Date.now() + 300
      const told = await Promise.all([1, 2, 3, 4].map(() => looking(folder, root, at)))
      assert.lengthOf(
        told.filter((line) => line !== ""),
        1
      )
      assert.lengthOf(Fs.readFileSync(Path.join(root, ".reflection", "findings.jsonl"), "utf8").split("\n"), 2)
      const { status, stderr } = spawnSync(process.execPath, [Path.join(folder, "hook.cjs"), "Stop"], {
        input: "{}",
        encoding: "utf8",
        env: { HOME: folder }
      })
      assert.deepStrictEqual({ status, stderr }, { status: 0, stderr: "" })
    } finally {
      Fs.rmSync(folder, { recursive: true, force: true })
    }
  })
})
