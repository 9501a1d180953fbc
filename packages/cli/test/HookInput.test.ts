/** Runs the hooks that `install` writes as the host runs them, with all kinds of standard input. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import type { Writable } from "node:stream"
import { text } from "node:stream/consumers"
import { hooksHome } from "./hooksHome.ts"
import { builtHooks } from "./runCli.ts"
import { live } from "../../core/test/support/works.ts"

const silence = { code: 0, out: "", err: "" }

const said = { source: "startup", prompt: "/reflection status", tool_name: "TodoWrite" }
const common = { ...said, prompt_id: "p1", permission_mode: "default", stop_hook_active: false }

type Groups = ReadonlyArray<{ readonly hooks: ReadonlyArray<{ readonly command: string }> }>

const installed = Effect.gen(function* () {
  const home = yield* hooksHome
  yield* home.run("install claude-code", { hooks: builtHooks })
  const { hooks }: { readonly hooks: Record<string, Groups> } = JSON.parse(home.read(".claude/settings.json") ?? "")
  const recording = new URL("../../testing/recordings/claude-code/claim-contradicted.jsonl", import.meta.url)
  const record = home.put("s1.jsonl", readFileSync(recording, "utf8").replaceAll("/home/dev/shop", home.project))
  const payload = (event: string, session = "s1") => {
    const place = { session_id: session, transcript_path: record, cwd: home.project }
    return JSON.stringify({ ...common, ...place, hook_event_name: event })
  }
  /**
   * Runs the hook through a shell, as hosts do. An input that `begin` leaves open stays open until the hook has ended.
   */
  const run = (event: string, begin: (input: Writable) => void, more = "") =>
    Effect.promise(async () => {
      const env = { HOME: home.home, PATH: process.env["PATH"] }
      const command = hooks[event]?.[0]?.hooks[0]?.command ?? assert.fail(event)
      const child = spawn("/bin/sh", ["-c", `${command}${more}`], { cwd: home.home, env })
      // The hook may end before it has read everything.
      child.stdin.on("error", () => {})
      begin(child.stdin)
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve))
      const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      child.stdin.destroy()
      return { code, out, err }
    })
  const failures = (): ReadonlyArray<{ readonly reason: string }> =>
    (home.read(".local/state/reflexion/log.jsonl") ?? "")
      .split("\n")
      .flatMap((line) => (line === "" ? [] : JSON.parse(line)))
      .filter(({ decision }) => decision === "failure")
  return { events: Object.keys(hooks), home, failures, payload, run }
})

describe("the installed hooks", () => {
  live("read a payload whose pipe stays open, with a byte order mark or without, at every event", function* () {
    const { events, failures, payload, run } = yield* installed
    for (const [index, event] of [...events, "Stop"].entries()) {
      // Each payload has its own session. In the same session, an interruption would end the review of a stop.
      const mark = index % 2 === 0 ? "" : "\uFEFF"
      const answer = yield* run(event, (input) => input.write(mark + payload(event, `s${index}`)))
      assert.deepInclude(answer, { code: 0, err: "" })
      if (event === "Stop") assert.include(answer.out, "[reflexion 1/3]")
      if (event === "UserPromptSubmit") assert.include(answer.out, "reflexion is on")
    }
    assert.deepStrictEqual(failures(), [])
  })

  live("end silently without a complete payload, and log the failure", function* () {
    const { failures, home, payload, run } = yield* installed
    const half = payload("Stop").slice(0, -1)
    const runs = [
      run("Stop", () => {}),
      run("Stop", (input) => input.write(half)),
      run("Stop", (input) => input.end("")),
      run("Stop", (input) => input.end(half)),
      run("Stop", (input) => input.write("[]")),
      run("Stop", () => {}, " <&-"),
      run("Stop", () => {}, ` < ${home.home}`),
      run("Stop", () => {}, " < /dev/zero")
    ]
    for (const one of yield* Effect.all(runs, { concurrency: 3 })) assert.deepStrictEqual(one, silence)
    assert.lengthOf(failures(), runs.length)
  })

  live("refuse a payload that is too large, without reading the rest", function* () {
    const { failures, payload, run } = yield* installed
    const megabyte = Buffer.alloc(1024 * 1024, "a")
    const endless = (input: Writable): void => {
      input.write(payload("Stop").replace(/\}$/, ',"more":"'))
      const more = (): void => {
        while (!input.destroyed && input.write(megabyte));
      }
      input.on("drain", more)
      more()
    }
    assert.deepStrictEqual(yield* run("Stop", endless), silence)
    assert.include(failures()[0]?.reason, "the payload is larger than 32 MB")
  })
})
