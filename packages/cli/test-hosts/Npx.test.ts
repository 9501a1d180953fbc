import { Command, FileSystem } from "@effect/platform"
import { assert, describe } from "@effect/vitest"
import { HostBinaries, Sandbox } from "@reflexion/testing"
import { Effect, Stream } from "effect"
import { fileURLToPath } from "node:url"
import * as Registry from "./support/registry.ts"
import { live } from "../../testing/test-hosts/support/live.ts"

const programs = [
  ["claude", HostBinaries.claudeCodeBinary],
  ["codex", HostBinaries.codexBinary],
  ["opencode", HostBinaries.openCodeBinary]
] as const

const titles = ["Claude Code", "Codex", "OpenCode"]

/** An empty home with the agents' programs on PATH, where npm finds reflexion in a local registry. */
const arrive = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const made = yield* Sandbox.make({ name: "shop", project: { "README.md": "A shop.\n" } })
  const folder = `${made.root}/programs`
  yield* fs.makeDirectory(folder)
  for (const [name, binary] of programs) yield* fs.symlink(yield* binary, `${folder}/${name}`)
  const { url } = yield* Registry.serve(fileURLToPath(new URL("..", import.meta.url)))
  yield* fs.writeFileString(`${made.home}/.npmrc`, `@reflexion:registry=${url}\nupdate-notifier=false\n`)
  const sandbox: Sandbox.Sandbox = { ...made, env: { ...made.env, PATH: `${folder}:${made.env["PATH"]}` } }
  const shell = (script: string) =>
    Effect.gen(function* () {
      const command = Sandbox.command(sandbox, {}, ["sh", "-c", `${script} 2>&1`])
      const running = yield* Command.start(Command.stdin(command, Stream.empty))
      const out = yield* Stream.mkString(Stream.decodeText(running.stdout))
      return { out: out.replaceAll(/\s+/gu, " "), code: yield* running.exitCode }
    }).pipe(Effect.scoped)
  const npx = (words: string) => shell(`npx -y @reflexion/cli ${words}`)
  /** Runs a command on a terminal of its own. The text answers the first question, and `n` all others. */
  const typed = (words: string, text: string) =>
    shell(`(echo ${text}; while sleep 3; do echo n; done) | script -qec "npx -y @reflexion/cli ${words}" /dev/null`)
  /** The files that reflexion writes for the agents. The agents keep files of their own next to them. */
  const settings = Effect.map(
    Sandbox.execute(sandbox, "find", sandbox.home, "-path", "*/.npm", "-prune", "-o", "-type", "f", "-print"),
    (found) => found.split("\n").filter((file) => /\/(?:settings|hooks|opencode)\.json$|\/reflection\.md$/u.test(file))
  )
  return { npx, settings, typed }
})

describe("npx -y @reflexion/cli", () => {
  live("finds the agents, shows what it writes, asks once, and takes everything back", function* () {
    const { npx, settings, typed } = yield* arrive
    const alone = yield* npx("install")
    assert.strictEqual(alone.code, 2)
    for (const title of titles)
      assert.match(alone.out, new RegExp(`${title} · all your projects writes .* then .* undo`, "u"))
    assert.include(alone.out, "nobody can be asked here")
    assert.strictEqual((yield* npx("install --dry-run")).code, 0)
    assert.deepStrictEqual(yield* settings, [])
    const refused = yield* typed("install", "n")
    assert.deepStrictEqual([refused.out.split("Install this?").length - 1, yield* settings], [1, []])
    const agreed = yield* typed("install", "y")
    assert.strictEqual(agreed.out.split("Install this?").length - 1, 1, agreed.out)
    for (const host of ["claude-code", "opencode"]) {
      const { out } = yield* npx(`doctor ${host}`)
      assert.include(out, "All is well.", out)
    }
    assert.match((yield* npx("doctor codex")).out, /approval untrusted/u)
    assert.strictEqual((yield* npx("uninstall")).code, 0)
    assert.deepStrictEqual(yield* settings, [])
    assert.strictEqual((yield* npx("install --yes")).code, 0)
    assert.lengthOf(yield* settings, 4)
    assert.strictEqual((yield* npx("uninstall")).code, 0)
    assert.deepStrictEqual(yield* settings, [])
  })
})
