import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Os from "node:os"
import * as Path from "node:path"
import { bundleHook, hosts } from "../../../scripts/bundle-hooks.mjs"

const forbidden =
  /node_modules\/effect\/|@effect\/|jsonc-parser|yaml|packages\/core\/src\/(?:JudgeService|TurnReview|Artifacts|AgentHost|ReviewStates)\.ts/

const rules = /packages\/core\/src\/(?:Reflection(?:Look|Rules)|internal\/rules\w+)\.ts$/

describe.each(Object.keys(hosts))("the hook of %s", (host) => {
  let made: ReturnType<typeof bundleHook> | undefined
  const bundled = () => (made ??= bundleHook(host))

  it("has what a stop needs, no service, no schema and at most 450,000 bytes", async () => {
    const files = await bundled()
    const bytes = ["hook.cjs", "hook-main.cjs"].map((name) => Buffer.byteLength(files[name]?.text ?? ""))
    assert.isAbove(Math.min(...bytes), 500)
    assert.isAtMost((bytes[0] ?? 0) + (bytes[1] ?? 0), 450_000)
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
  }, 60_000)

  it("is ASCII, for it is read without decoding, and names its own content", async () => {
    const files = await bundled()
    for (const { text } of Object.values(files)) assert.match(text ?? "", /^[\0-\x7f]+$/)
    const [, build] = /([0-9a-f]{16})-/.exec(files["hook.cjs"]?.text ?? "") ?? []
    assert.isDefined(build)
    assert.notStrictEqual(build, "0".repeat(16))
    assert.include(files["hook-main.cjs"]?.text, build)
  }, 60_000)

  it("finds its parts beside it, and this Node knows every flag that it sets", async () => {
    const files = await bundled()
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "reflexion-bundle-"))
    try {
      for (const [name, { text }] of Object.entries(files)) Fs.writeFileSync(Path.join(folder, name), text ?? "")
      const texts = ["hook-main.cjs", "hook-outcome.cjs"].map((name) => files[name]?.text ?? "")
      const wanted = [...texts.join("").matchAll(/require\("\.\/([\w.-]+)"\)/g)]
      assert.sameMembers(
        wanted.map(([, name]) => name),
        [
          "hook-settings.cjs",
          "hook-toml.cjs",
          "hook-arithmetic.cjs",
          "hook-compaction.cjs",
          "hook-tool.cjs",
          "hook-command.cjs",
          "hook-consulted.cjs",
          "hook-known.cjs",
          "hook-prune.cjs",
          "hook-notice.cjs",
          "hook-progress.cjs",
          "hook-learned.cjs",
          "hook-outcome.cjs",
          "hook-findings.cjs"
        ]
      )
      for (const name of ["compaction", "tool", "command", "consulted", "learned", "outcome", "findings"].map(
        (part) => `./hook-${part}.cjs`
      ))
        assert.isFunction(createRequire(Path.join(folder, "hook.cjs"))(name).run)
      const toml = createRequire(Path.join(folder, "hook.cjs"))("./hook-toml.cjs")
      assert.deepEqual(toml.parse("[tool.poe.tasks]\ncheck = 'pytest'"), {
        tool: { poe: { tasks: { check: "pytest" } } }
      })
      const { status, stderr } = spawnSync(process.execPath, [Path.join(folder, "hook.cjs"), "Stop"], {
        input: "{}",
        encoding: "utf8",
        env: { HOME: folder }
      })
      assert.deepStrictEqual({ status, stderr }, { status: 0, stderr: "" })
    } finally {
      Fs.rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
})
