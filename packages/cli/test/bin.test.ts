/** The command line as it is built, in a process of its own. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { text as textOf } from "node:stream/consumers"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { folder } from "./runCli.ts"
import { claudeCode, failing, neutral, passing, text } from "./sessions.ts"
import { works } from "../../core/test/support/works.ts"

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url))

interface Options {
  readonly stdin?: string
  /** Closes standard output after its first bytes, as `head` does. */
  readonly closes?: boolean
  readonly node?: ReadonlyArray<string>
}

const run = (words: ReadonlyArray<string>, { closes = false, node = [], stdin = "" }: Options = {}) =>
  Effect.promise(async () => {
    const child = spawn(process.execPath, [...node, bin, ...words], { env: { HOME: "/nonexistent", FORCE_COLOR: "1" } })
    if (closes) child.stdout.once("data", () => child.stdout.destroy())
    child.stdin.end(stdin)
    const code = new Promise<number | null>((resolve) => child.once("close", resolve))
    const texts = [closes ? "" : textOf(child.stdout), textOf(child.stderr)] as const
    return { code: await code, out: await texts[0], err: await texts[1] }
  })

describe("bin", () => {
  works("prints its version, and judges standard input", function* () {
    const version = yield* run(["--version"])
    assert.deepStrictEqual([version.code, version.err], [0, ""])
    assert.match(version.out, /^reflexion \d+\.\d+\.\d+\n$/)
    const { code, err, out } = yield* run(["judge", "-", "--format", "jsonl"], { stdin: neutral([passing]) })
    assert.deepStrictEqual([code, err, out.split("\n").length], [0, "", 2])
  })

  works("judges a file with exit status and colour, and is quiet when its reader closes", function* () {
    const root = yield* folder({ "s.jsonl": text(claudeCode([failing])), "p.jsonl": text(claudeCode([passing])) })
    const { code, err, out } = yield* run(["judge", join(root, "s.jsonl")])
    assert.deepStrictEqual([code, err], [1, ""])
    for (const part of ["NOT COMPLETE", "\u001b["]) assert.include(out, part)
    const many = Array<string>(200).fill(join(root, "p.jsonl"))
    const closed = yield* run(["judge", "--format", "jsonl", ...many], { closes: true })
    assert.deepStrictEqual([closed.code, closed.err], [0, ""])
  })

  works("needs little memory for endlessly nested JSON", function* () {
    const bytes = 20 * 1024 * 1024
    const root = yield* folder({
      "lists.jsonl": "[".repeat(bytes),
      "objects.jsonl": '{"a":'.repeat(bytes / 5),
      "peak.cjs": 'process.on("exit", () => process._rawDebug(`peak ${process.resourceUsage().maxRSS}`))'
    })
    for (const name of ["lists.jsonl", "objects.jsonl"]) {
      const { code, err } = yield* run(["judge", join(root, name)], { node: ["--require", join(root, "peak.cjs")] })
      assert.strictEqual(code, 2)
      assert.include(err, "no session found in it")
      const [, kilobytes] = /^peak (\d+)$/m.exec(err) ?? []
      assert.isBelow(Number(kilobytes) / 1024, 400, name)
    }
  })
})
