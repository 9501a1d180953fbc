import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { folder } from "./runCli.ts"
import { claudeCode, failing, neutral, passing, text } from "./sessions.ts"

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url))

interface Options {
  readonly stdin?: string
  /** Closes standard output after its first bytes, as `head` does. */
  readonly closes?: boolean
}

const run = (words: ReadonlyArray<string>, { closes = false, stdin = "" }: Options = {}) =>
  Effect.promise(
    () =>
      new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((done, fail) => {
        const child = spawn(process.execPath, [bin, ...words], { env: { HOME: "/nonexistent", FORCE_COLOR: "1" } })
        let out = ""
        let err = ""
        child.stdout.on("data", (bytes: Buffer) => {
          out += bytes.toString()
          if (closes) child.stdout.destroy()
        })
        child.stderr.on("data", (bytes: Buffer) => {
          err += bytes.toString()
        })
        child.on("error", fail)
        child.on("close", (code) => done({ code, out, err }))
        child.stdin.end(stdin)
      })
  )

describe("bin", () => {
  it.effect("prints its version", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* run(["--version"])
      assert.deepStrictEqual([code, err], [0, ""])
      assert.match(out, /^reflexion \d+\.\d+\.\d+\n$/)
    })
  )

  it.scoped("judges a file: exit status, coloured text", () =>
    Effect.gen(function* () {
      const root = yield* folder({ "s.jsonl": text(claudeCode([failing])) })
      const { code, err, out } = yield* run(["judge", join(root, "s.jsonl")])
      assert.deepStrictEqual([code, err], [1, ""])
      assert.include(out, "NOT COMPLETE")
      assert.include(out, "\u001b[")
    })
  )

  it.effect("judges standard input", () =>
    Effect.gen(function* () {
      const { code, err, out } = yield* run(["judge", "-", "--format", "jsonl"], { stdin: neutral([passing]) })
      assert.deepStrictEqual([code, err, out.split("\n").length], [0, "", 2])
    })
  )

  it.scoped("is quiet when its reader goes away", () =>
    Effect.gen(function* () {
      const root = yield* folder({ "s.jsonl": text(claudeCode([passing])) })
      const many = Array<string>(200).fill(join(root, "s.jsonl"))
      const { code, err } = yield* run(["judge", "--format", "jsonl", ...many], { closes: true })
      assert.deepStrictEqual([code, err], [0, ""])
    })
  )

  it.scoped("takes little memory for what nests without an end", () =>
    Effect.gen(function* () {
      const peak = 'process.on("exit", () => process._rawDebug(`peak ${process.resourceUsage().maxRSS}`))'
      const bytes = 20 * 1024 * 1024
      const root = yield* folder({
        "lists.jsonl": "[".repeat(bytes),
        "objects.jsonl": '{"a":'.repeat(bytes / 5),
        "peak.cjs": peak
      })
      for (const name of ["lists.jsonl", "objects.jsonl"]) {
        const { status, stderr } = spawnSync(
          process.execPath,
          ["--require", join(root, "peak.cjs"), bin, "judge", join(root, name)],
          {
            env: { HOME: "/nonexistent" },
            encoding: "utf8"
          }
        )
        assert.strictEqual(status, 2)
        assert.include(stderr, "no session found in it")
        const [, kilobytes] = /^peak (\d+)$/m.exec(stderr) ?? []
        assert.isBelow(Number(kilobytes) / 1024, 400, name)
      }
    })
  )
})
