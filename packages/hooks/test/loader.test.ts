import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundleHook } from "../../../scripts/bundle-hooks.mjs"
import { scratch } from "./support/session.ts"

/** The hook as it is installed, and a run of it that the host would see. */
const installed = Effect.gen(function* () {
  const { home } = yield* scratch
  const folder = join(home, "hook")
  mkdirSync(folder)
  const files = yield* Effect.promise(() => bundleHook("claude-code"))
  for (const [name, { text }] of Object.entries(files)) writeFileSync(join(folder, name), text ?? "")
  const payload = JSON.stringify({
    session_id: "s",
    hook_event_name: "UserPromptSubmit",
    cwd: home,
    prompt: "/reflection status"
  })
  const run = (input = payload) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [join(folder, "hook.cjs"), "UserPromptSubmit"], {
      input,
      encoding: "utf8",
      env: { HOME: home, PATH: process.env["PATH"] }
    })
    return { status, stderr, stdout }
  }
  const code = join(home, ".cache", "reflexion", "code")
  const cache = (): string => join(code, readdirSync(code)[0] ?? "none")
  return { cache, run }
})

describe("the hook's code cache", () => {
  it.scoped(
    "is made by the first run, and made again wherever it was cut or changed",
    () =>
      Effect.gen(function* () {
        const { cache, run } = yield* installed
        const first = run()
        assert.deepInclude(first, { status: 0, stderr: "" })
        assert.include(first.stdout, "reflexion is on")
        const made = readFileSync(cache())
        assert.isAbove(made.length, 100_000)
        const changed = Buffer.from(made)
        for (let at = 2000; at < changed.length / 2; at += 5000) changed[at] = (changed[at] ?? 0) ^ 0x55
        for (const damage of [changed, made.subarray(0, made.length / 3), Buffer.alloc(made.length), Buffer.alloc(0)]) {
          writeFileSync(cache(), damage)
          assert.deepStrictEqual(run(), first)
          assert.isAbove(readFileSync(cache()).length, 100_000)
        }
      }),
    60_000
  )

  it.scoped(
    "changes nothing about what is no payload: an end without a word",
    () =>
      Effect.gen(function* () {
        const { run } = yield* installed
        for (const input of ["", "[]", "null", "{", "\0", '{"session_id":1}']) {
          assert.deepStrictEqual(run(input), { status: 0, stderr: "", stdout: "" }, input)
        }
      }),
    60_000
  )
})
