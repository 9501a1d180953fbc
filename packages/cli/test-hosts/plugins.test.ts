import * as Command from "@effect/platform/Command"
import { assert, describe } from "@effect/vitest"
import { HostBinaries, Sandbox } from "@reflexion/testing"
import { Effect, Stream } from "effect"
import { fileURLToPath } from "node:url"
import { live } from "../../testing/test-hosts/support/live.ts"

const marketplace = fileURLToPath(new URL("../dist/marketplace", import.meta.url))

const offline = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
  DISABLE_AUTOUPDATER: "1"
}

const run = Effect.fnUntraced(function* (sandbox: Sandbox.Sandbox, ...argv: ReadonlyArray<string>) {
  const env = { ...offline, CODEX_HOME: `${sandbox.home}/.codex` }
  const child = yield* Command.start(Sandbox.command(sandbox, env, ["sh", "-c", '"$@" 2>&1', "sh", ...argv]))
  const output = yield* child.stdout.pipe(Stream.decodeText(), Stream.mkString)
  return { code: Number(yield* child.exitCode), output }
}, Effect.scoped)

const sandbox = Sandbox.make({ name: "shop", project: { "README.md": "# Shop\n" } })

describe("the marketplace next to the command line", () => {
  live("passes Claude Code's strict validation, and installs", function* () {
    const place = yield* sandbox
    const claude = yield* HostBinaries.claudeCodeBinary
    for (const folder of [marketplace, `${marketplace}/plugins/claude-code`]) {
      const { code, output } = yield* run(place, claude, "plugin", "validate", "--strict", folder)
      assert.strictEqual(code, 0, output)
    }
    assert.strictEqual((yield* run(place, claude, "plugin", "marketplace", "add", marketplace)).code, 0)
    const installed = yield* run(place, claude, "plugin", "install", "reflexion@reflexion")
    assert.strictEqual(installed.code, 0, installed.output)
    const listed = yield* run(place, claude, "plugin", "list")
    assert.include(listed.output, "reflexion@reflexion")
  })

  live("is read and installed by Codex", function* () {
    const place = yield* sandbox
    const codex = yield* HostBinaries.codexBinary
    yield* run(place, "mkdir", "-p", `${place.home}/.codex`)
    const added = yield* run(place, codex, "plugin", "marketplace", "add", marketplace)
    assert.strictEqual(added.code, 0, added.output)
    const installed = yield* run(place, codex, "plugin", "add", "reflexion@reflexion")
    assert.strictEqual(installed.code, 0, installed.output)
  })
})
